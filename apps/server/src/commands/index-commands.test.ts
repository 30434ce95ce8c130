import { currentFlow, stepsOf } from '@countersign/domain/flows';
import { createKeyRing, createSealedStorage } from '@countersign/sealing';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { change } from '@countersign/test-support/installation/database-file';
import { createRequest, eventTo, pendingRecord } from '@countersign/test-support/records/verification';
import { expect, test } from 'vitest';
import { type Operator, operatorOfEachTest } from '../../test-support/operator.ts';
import type { DoctorReport } from './doctor.ts';

const [OLD, NEW] = [1, 2].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer];
const KEYS = createKeyRing([OLD]);
const operator = operatorOfEachTest(() => ({
  SECRET_KEYS: [NEW, OLD].map((secret) => secret.toString('hex')).join(','),
}));

const file = ({ dataDir }: Operator): string => `${dataDir}/countersign.db`;

/** A client with an index key and submitted verifications, as a version without indexes left them. */
async function givenBehind(count: number): Promise<string> {
  const { id: clientId } = await operator.newClient();
  const storage = createSealedStorage(await createSqliteStorage({ file: file(operator) }), { keys: KEYS });
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

/** Runs a command with `--json`, also one that reports progress. */
const json = async <T>(command: string) => JSON.parse((await operator.run(command, '--json')).out) as T;
const indexes = async () => (await json<DoctorReport>('doctor')).indexes;

test('index rebuild: labels what doctor counts, in several runs or one', async () => {
  await givenBehind(3);
  expect(await indexes()).toEqual({ behind: 3, unreadableKeys: 0 });
  expect((await operator.run('doctor')).out).toContain(
    '\nBlind indexes: verifications without current labels 3 (run countersign index rebuild)\n',
  );
  const { out, err } = await operator.run('index rebuild');
  expect(out).toBe('Labelled 3 verifications; keys added 0, removed 0\n');
  expect(err).toContain('labelling verifications: 3 of 3\n');
  expect(await indexes()).toEqual({ behind: 0, unreadableKeys: 0 });
});

test('index rebuild --new-key: replaces the key of a client, and keys rotate re-wraps it', async () => {
  const clientId = await givenBehind(1);
  const result = await json(`index rebuild --new-key --client ${clientId}`);
  expect(result).toEqual({ labelled: 1, unreadable: 0, keysAdded: 1, keysRemoved: 1 });
  expect(await json('keys rotate')).toMatchObject({ indexKeys: 0 });
});

test('keys rotate: re-wraps index keys of older secrets', async () => {
  await givenBehind(1);
  expect(await json<DoctorReport>('doctor')).toMatchObject({ sealing: { olderIndexKeys: 1 } });
  expect(await json('keys rotate')).toMatchObject({ indexKeys: 1 });
  expect(await json<DoctorReport>('doctor')).toMatchObject({ ok: true, sealing: { olderIndexKeys: 0 } });
});

test('doctor: names an index key that cannot be read, and the command that replaces it', async () => {
  const clientId = await givenBehind(1);
  change(file(operator), "UPDATE index_keys SET value = 'AAAA'");
  const { exitCode, out } = await operator.run('doctor');
  expect(exitCode).toBe(1);
  expect(out).toContain(
    `Index key 1 of client ${clientId} cannot be read: run countersign index rebuild --new-key --client ${clientId}\n`,
  );
  expect((await operator.run('index rebuild')).out).toContain('\nLeft out 1 that cannot be read, or');
  await operator.run(`index rebuild --new-key --client ${clientId}`);
  expect(await indexes()).toEqual({ behind: 0, unreadableKeys: 0 });
});

test('index rebuild: an unknown client is refused', async () => {
  await givenBehind(1);
  const { exitCode, out } = await operator.run('index rebuild --client 0198c0de-0000-7000-8000-000000000009');
  expect([exitCode === 0, out]).toEqual([false, '']);
});
