import { change } from '@countersign/test-support/installation/database-file';
import { expect, test } from 'vitest';
import { databaseOf, givenSubmittedBefore } from '../../test-support/given-submitted-before.ts';
import { operatorOfEachTest } from '../../test-support/operator.ts';

const SECRET = Buffer.alloc(32, 1);
const operator = operatorOfEachTest(() => ({ SECRET_KEYS: SECRET.toString('hex') }));

/** Runs a command with `--json`, also one that reports progress. */
const json = async (command: string): Promise<unknown> =>
  JSON.parse((await operator.run(command, '--json')).out) as unknown;

test('warnings recompute: fills waiting cases without warnings, and computes current ones again with --all only', async () => {
  const clientId = await givenSubmittedBefore(operator, SECRET, 3);
  const { out, err } = await operator.run('warnings recompute');
  expect(out).toBe('Warnings of waiting cases: changed 3, unchanged 0\n');
  expect(err).toContain('computing warnings: 3 of 3\n');
  expect(await json('warnings recompute')).toEqual({ changed: 0, unchanged: 3, unreadable: 0 });
  // Now one person has three cases.
  await operator.run('index rebuild');
  expect(await json('warnings recompute')).toEqual({ changed: 0, unchanged: 3, unreadable: 0 });
  expect(await json(`warnings recompute --all --client ${clientId}`)).toEqual({
    changed: 3,
    unchanged: 0,
    unreadable: 0,
  });
});

test('warnings recompute: leaves out cases that cannot be read, and names doctor', async () => {
  await givenSubmittedBefore(operator, SECRET, 2);
  change(databaseOf(operator), "UPDATE verifications SET answers = 'AAAA' WHERE id LIKE '%1'");
  expect((await operator.run('warnings recompute')).out).toBe(
    'Warnings of waiting cases: changed 1, unchanged 0\nLeft out 1 that cannot be read: run countersign doctor\n',
  );
});

test('warnings recompute: an unknown client is refused', async () => {
  await givenSubmittedBefore(operator, SECRET, 1);
  const unknown = '0198c0de-0000-7000-8000-000000000009';
  const { exitCode, out } = await operator.run(`warnings recompute --client ${unknown}`);
  expect([exitCode === 0, out]).toEqual([false, '']);
});
