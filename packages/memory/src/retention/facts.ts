import type { VerificationRecord } from '@countersign/domain/storage';

/** Requires what the constraints of a database do. @throws Error */
export function requireSoundFacts(record: VerificationRecord): void {
  const broken = brokenRuleOf(record);
  if (broken !== null) throw new Error(`the verification ${record.id} would be ${broken}`);
}

/** Names the rule of retention facts that a record breaks; null if it breaks none. */
function brokenRuleOf(record: VerificationRecord): string | null {
  const { status, resolvedAt, relationshipEndedAt, heldAt, heldBy, heldUntil } = record;
  const { erasureRequestedAt, erasedAt, retentionCheckAt } = record;
  if (relationshipEndedAt !== null && status !== 'approved') return 'without an approved relationship that ended';
  if (heldAt === null && (heldBy ?? heldUntil) !== null) return 'part of a hold';
  if (heldAt !== null && erasedAt !== null) return 'held and erased';
  if (resolvedAt === null && (erasureRequestedAt ?? erasedAt ?? retentionCheckAt) !== null)
    return 'erased while open';
  return record.erasureNumber === null || isEmptied(record) ? null : 'erased with data';
}

function isEmptied(record: VerificationRecord): boolean {
  const { id, subjectReference, idempotencyKey, dataKey, sandboxOutcome, returnUrl, locale, notify, erasedAt } =
    record;
  const { metadata, answers, reviewData } = record;
  return (
    erasedAt !== null &&
    subjectReference === `erased:${id}` &&
    [idempotencyKey, dataKey, sandboxOutcome, returnUrl, locale, notify].every((value) => value === null) &&
    [metadata, answers, reviewData].every((value) => Object.keys(value).length === 0)
  );
}
