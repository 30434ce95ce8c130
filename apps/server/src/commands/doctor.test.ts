import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { overwritePageOf } from '@countersign/test-support/installation/database-file';
import { describe, expect, test } from 'vitest';
import { operatorOfEachTest } from '../../test-support/operator.ts';
import type { DoctorReport } from './doctor.ts';

const operator = operatorOfEachTest();
const { run, json, newClient } = operator;

describe('doctor', () => {
  test('reports versions, migrations and integrity', async () => {
    await newClient();
    expect(await json('doctor')).toEqual({
      ok: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      node: process.versions.node,
      database: expect.objectContaining({ kind: 'sqlite', integrity: 'ok', pendingMigrations: [] }),
      redis: null,
      rateLimitTable: null,
      sealing: null,
      evidence: {
        directory: join(operator.dataDir, 'evidence'),
        exists: false,
        writable: true,
        apartFromDataDir: false,
      },
      erasureLog: { directory: join(operator.dataDir, 'erasures'), entries: 0 },
      disk: [{ path: operator.dataDir, freeBytes: expect.any(Number) }],
      servers: [],
      counts: { differing: 0, mended: 0 },
      verifications: null,
      problems: [],
    });
    expect((await run('doctor')).out).toMatch(/No problems found\n$/);
  });

  test('reports a missing database and creates none', async () => {
    const { exitCode, out } = await run('doctor', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      database: null,
      problems: [`There is no database at ${join(operator.dataDir, 'countersign.db')}`],
    });
    expect(existsSync(join(operator.dataDir, 'countersign.db'))).toBe(false);
  });

  test('reports a damaged database file', async () => {
    await newClient();
    const file = join(operator.dataDir, 'countersign.db');
    overwritePageOf(file, 'clients');

    const { exitCode, out, err } = await run('doctor', '--json');

    expect([exitCode, err]).toEqual([1, '']);
    const { ok, database, problems } = JSON.parse(out) as DoctorReport;
    expect([ok, database === null]).toEqual([false, false]);
    expect(problems[0]).toMatch(/^The database is damaged, restore it from a backup: /);
    expect(await run('doctor')).toMatchObject({ exitCode: 1, err: '', out: expect.stringContaining('damaged') });
  });

  test('reports a file that is not a SQLite database', async () => {
    writeFileSync(
      join(operator.dataDir, 'countersign.db'),
      'not a database, but long enough to be taken for one '.repeat(100),
    );
    const { exitCode, out } = await run('doctor');
    expect(exitCode).toBe(1);
    expect(out).toMatch(/is not a SQLite database\n$/);
  });
});
