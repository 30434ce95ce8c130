// Starts processes, each of which loads the storage, and kills some of them.
import { join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../../test-support/given-database.ts';
import { run } from '../../test-support/process.ts';
import { fileWithoutTables, schemaOf } from '../../test-support/without-tables.ts';
import { migrateSqlite } from '../sqlite-storage.ts';
import { MIGRATIONS } from './migrations.ts';

it('several processes start at once without a file: one migrates and all continue', {
  timeout: 60_000,
}, async () => {
  const file = join(temporaryDirectory(onTestFinished), 'data', 'countersign.db');
  const program = `
    import { createSqliteStorage } from './src/index.ts';
    const storage = await createSqliteStorage({ file: process.argv[1], lockWaitMs: 30_000 });
    await storage.ping();
    await storage.close();
  `;

  const runs = await Promise.all([1, 2, 3, 4].map(() => run(onTestFinished, program, [file]).ended));

  for (const ended of runs) expect(ended).toEqual({ code: 0, output: '', errors: '' });
  const applied = rawConnection(onTestFinished, file)
    .prepare('SELECT created_at FROM countersign_migrations')
    .pluck();
  expect(applied.all()).toEqual(MIGRATIONS.map(({ when }) => when));
});

it('a migration that is killed at any statement keeps nothing, and the next process migrates', {
  timeout: 60_000,
}, async () => {
  const unharmed = await run(onTestFinished, DYING, [fileWithoutTables(), '0']).ended;
  const statements = Number(/^migrated \d+ (\d+)$/m.exec(unharmed.output)?.[1]);
  expect(statements).toBeGreaterThan(20);

  for (const at of [1, 6, 9, 18, statements]) {
    const file = fileWithoutTables();

    const died = await run(onTestFinished, DYING, [file, String(at)]).ended;

    expect(died.code, died.errors).toBeNull();
    const connection = rawConnection(() => undefined, file);
    expect(schemaOf(connection)).toEqual([]);
    connection.close();
    expect(await migrateSqlite({ file }), `killed at ${at}`).toEqual(MIGRATIONS.map(({ name }) => name));
  }
});

const DYING = `
  import Database from 'better-sqlite3';
  const [file, at] = [process.argv[1], Number(process.argv[2])];
  const { prepare } = Database.prototype;
  let statements = 0;
  const counting = (text) => /^(--[^\\n]*\\n|\\s)*(alter|update|create|insert)/i.test(text);
  Database.prototype.prepare = function (text) {
    if (counting(text) && (statements += 1) === at) process.kill(process.pid, 'SIGKILL');
    return prepare.call(this, text);
  };
  const { migrateSqlite } = await import('./src/index.ts');
  console.log('migrated', (await migrateSqlite({ file })).length, statements);
`;
