import type { VerificationRecord } from '@countersign/domain/storage';

/** Requires the rules of retention that a database would hold by constraints. @throws Error that names the broken rule */
export function requireSoundFacts(record: VerificationRecord): void {
  const { status, resolvedAt, relationshipEndedAt, heldAt, heldBy, heldUntil } = record;
  const { erasureRequestedAt, erasedAt, retentionCheckAt, erasureNumber } = record;
  const rules: readonly [isKept: boolean, rule: string][] = [
    [relationshipEndedAt === null || status === 'approved', 'only an approved relationship ends'],
    [heldAt !== null || (heldBy ?? heldUntil) === null, 'a hold has a time'],
    [heldAt === null || erasedAt === null, 'nothing is held and erased'],
    [
      resolvedAt !== null || (erasureRequestedAt ?? erasedAt ?? retentionCheckAt) === null,
      'an open verification is not erased',
    ],
    [erasureNumber === null || isEmptied(record), 'an erased verification has no data'],
  ];
  const broken = rules.find(([isKept]) => !isKept);
  if (broken !== undefined) throw new Error(`The verification ${record.id} breaks a rule: ${broken[1]}`);
}

function isEmptied(record: VerificationRecord): boolean {
  const { id, subjectReference, idempotencyKey, dataKey, sandboxOutcome, returnUrl, locale, notify } = record;
  return (
    record.erasedAt !== null &&
    subjectReference === `erased:${id}` &&
    [idempotencyKey, dataKey, sandboxOutcome, returnUrl, locale, notify].every((value) => value === null) &&
    [record.metadata, record.answers, record.reviewData].every((value) => Object.keys(value).length === 0)
  );
}
