// Starts a program for each setting that is refused.
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { runCountersign, runCountersignHere } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWith(['postgres'], 'commands refuse in one line without passwords', () => {
  let postgres: PostgresServer;
  let url: string;
  beforeAll(async () => {
    // Its own server, because the server of TEST_POSTGRES_URL may not require passwords.
    postgres = await startPostgres({ own: true });
    url = await postgres.createDatabase();
  });
  afterAll(() => postgres.stop());

  const changed = (change: (parsed: URL) => void): string => {
    const parsed = new URL(url);
    change(parsed);
    return parsed.href;
  };

  /** Expects each command to exit with one line without passwords. @returns their common exit code */
  async function expectRefused(env: Environment, pattern: RegExp, commands = ['serve']): Promise<number | null> {
    const place = { DATA_DIR: temporaryFolder(), PORT: String(await freePort()), ...env };
    const ends = await Promise.all(commands.map((command) => runCountersign(command.split(' '), place)));
    for (const { stdout, stderr, signal } of ends) {
      expect({ stdout, signal }).toEqual({ stdout: '', signal: null });
      expect(stderr).toMatch(/^countersign: [^\n]+\n$/);
      expect(stderr).toMatch(pattern);
      expect(stderr).not.toMatch(/hunter2|not-a-secret/);
    }
    const [code = null, ...others] = new Set(ends.map((end) => end.code));
    expect(others).toEqual([]);
    return code;
  }

  const EVERY = ['serve', 'client list', 'migrate --wait 0'];

  // The tests of `readServerSettings` have the other invalid URLs.
  it('when the database URL is invalid', async () => {
    const wrong = 'postgres://user:hunter2@localhost:x/x';
    expect(await expectRefused({ DATABASE_URL: wrong }, /DATABASE_URL /)).toBe(78);
  });

  it('when the server cannot be reached', async () => {
    const port = await freePort();
    const nowhere = changed((parsed) => (parsed.port = String(port)));
    expect(await expectRefused({ DATABASE_URL: nowhere }, /Nothing answers at 127\.0\.0\.1:/, EVERY)).toBe(1);
  });

  it('when the password is wrong', async () => {
    const wrong = changed((parsed) => (parsed.password = 'hunter2'));
    expect(await expectRefused({ DATABASE_URL: wrong }, /does not let in user countersign/, EVERY)).toBe(1);
  });

  it('when the user is unknown', async () => {
    const unknown = changed((parsed) => (parsed.username = 'nobody'));
    expect(await expectRefused({ DATABASE_URL: unknown }, /does not let in user nobody/)).toBe(1);
  });

  it('when the database does not exist', async () => {
    const missing = changed((parsed) => (parsed.pathname = '/nowhere'));
    expect(
      await expectRefused({ DATABASE_URL: missing }, /There is no database nowhere at .*: create it/, EVERY),
    ).toBe(1);
  });

  it('when only DATABASE_DIRECT_URL is wrong', async () => {
    const broken = { DATABASE_URL: url, DATABASE_DIRECT_URL: 'postgres://user:hunter2@localhost:x/x' };
    expect(await expectRefused(broken, /DATABASE_DIRECT_URL /)).toBe(78);
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      DATABASE_DIRECT_URL: changed((parsed) => (parsed.password = 'hunter2')),
    };
    expect(await expectRefused(env, /does not let in user countersign/)).toBe(1);
  });

  it('when MIGRATE is off and the schema is missing, until migrate has run', async () => {
    const empty = await postgres.createDatabase();
    const env = { DATABASE_URL: empty, MIGRATE: 'off' };

    expect(
      await expectRefused(env, /The schema of database \w+ is older .*: migrate it first/, EVERY.slice(0, 2)),
    ).toBe(1);

    const tables = () =>
      withDatabase(empty, (sql) => sql`select relname from pg_class where relnamespace = 'public'::regnamespace`);
    expect(await tables()).toHaveLength(0);
    // With MIGRATE off, an operator runs the command.
    expect((await runCountersignHere(['migrate'], { DATABASE_URL: empty })).code).toBe(0);
    const server = await startServer({ env });
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});
