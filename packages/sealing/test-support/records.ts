import type { JsonObject, Storage, VerificationEvent, VerificationRecord } from '@countersign/domain';

export const CLIENT = 'client-1';
const NOW = new Date('2026-03-10T09:00:00.000Z');

/** Nobody else is called so: where it is found, it was not sealed. */
export const SECRET_NAME = 'Philippa Quisling-Undergrove';
export const ANSWERS: JsonObject = { steps: { person: { answers: { lastName: SECRET_NAME } } } };
export const REVIEW_DATA: JsonObject = { internalNotes: [{ text: `Called ${SECRET_NAME}` }] };

/** The client's verification `n`, fresh unless told otherwise. */
export function aRecord(n: number, given: Partial<VerificationRecord> = {}): VerificationRecord {
  return {
    clientId: CLIENT,
    id: verificationId(n),
    type: 'kyc',
    subjectReference: `subject-${n}`,
    status: 'pending',
    requestedAt: NOW,
    resolvedAt: null,
    submittedAt: null,
    claimedBy: null,
    claimedAt: null,
    currentStep: 0,
    version: 1,
    linkVersion: 1,
    linkExpiresAt: new Date('2026-04-09T09:00:00.000Z'),
    idempotencyKey: null,
    idempotencyFingerprint: null,
    sandboxOutcome: null,
    dataKey: null,
    metadata: {},
    answers: {},
    reviewData: {},
    ...given,
  };
}

/** The same with everything that is sealed, and an idempotency key. */
export function fullRecord(n: number): VerificationRecord {
  return aRecord(n, {
    answers: ANSWERS,
    reviewData: REVIEW_DATA,
    idempotencyKey: `key-${n}`,
    idempotencyFingerprint: 'f',
  });
}

/** Verification `n` as a storage gives it, which must hold one. */
export async function recordIn(
  { verifications }: Pick<Storage, 'verifications'>,
  n: number,
): Promise<VerificationRecord> {
  const record = await verifications.find(CLIENT, verificationId(n));
  if (record === null) throw new Error(`There is no verification ${n}`);
  return record;
}

export function verificationId(n: number): string {
  return `verification-${String(n).padStart(4, '0')}`;
}

export function eventOf({ clientId, id, version, status }: VerificationRecord): VerificationEvent {
  return {
    id: `event-${id}-${version}`,
    clientId,
    verificationId: id,
    version,
    type: version === 1 ? 'verification.created' : 'verification.step_completed',
    status,
    at: NOW,
    actor: { kind: 'subject', id: null },
    data: {},
  };
}

/** Creates a record; there is plenty of room. */
export function createCharged(
  { verifications }: Pick<Storage, 'verifications'>,
  record: VerificationRecord,
): ReturnType<Storage['verifications']['createCharged']> {
  return verifications.createCharged({ record, event: eventOf(record), month: '2026-03', allowance: 1_000_000 });
}

/** Commits a record as the next version of it. */
export function commit(
  { verifications }: Pick<Storage, 'verifications'>,
  record: VerificationRecord,
): ReturnType<Storage['verifications']['commit']> {
  const next = { ...record, version: record.version + 1 };
  return verifications.commit({ record: next, expectedVersion: record.version, events: [eventOf(next)] });
}
