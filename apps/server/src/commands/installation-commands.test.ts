import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { change } from '@countersign/test-support/installation/database-file';
import { describe, expect, test } from 'vitest';
import { migrationNames } from '../../test-support/migrations.ts';
import { operatorOfEachTest } from '../../test-support/operator.ts';
import type { DoctorReport } from './doctor.ts';

const operator = operatorOfEachTest();
const { json, run } = operator;

describe('migrate', () => {
  test('creates the database, and applies nothing the second time', async () => {
    const file = join(operator.dataDir, 'countersign.db');
    const applied = ['storage-sqlite/migrations', 'accounts/migrations/sqlite'].flatMap(migrationNames);
    expect(await json('migrate')).toEqual({ database: file, applied });
    expect(await json('migrate')).toEqual({ database: file, applied: [] });
  });

  test.each(['migrate', 'client list'])(
    '%s: refuses the database of a newer version with one line, and leaves it unchanged',
    async (command) => {
      const file = join(operator.dataDir, 'countersign.db');
      await json('migrate');
      change(file, 'INSERT INTO countersign_migrations (hash, created_at) VALUES (?, ?)', 'x', Date.UTC(2100, 0));
      const before = readFileSync(file);
      expect(await run(command)).toEqual({
        exitCode: 1,
        out: '',
        err: expect.stringMatching(/^countersign: [^\n]*written by a newer version[^\n]*\n$/),
      });
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );
});

describe('clear-erased-space', () => {
  test('clear-erased-space does nothing without an erasure', async () => {
    await json('migrate');
    const database = join(operator.dataDir, 'countersign.db');
    expect(await json('clear-erased-space')).toEqual({ database, outcome: 'nothing_to_clear' });
  });

  test('clears the file after an erasure, and doctor counts none afterwards', async () => {
    await json('migrate');
    change(join(operator.dataDir, 'countersign.db'), 'INSERT INTO uncleared_erasures VALUES (1, 0)');
    const uncleared = async () => {
      const { database } = JSON.parse((await run('doctor --json')).out) as DoctorReport;
      return database?.kind === 'sqlite' ? database.uncleared.erasures : null;
    };
    expect(await uncleared()).toBe(1);

    const { exitCode, out } = await run('clear-erased-space');

    expect([exitCode, out]).toEqual([0, expect.stringContaining(': cleared (erasures: 1) in ')]);
    expect(await uncleared()).toBe(0);
  });
});
