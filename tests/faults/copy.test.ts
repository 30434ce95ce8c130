import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CopyResult } from '@countersign/domain';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { createApiClient, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { rowsInFile, rowsInPostgres, TABLE_NAMES } from '@countersign/test-support/installation/all-rows';
import { givenApi } from '@countersign/test-support/installation/customer';
import { change } from '@countersign/test-support/installation/database-file';
import { extent } from '@countersign/test-support/installation/extent';
import { fillInstallation } from '@countersign/test-support/installation/installation';
import type { Finished, Running } from '@countersign/test-support/processes/child-process';
import { start } from '@countersign/test-support/processes/child-process';
import { NO_RATE_LIMITS, PROGRAM, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

const MANY = extent({ full: 100_000, short: 8_000 });
const FEW = 3_000;

/** What a copy says that is killed then, or up to so many milliseconds later. In this order: each goes on from the one before. */
const KILLED_AT: readonly [says: RegExp, laterMs: number][] = [
  [/^copying clients: /m, 0],
  [/^copying usage: /m, 200],
  [/^reading events: /m, 0],
  [/^copying usage: /m, 100],
  [/^copying verifications: /m, 0],
  [/^copying verifications: /m, 200],
  [/^copying events: /m, 0],
  [/^comparing clients: /m, 100],
  [/^comparing apiKeys: /m, 50],
];

describeWith(['postgres'], 'countersign copy', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it(`copies ${MANY} verifications and all around them, and goes on after a kill on the way`, {
    timeout: 600_000,
  }, async () => {
    const file = await givenInstallation(MANY);
    const url = await server.createDatabase();
    const raw = connectionTo(url);

    const killed = copy(file, url);
    await untilCopied(raw, MANY * 0.2);
    killed.signal('SIGKILL');
    await killed.finished;

    expect(await rowCount(raw, 'verifications')).toBeLessThan(MANY);
    for (const command of [['serve'], ['client', 'list'], ['migrate']]) {
      const refused = await countersign(command, { DATABASE_URL: url }).finished;
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/^countersign: The database holds an unfinished copy: [^\n]+\n$/);
    }

    const before = performance.now();
    const result = resultOf(await copy(file, url).finished);
    const seconds = (performance.now() - before) / 1_000;
    expect(result.verifications.rows).toBe(MANY);
    expect(result.verifications.written).toBeLessThanOrEqual(MANY * 0.8);
    await expectEqual(file, url);
    expect(await slotsAreRight(raw)).toBe(true);

    console.info(`copy of ${MANY} verifications: the rest after a kill took ${seconds.toFixed(1)} s`);
  });

  it('killed again and again, wherever it is, ends in an equal copy', async () => {
    const file = await givenInstallation(FEW);
    const url = await server.createDatabase();

    let kills = 0;
    for (const [says, laterMs] of KILLED_AT) {
      const running = copy(file, url);
      // One that was killed too late was finished, and there is nothing to say any more.
      await Promise.race([running.says(says), running.finished]);
      await pause(Math.random() * laterMs);
      running.signal('SIGKILL');
      if ((await running.finished).signal === 'SIGKILL') kills += 1;
    }
    resultOf(await copy(file, url).finished);

    // Not each is hit, where this process gets its turn too late.
    expect(kills).toBeGreaterThanOrEqual(3);
    await expectEqual(file, url);
    // A finished copy is compared and left alone.
    expect(resultOf(await copy(file, url).finished).verifications).toEqual({ rows: FEW, written: 0 });
  });

  it('a server goes on from the copy: the same ids, links and keys, and it counts on', async () => {
    const first = await startServer({ env: NO_RATE_LIMITS });
    const { api, clientId, key } = await givenApi(first, { monthlyLimit: 3 });
    const id = idOf(await api.post(newSubject('the first')));
    const link = await api.get(`/verifications/${id}`);
    idOf(await api.post(newSubject('the second'), { 'Idempotency-Key': 'order 2' }));
    const url = await server.createDatabase();

    const served = await copy(first.databaseFile, url).finished;
    expect(served).toMatchObject({ code: 1, stdout: '' });
    expect(served.stderr).toMatch(/^countersign: A server serves the database .*: stop it first\n$/);
    await first.stop();
    const act = ['client', 'create', '--name', 'Another', '--plan', 'none'];
    expect((await countersign(act, { DATABASE_URL: `file:${first.databaseFile}` }).finished).code).toBe(0);
    resultOf(await copy(first.databaseFile, url).finished);
    const log = await countersign(['--json', 'audit', 'verify'], { DATABASE_URL: url }).finished;
    expect(JSON.parse(log.stdout)).toMatchObject({ outcome: 'intact', head: { sequence: 2 } });

    const env = { ...NO_RATE_LIMITS, DATABASE_URL: url };
    const next = createApiClient((await startServer({ dataDir: first.dataDir, env })).baseUrl, key);
    expect(withoutPort((await next.get(`/verifications/${id}`)).body.data)).toEqual(withoutPort(link.body.data));
    expect((await next.post(newSubject('the first'))).status).toBe(409);
    const again = await next.post(newSubject('the second'), { 'Idempotency-Key': 'order 2' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect((await next.post(newSubject('the third'))).status).toBe(201);
    expect((await next.post(newSubject('one too many'))).body.code).toBe('LIMIT_EXCEEDED');
    const [used] = await connectionTo(url)`select used from usage where client_id = ${clientId}`;
    expect(used).toEqual({ used: 3 });
  });

  it('a target that is no copy of the source is left as it is', async () => {
    const [file, other] = [await givenInstallation(20), await givenInstallation(20)];
    const url = await server.createDatabase();
    resultOf(await copy(other, url).finished);
    change(file, "UPDATE clients SET name = 'secret' WHERE id = (SELECT min(id) FROM clients)");

    const refused = await copy(file, url).finished;

    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^countersign: The target is neither empty .*: client [0-9a-f-]{36} differs$/m);
    expect(refused.stderr).not.toContain('secret');
    await expectEqual(other, url);
    expect((await countersign(['client', 'list'], { DATABASE_URL: url }).finished).code).toBe(0);
  });

  it('a value that the target cannot hold is told by its key, and nothing of the copy is served', async () => {
    const file = await givenInstallation(20);
    const url = await server.createDatabase();
    change(
      file,
      `UPDATE verifications SET metadata = '{"a":"secret \\u0000"}' WHERE id = (SELECT max(id) FROM verifications)`,
    );

    const refused = await copy(file, url).finished;

    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^countersign: The target refuses verification [0-9a-f-]{36} \(22P05\)$/m);
    expect(refused.stderr).not.toContain('secret');
    expect((await countersign(['client', 'list'], { DATABASE_URL: url }).finished).code).toBe(1);
  });

  it('bad places get one line, and nothing is made', async () => {
    const file = await givenInstallation(1);
    const url = await server.createDatabase();
    const folder = temporaryFolder();
    const [missing, text] = [join(folder, 'none.db'), join(folder, 'text.db')];
    writeFileSync(text, 'x'.repeat(4_096));
    const outdated = await givenInstallation(1);
    change(outdated, 'DELETE FROM countersign_migrations');
    const newer = await givenInstallation(1);
    change(newer, "INSERT INTO countersign_migrations (hash, created_at) VALUES ('later', 9999999999999)");
    const password = 'hunter2';
    const cases: [from: string, to: string, code: number, line: RegExp][] = [
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
    for (const [from, to, code, line] of cases) {
      const refused = await countersign(['copy', '--from', from, '--to', to]).finished;
      expect({ code: refused.code, stdout: refused.stdout }, refused.stderr).toEqual({ code, stdout: '' });
      expect(refused.stderr).toMatch(line);
      expect(refused.stderr).toMatch(/^countersign: [^\n]+\n$/);
      expect(refused.output).not.toContain(password);
    }
    expect(existsSync(missing)).toBe(false);
    const tables = await connectionTo(url)`select 1 from pg_tables where schemaname = 'public'`;
    expect(tables).toHaveLength(0);
  });

  it('takes staff along, and goes on where just they are missing', async () => {
    const file = await givenInstallation(20);
    const url = await server.createDatabase();
    const create = (email: string, database: string) =>
      countersign(['user', 'create', '--email', email, '--role', 'reviewer'], { DATABASE_URL: database }).finished;
    const staffOf = async (database: string) =>
      (await countersign(['--json', 'user', 'list'], { DATABASE_URL: database }).finished).stdout;
    for (const email of ['ann@example.com', 'bob@example.com']) {
      expect((await create(email, `file:${file}`)).code).toBe(0);
    }
    expect(resultOf(await copy(file, url).finished)).toMatchObject({ accounts: { rows: 2, written: 2 } });
    await connectionTo(url)`delete from staff_users where email = 'bob@example.com'`;

    expect(resultOf(await copy(file, url).finished)).toMatchObject({ accounts: { rows: 2, written: 1 } });

    expect(await staffOf(url)).toContain('bob@example.com');
    expect(await staffOf(url)).toBe(await staffOf(`file:${file}`));
  });

  it('goes the other way too', async () => {
    const file = await givenInstallation(FEW);
    const url = await server.createDatabase();
    const back = join(temporaryFolder(), 'back.db');
    resultOf(await copy(file, url).finished);

    const { code, stdout, stderr } = await countersign(['copy', '--from', url, '--to', `file:${back}`]).finished;

    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /^KIND +ROWS +WRITTEN NOW\n(?:.*\n)*verifications +3000 +3000\n(?:.*\n)*.* is equal to /,
    );
    expect(stderr).toMatch(/^comparing apiKeys: 98 of 98$/m);
    for (const table of TABLE_NAMES) expect(rowsInFile(back, table)).toEqual(rowsInFile(file, table));
    rmSync(back);
  });
});

async function givenInstallation(verifications: number): Promise<string> {
  const file = join(temporaryFolder(), 'countersign.db');
  await (await createSqliteStorage({ file })).close();
  fillInstallation(file, { verifications });
  return file;
}

function countersign(
  args: readonly string[],
  env: Record<string, string> = {},
): Running & { finished: Promise<Finished & { output: string }> } {
  const running = start(process.execPath, [PROGRAM, ...args], { env });
  const finished = running.finished.then((end) => ({ ...end, output: end.stdout + end.stderr }));
  return { ...running, finished };
}

function copy(file: string, url: string): Running {
  return countersign(['--json', 'copy', '--from', `file:${file}`, '--to', url]);
}

function resultOf({ code, stdout, stderr }: Finished): CopyResult {
  if (code !== 0) throw new Error(`copy ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as CopyResult;
}

function connectionTo(url: string): postgres.Sql {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

async function rowCount(raw: postgres.Sql, table: string): Promise<number> {
  const [found] = await raw`select to_regclass(${table}) is not null as is`;
  if (found?.is !== true) return 0;
  const [row] = await raw.unsafe(`select count(*)::int as rows from ${table}`);
  return Number(row?.rows);
}

async function untilCopied(raw: postgres.Sql, rows: number): Promise<void> {
  while ((await rowCount(raw, 'verifications')) < rows) await pause(20);
}

async function expectEqual(file: string, url: string): Promise<void> {
  for (const table of TABLE_NAMES) {
    const [expected, copied] = [rowsInFile(file, table), await rowsInPostgres(url, table)];
    expect(copied.length, table).toBe(expected.length);
    // One comparison of texts: a hundred thousand rows would take the matcher minutes.
    expect(copied.find((row, index) => row !== expected[index])).toBeUndefined();
  }
}

/** Every key that works holds a slot, no revoked one does, and so ten can be issued and no more. */
async function slotsAreRight(raw: postgres.Sql): Promise<boolean> {
  const wrong = await raw`
    select 1 from api_keys where (revoked_at is null and (expires_at is null or expires_at > now()) and slot is null)
      or (revoked_at is not null and slot is not null)`;
  return wrong.length === 0;
}

/** The address of a link begins with that of the server, which is another one now. */
function withoutPort(data: Record<string, unknown> | undefined): unknown {
  return JSON.parse(JSON.stringify(data).replaceAll(/localhost:\d+/g, 'localhost'));
}
