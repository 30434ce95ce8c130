// Submits cases and rebuilds their index with several runs of the command line.
import { change } from '@countersign/test-support/installation/database-file';
import { expect, test } from 'vitest';
import { databaseOf, givenSubmittedBefore } from '../../test-support/given-submitted-before.ts';
import { operatorOfEachTest } from '../../test-support/operator.ts';
import type { DoctorReport } from './doctor.ts';

const [OLD, NEW] = [1, 2].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer];
const operator = operatorOfEachTest(() => ({
  SECRET_KEYS: [NEW, OLD].map((secret) => secret.toString('hex')).join(','),
}));

const givenBehind = (count: number) => givenSubmittedBefore(operator, OLD, count);
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
  change(databaseOf(operator), "UPDATE index_keys SET value = 'AAAA'");
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

test('index rebuild: a wrong --share is refused, and nothing is labelled', async () => {
  await givenBehind(1);
  const { exitCode, out, err } = await operator.run('index rebuild --share 101');
  expect([exitCode === 0, out]).toEqual([false, '']);
  expect(err).toContain('Expected a number from 0.1 to 100.');
  expect(await indexes()).toMatchObject({ behind: 1 });
});
