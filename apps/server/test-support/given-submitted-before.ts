import { currentFlow, stepsOf } from '@countersign/domain/flows';
import { createKeyRing, createSealedStorage } from '@countersign/sealing';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { createRequest, eventTo, pendingRecord } from '@countersign/test-support/records/verification';
import { expect } from 'vitest';
import type { Operator } from './operator.ts';

/** The file of an operator's database. */
export const databaseOf = ({ dataDir }: Operator): string => `${dataDir}/countersign.db`;

/** A client with an index key and submitted verifications of one person, as a version without indexes and kept warnings left them. */
export async function givenSubmittedBefore(
  operator: Operator,
  secretKey: Uint8Array,
  count: number,
): Promise<string> {
  const { id: clientId } = await operator.newClient();
  const storage = createSealedStorage(await createSqliteStorage({ file: databaseOf(operator) }), {
    keys: createKeyRing([secretKey]),
  });
  const { verifications, indexes } = storage;
  await indexes.addKey({ clientId, version: 1, value: Buffer.alloc(32, 3).toString('base64'), wrappedBy: null });
  const flow = currentFlow('kyc');
  const person = { lastName: 'Lovelace', dateOfBirth: '1990-12-10' };
  const completed = stepsOf(flow).map((step) => [
    step,
    { answers: step === 'person' ? person : {}, completedAt: '2026-03-10T12:00:00.000Z', version: 2 },
  ]);
  for (let n = 1; n <= count; n += 1) {
    const id = `0198c0de-0000-7000-8000-00000000000${n}`;
    const record = pendingRecord({ clientId, id, subjectReference: `subject-${n}`, flowVersion: flow.version });
    await verifications.createCharged(createRequest(record));
    const next = {
      ...record,
      status: 'submitted' as const,
      submittedAt: record.requestedAt,
      version: 2,
      eventCount: 2,
      currentStep: completed.length,
      answers: { steps: Object.fromEntries(completed) },
    };
    expect(await verifications.commit({ record: next, expectedVersion: 1, events: [eventTo(next)] })).toEqual({
      outcome: 'committed',
    });
  }
  await storage.close();
  return clientId;
}
