import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { operatorOfEachTest } from '../../test-support/operator.ts';

const operator = operatorOfEachTest();
const { run, json, newClient } = operator;

describe('migrate', () => {
  test('creates the database, and applies nothing the second time', async () => {
    const file = join(operator.dataDir, 'countersign.db');
    expect(await json('migrate')).toEqual({
      database: file,
      applied: ['0000_initial-schema', '0000_accounts'],
    });
    expect(await json('migrate')).toEqual({ database: file, applied: [] });
  });
});

describe('backup', () => {
  test('copies the database to a new file', async () => {
    const client = await newClient();
    const target = join(operator.dataDir, 'copy', 'countersign.db');
    expect(await run('backup', target)).toMatchObject({
      exitCode: 1,
      err: `countersign: The backup ${target} cannot be written: there is no directory ${join(operator.dataDir, 'copy')}\n`,
    });

    const copy = join(operator.dataDir, 'copy.db');
    expect(await json('backup', copy)).toEqual({ file: copy, sizeBytes: expect.any(Number) });

    const { out } = await runCommand(['client', 'list', '--json'], {
      DATABASE_URL: `file:${copy}`,
      DATA_DIR: operator.dataDir,
    });
    expect(JSON.parse(out)).toMatchObject([{ id: client.id }]);
  });

  test('refuses to replace an existing file', async () => {
    await newClient();
    const taken = join(operator.dataDir, 'taken');
    writeFileSync(taken, 'mine');
    const { exitCode, err } = await run('backup', taken);
    expect(exitCode).toBe(1);
    expect(err).toMatch(/^countersign: .*taken exists already.*\n$/);
    expect(readFileSync(taken, 'utf8')).toBe('mine');
  });

  test('refuses a missing database and creates none', async () => {
    expect(await run('backup', join(operator.dataDir, 'copy'))).toMatchObject({
      exitCode: 1,
      err: `countersign: There is no database at ${join(operator.dataDir, 'countersign.db')}\n`,
    });
    expect(existsSync(join(operator.dataDir, 'countersign.db'))).toBe(false);
  });
});
