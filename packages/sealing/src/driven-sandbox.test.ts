import { createCountersign } from '@countersign/domain';
import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
} from '@countersign/memory';
import { expect, test } from 'vitest';
import { countingKeys } from '../test-support/keys.ts';
import { ANSWERS, aRecord, CLIENT, createCharged, recordIn, verificationId } from '../test-support/records.ts';
import { createSealedStorage } from './sealed-storage.ts';
import { createSealing } from './sealing.ts';

test('a sandbox drives readable verifications to their outcome and reports unreadable ones, unchanged', async () => {
  const raw = createMemoryStorage();
  const keys = countingKeys();
  const storage = createSealedStorage(raw, { keys });
  const clock = createFixedClock('2026-03-10T10:00:00.000Z');
  const faults: unknown[] = [];
  const { sandbox } = createCountersign(
    {
      storage: raw,
      sealing: createSealing({ keys }),
      clock,
      rateLimiter: createMemoryRateLimiter(clock),
      ids: createCountingIds(),
      secrets: createCountingSecrets(),
      evidence: { store: createMemoryEvidenceStore(clock), intake: createTrustingIntake() },
      onFault: (fault) => faults.push(fault),
    },
    { publicBaseUrl: 'https://verify.example' },
  );
  const client = {
    id: CLIENT,
    name: 'Client',
    createdAt: clock.now(),
    returnAddresses: [],
    testOf: 'live-client',
    fileAccess: false,
    flowSettings: NEW_FLOW_SETTINGS,
    reasonTemplates: NO_TEMPLATES,
  };
  await storage.clients.create({ client: { ...client, id: 'live-client', testOf: null }, subscription: null });
  await storage.clients.create({ client, subscription: null });
  for (const n of [1, 2, 3]) await createCharged(storage, aRecord(n, { sandboxOutcome: 'approved' }));
  // Plain text where sealed values belong makes the record unreadable.
  const damaged = { ...(await recordIn(raw, 2)), version: 2, answers: ANSWERS };
  await raw.verifications.commit({ record: damaged, expectedVersion: 1, events: [] });

  expect(await sandbox.drive()).toEqual({ driven: 2 });
  expect(await sandbox.drive()).toEqual({ driven: 2 });

  for (const n of [1, 3]) expect(await recordIn(storage, n)).toMatchObject({ status: 'approved' });
  expect(await recordIn(raw, 2)).toEqual(damaged);
  expect(faults).toEqual([expect.objectContaining({ name: 'SealingError', verificationId: verificationId(2) })]);
});
