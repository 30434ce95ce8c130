// Copies installations by the command line, beside servers.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CopyResult } from '@countersign/domain/storage';
import { expectEqualRows, rowsInFile, TABLE_NAMES } from '@countersign/test-support/installation/all-rows';
import { change } from '@countersign/test-support/installation/database-file';
import { newInstallation } from '@countersign/test-support/installation/installation';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandResult, runCommand } from '../../test-support/command.ts';

describeWith(['postgres'], 'copy', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  test('refuses a target that is not a copy of the source, and leaves it unchanged', async () => {
    const [file, other] = [await newInstallation(20), await newInstallation(20)];
    const url = await server.createDatabase();
    resultOf(await copy(other, url));
    change(file, "UPDATE clients SET name = 'secret' WHERE id = (SELECT min(id) FROM clients)");

    const refused = await copy(file, url);

    expect(refused).toMatchObject({ exitCode: 1, out: '' });
    expect(refused.err).toMatch(/^countersign: The target is neither empty .*: client [0-9a-f-]{36} differs$/m);
    expect(refused.err).not.toContain('secret');
    await expectEqualRows(other, url);
    expect((await runCommand(['client', 'list'], { DATABASE_URL: url })).exitCode).toBe(0);
  });

  test('names the row that the target cannot store, and the unfinished copy cannot be used', async () => {
    const file = await newInstallation(20);
    const url = await server.createDatabase();
    change(
      file,
      `UPDATE verifications SET metadata = '{"a":"secret \\u0000"}' WHERE id = (SELECT max(id) FROM verifications)`,
    );

    const refused = await copy(file, url);

    expect(refused.exitCode).toBe(1);
    expect(refused.err).toMatch(/^countersign: The target refuses verification [0-9a-f-]{36} \(22P05\)$/m);
    expect(refused.err).not.toContain('secret');
    expect((await runCommand(['client', 'list'], { DATABASE_URL: url })).exitCode).toBe(1);
  });

  test('refuses an unusable source or target in one line without passwords, and creates no database', async () => {
    const file = await newInstallation(1);
    const url = await server.createDatabase();
    const folder = temporaryFolder();
    const [missing, text] = [join(folder, 'none.db'), join(folder, 'text.db')];
    writeFileSync(text, 'x'.repeat(4_096));
    const outdated = await newInstallation(1);
    change(outdated, 'DELETE FROM countersign_migrations');
    const newer = await newInstallation(1);
    change(newer, "INSERT INTO countersign_migrations (hash, created_at) VALUES ('later', 9999999999999)");
    const password = 'hunter2';
    const cases: [from: string, to: string, exitCode: number, line: RegExp][] = [
      [`file:${file}`, `file:${file}`, 2, /--from and --to name the same database/],
      [url, url, 2, /--from and --to name the same database/],
      [`mysql://u:${password}@h/x`, url, 2, /--from is neither a file: nor a postgres: URL/],
      [`file:${file}`, `redis://u:${password}@h`, 2, /--to is neither/],
      [`file:${missing}`, url, 1, /There is no database at /],
      [`file:${text}`, url, 1, /is not a SQLite database/],
      [`file:${outdated}`, url, 1, /needs migrations/],
      [`file:${newer}`, url, 1, /newer version/],
      [`file:${file}`, `postgres://u:${password}@127.0.0.1:1/x`, 1, /Nothing answers at 127\.0\.0\.1:1/],
      [url, `file:${missing}`, 1, /older than this version needs/],
    ];
    for (const [from, to, exitCode, line] of cases) {
      const refused = await runCommand(['copy', '--from', from, '--to', to], {});
      expect({ exitCode: refused.exitCode, out: refused.out }, refused.err).toEqual({ exitCode, out: '' });
      expect(refused.err).toMatch(line);
      expect(refused.err).toMatch(/^countersign: [^\n]+\n$/);
      expect(refused.err).not.toContain(password);
    }
    expect(existsSync(missing)).toBe(false);
    const tables = await withDatabase(url, (sql) => sql`select 1 from pg_tables where schemaname = 'public'`);
    expect(tables).toHaveLength(0);
  });

  test('copies into the database of the settings, whose password is in a file', async () => {
    const file = await newInstallation(20);
    const url = await server.createDatabase();
    const secret = join(temporaryFolder(), 'database-url');
    writeFileSync(secret, `${url}\n`, { mode: 0o600 });
    const settings = { DATABASE_URL_FILE: secret };

    resultOf(await runCommand(['--json', 'copy', '--from', `file:${file}`], settings));
    await expectEqualRows(file, url);

    const same = await runCommand(['copy', '--from', url], settings);
    expect([same.exitCode, same.err]).toEqual([2, expect.stringContaining('name the same database')]);
    const neither = await runCommand(['copy'], settings);
    expect([neither.exitCode, neither.err]).toEqual([2, expect.stringContaining('--from or --to is missing')]);
  });

  test('copies staff, also when only staff are missing from the target', async () => {
    const file = await newInstallation(20);
    const url = await server.createDatabase();
    const staffOf = async (database: string) =>
      (await runCommand(['--json', 'user', 'list'], { DATABASE_URL: database })).out;
    for (const email of ['ann@example.com', 'bob@example.com']) {
      const create = ['user', 'create', '--email', email, '--role', 'reviewer'];
      expect((await runCommand(create, { DATABASE_URL: `file:${file}` })).exitCode).toBe(0);
    }
    expect(resultOf(await copy(file, url))).toMatchObject({ accounts: { rows: 2, written: 2 } });
    await withDatabase(url, (sql) => sql`delete from staff_users where email = 'bob@example.com'`);

    expect(resultOf(await copy(file, url))).toMatchObject({ accounts: { rows: 2, written: 1 } });

    expect(await staffOf(url)).toContain('bob@example.com');
    expect(await staffOf(url)).toBe(await staffOf(`file:${file}`));
  });

  test('copies an installation from Postgres to a SQLite file', async () => {
    const file = await newInstallation(1_500);
    const url = await server.createDatabase();
    const back = join(temporaryFolder(), 'back.db');
    resultOf(await copy(file, url));

    const { exitCode, out, err } = await runCommand(['copy', '--from', url, '--to', `file:${back}`], {});

    expect(exitCode, err).toBe(0);
    expect(out).toMatch(/^KIND +ROWS +WRITTEN NOW\n(?:.*\n)*verifications +1500 +1500\n(?:.*\n)*.* is equal to /);
    expect(err).toMatch(/comparing apiKeys: 98 of 98/);
    for (const table of TABLE_NAMES) expect(rowsInFile(back, table)).toEqual(rowsInFile(file, table));
  });
});

function copy(file: string, url: string): Promise<CommandResult> {
  return runCommand(['--json', 'copy', '--from', `file:${file}`, '--to', url], {});
}

function resultOf({ exitCode, out, err }: CommandResult): CopyResult {
  if (exitCode !== 0) throw new Error(`copy ended with ${exitCode}:\n${err}`);
  return JSON.parse(out) as CopyResult;
}
