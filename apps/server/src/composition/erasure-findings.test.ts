import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import { createMemoryStorage } from '@countersign/memory';
import { createRequest, pendingRecord } from '@countersign/test-support/records/verification';
import { expect, test } from 'vitest';
import { examineErasures } from './erasure-findings.ts';

const CLIENT = {
  id: 'client-1',
  name: 'Shop',
  createdAt: new Date(0),
  returnAddresses: [],
  testOf: null,
  fileAccess: false,
  flowSettings: NEW_FLOW_SETTINGS,
  reasonTemplates: NO_TEMPLATES,
};
const AT = new Date('2026-03-10T12:00:00.000Z');

async function givenBegun(...ids: readonly string[]) {
  const storage = createMemoryStorage();
  await storage.clients.create({ client: CLIENT, subscription: null });
  for (const id of ids) {
    const pending = pendingRecord({ clientId: CLIENT.id, id, subjectReference: id });
    await storage.verifications.createCharged(createRequest(pending));
    const found = (await storage.retention.find({ clientId: CLIENT.id, verificationId: id })) ?? expect.fail();
    const facts = { resolvedAt: AT, erasedAt: AT, retentionCheckAt: AT };
    const verification = { ...found, ...facts, status: 'rejected' as const };
    await storage.retention.change({ verification, expectedVersion: found.version, events: [] });
  }
  return storage;
}

test('erasures: doctor names those that began more than ten minutes ago and have not finished', async () => {
  const storage = await givenBegun('v-1');
  const after = (milliseconds: number) => examineErasures(storage, new Date(AT.getTime() + milliseconds));
  expect(await after(599_999)).toMatchObject({ facts: { unfinished: 0 }, problems: [] });
  expect(await after(600_000)).toEqual({
    facts: { unfinished: 1 },
    lines: ['Erasures that have not finished 1'],
    problems: [
      'The erasure of verification v-1 began at 2026-03-10T12:00:00.000Z and has not finished: its data is left. A server tries again each hour, and its log names the fault',
    ],
  });
});

test('erasures: doctor counts many and names ten', async () => {
  const storage = await givenBegun(...Array.from({ length: 12 }, (_, n) => `v-${n}`));
  const { facts, problems } = await examineErasures(storage, new Date('2026-03-11T00:00:00.000Z'));
  expect([facts?.unfinished, problems.length, problems.at(-1)]).toEqual([12, 11, '2 more erasures like these']);
});
