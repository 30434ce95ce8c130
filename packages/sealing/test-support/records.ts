import type { JsonObject } from '@countersign/domain';
import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { createRequest, pendingRecord } from '@countersign/test-support/records/verification';

export const CLIENT = 'client-1';

/** A name that occurs only in sealed answers. A test that finds it elsewhere has found an unsealed value. */
export const SECRET_NAME = 'Philippa Quisling-Undergrove';
export const ANSWERS: JsonObject = { steps: { person: { answers: { lastName: SECRET_NAME } } } };
export const REVIEW_DATA: JsonObject = { internalNotes: [{ text: `Called ${SECRET_NAME}` }] };

export const NOTIFY: JsonObject = { email: SECRET_NAME };

/** Makes the record of the client's verification `n`, newly created except for the values given. */
export function aRecord(n: number, values: Partial<VerificationRecord> = {}): VerificationRecord {
  return pendingRecord({ clientId: CLIENT, id: verificationId(n), subjectReference: `subject-${n}`, ...values });
}

/** Makes the same record with every sealed value and an idempotency key. */
export function fullRecord(n: number): VerificationRecord {
  return aRecord(n, {
    answers: ANSWERS,
    reviewData: REVIEW_DATA,
    notify: NOTIFY,
    idempotencyKey: `key-${n}`,
    idempotencyFingerprint: 'f',
  });
}

/** Reads verification `n`, which must exist. */
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

/** Creates a record in a month with room for it. */
export function createCharged(
  { verifications }: Pick<Storage, 'verifications'>,
  record: VerificationRecord,
): ReturnType<Storage['verifications']['createCharged']> {
  return verifications.createCharged(createRequest(record));
}
