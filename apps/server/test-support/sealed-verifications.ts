import type { Storage, VerificationRecord } from '@countersign/domain';
import { createKeyRing, createSealedStorage } from '@countersign/sealing';

const NOW = new Date('2026-03-10T09:00:00.000Z');
export const LAST_NAME = 'Quisling-Undergrove';

/** `count` verifications of a client, from number `first` on, with answers that the newest of these secrets sealed. */
export async function givenSealedVerifications(
  storage: Storage,
  given: { clientId: string; count: number; first?: number; secretKeys: readonly Uint8Array[] },
): Promise<void> {
  const { clientId, count, first = 0, secretKeys } = given;
  const { verifications } = createSealedStorage(storage, { keys: createKeyRing(secretKeys) });
  for (let n = first; n < first + count; n += 1) {
    const record = aRecord(clientId, n);
    await verifications.createCharged({
      record,
      event: {
        id: record.id.replace('0198c0de', '0198c0df'),
        clientId,
        verificationId: record.id,
        version: 1,
        type: 'verification.created',
        status: record.status,
        at: NOW,
        actor: { kind: 'system', id: null },
        data: {},
      },
      month: '2026-03',
      allowance: 1_000,
    });
  }
}

/** The last name in each verification of a client, read with these secrets alone. */
export async function lastNamesIn(
  storage: Storage,
  { clientId, secretKeys }: { clientId: string; secretKeys: readonly Uint8Array[] },
): Promise<unknown[]> {
  const { verifications } = createSealedStorage(storage, { keys: createKeyRing(secretKeys) });
  const { records } = await verifications.list(clientId, {
    status: undefined,
    type: undefined,
    subjectReference: undefined,
    sortBy: 'subjectReference',
    sortOrder: 'asc',
    offset: 0,
    limit: 1_000,
  });
  return records.map(({ answers }) => answers.lastName);
}

function aRecord(clientId: string, n: number): VerificationRecord {
  return {
    clientId,
    id: `0198c0de-0000-7000-8000-${String(n).padStart(12, '0')}`,
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
    answers: { lastName: LAST_NAME },
    reviewData: {},
  };
}
