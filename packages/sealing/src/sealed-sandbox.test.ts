import { CountersignError } from '@countersign/domain';
import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { beforeEach, expect, test } from 'vitest';
import { countingKeys, NEW } from '../test-support/keys.ts';
import { aRecord, CLIENT, createCharged, fullRecord, recordIn, verificationId } from '../test-support/records.ts';
import { createKeyRing } from './key-ring.ts';
import { createSealedStorage } from './sealed-storage.ts';

let raw: Storage;
let sealed: Storage;
beforeEach(async () => {
  raw = createMemoryStorage();
  sealed = createSealedStorage(raw, { keys: countingKeys() });
  const client = {
    id: CLIENT,
    name: 'Client',
    createdAt: new Date(0),
    returnAddresses: [],
    testOf: 'live-client',
    fileAccess: false,
    flowSettings: NEW_FLOW_SETTINGS,
    reasonTemplates: NO_TEMPLATES,
  };
  await raw.clients.create({ client, subscription: null });
});

const dueRecord = (n: number): VerificationRecord => ({ ...fullRecord(n), sandboxOutcome: 'approved' });

async function damage(n: number): Promise<void> {
  const record = await recordIn(raw, n);
  const answers = { countersignSealed: 1, data: 'AAAA' };
  await raw.verifications.commit({ record: { ...record, version: 2, answers }, expectedVersion: 1, events: [] });
}

test('dueInSandbox: returns unsealed records', async () => {
  await createCharged(sealed, aRecord(1, { sandboxOutcome: 'rejected' }));
  await createCharged(sealed, dueRecord(2));

  expect(await sealed.verifications.dueInSandbox(10)).toEqual([
    aRecord(1, { sandboxOutcome: 'rejected' }),
    dueRecord(2),
  ]);
});

test('dueInSandbox: an unreadable record is reported, the others are driven, and it is not overwritten', async () => {
  for (const n of [1, 2, 3]) await createCharged(sealed, dueRecord(n));
  await damage(2);
  const stored = await recordIn(raw, 2);

  const [first, second, third] = await sealed.verifications.dueInSandbox(10);

  expect([first, third]).toEqual([dueRecord(1), dueRecord(3)]);
  expect(second?.id).toBe(verificationId(2));
  const fault = expect.objectContaining({ name: 'SealingError', code: 'DAMAGED', verificationId: second?.id });
  const record = second as VerificationRecord;
  expect(() => record.answers).toThrow(fault);
  expect(() => record.reviewData).toThrow(fault);
  // With an answer, so that no copy is taken for a record without answers.
  expect(() => ({ ...record })).toThrow(fault);
  expect(() => structuredClone(record)).toThrow(fault);
  const change = { record, expectedVersion: 2, events: [] };
  await expect(async () => sealed.verifications.commit(change)).rejects.toThrow(fault);
  expect(await recordIn(raw, 2)).toEqual(stored);
});

test('dueInSandbox: without any key, each sealed record is unreadable, and records without answers are still driven', async () => {
  await createCharged(sealed, dueRecord(1));
  await createCharged(sealed, aRecord(2, { sandboxOutcome: 'approved' }));
  const withoutSecret = createSealedStorage(raw, { keys: createKeyRing([NEW]) });

  const [lost, fresh] = await withoutSecret.verifications.dueInSandbox(10);

  const cause = expect.objectContaining({ code: 'UNKNOWN_KEY' });
  expect(() => lost?.answers).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', cause }));
  expect(fresh).toEqual(aRecord(2, { sandboxOutcome: 'approved' }));
});

test.each([
  ['an error of its own', new Error('no answer')],
  ['SERVICE_UNAVAILABLE', new CountersignError('SERVICE_UNAVAILABLE')],
  [
    'SERVICE_UNAVAILABLE with a cause',
    new CountersignError('SERVICE_UNAVAILABLE', undefined, { cause: new Error() }),
  ],
])('dueInSandbox: rejects with the key service’s error: %s', async (_, outage) => {
  await createCharged(sealed, dueRecord(1));
  const unwrap = () => Promise.reject(outage);
  const without = createSealedStorage(raw, { keys: { ...countingKeys(), unwrap } });

  await expect(without.verifications.dueInSandbox(10)).rejects.toBe(outage);
});
