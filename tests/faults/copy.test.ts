// Kills a copy of thousands of rows at many points.
import { setTimeout as pause } from 'node:timers/promises';
import type { CopyResult } from '@countersign/domain/storage';
import { createApiClient, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { expectEqualRows } from '@countersign/test-support/installation/all-rows';
import { givenApi } from '@countersign/test-support/installation/customer';
import { extent } from '@countersign/test-support/installation/extent';
import { newInstallation } from '@countersign/test-support/installation/installation';
import type { Finished, Running } from '@countersign/test-support/processes/child-process';
import { start } from '@countersign/test-support/processes/child-process';
import { countersignHere, runCountersignHere } from '@countersign/test-support/processes/command-line';
import { PROGRAM, startServer } from '@countersign/test-support/processes/server-process';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

const MANY = extent({ full: 100_000, short: 2_000 });
/** Several batches. */
const FEW = extent({ full: 3_000, short: 1_500 });

/**
 * The output after which a copy is killed, and the longest random delay before the kill. Each copy continues the previous
 * one; the short form runs the last five.
 */
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
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  it(`copies an installation of ${MANY} verifications, and continues after a kill`, {
    timeout: 600_000,
  }, async () => {
    const file = await newInstallation(MANY);
    const url = await server.createDatabase();
    const raw = connectionTo(url);

    const killed = copy(file, url);
    await untilCopied(raw, MANY * 0.2);
    killed.signal('SIGKILL');
    await killed.finished;

    expect(await rowCount(raw, 'verifications')).toBeLessThan(MANY);
    const refusals = [
      await countersign(['serve'], { DATABASE_URL: url }).finished,
      await runCountersignHere(['client', 'list'], { DATABASE_URL: url }),
      await runCountersignHere(['migrate'], { DATABASE_URL: url }),
    ];
    for (const refused of refusals) {
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/^countersign: The database holds an unfinished copy: [^\n]+\n$/);
    }

    const before = performance.now();
    const result = resultOf(await copy(file, url).finished);
    const seconds = (performance.now() - before) / 1_000;
    expect(result.verifications.rows).toBe(MANY);
    expect(result.verifications.written).toBeLessThanOrEqual(MANY * 0.8);
    await expectEqualRows(file, url);
    expect(await slotsAreRight(raw)).toBe(true);

    console.info(`copy of ${MANY} verifications: the rest after a kill took ${seconds.toFixed(1)} s`);
  });

  it('killed at many points and run again: the copy is equal', async () => {
    const file = await newInstallation(FEW);
    const url = await server.createDatabase();

    let kills = 0;
    for (const [says, laterMs] of KILLED_AT.slice(-extent({ full: 9, short: 3 }))) {
      const running = copy(file, url);
      // A copy that finished before its kill prints nothing more.
      await Promise.race([running.says(says), running.finished]);
      await pause(Math.random() * laterMs);
      running.signal('SIGKILL');
      if ((await running.finished).signal === 'SIGKILL') kills += 1;
    }
    resultOf(await copy(file, url).finished);

    // On a busy machine, some kills come too late.
    expect(kills).toBeGreaterThanOrEqual(extent({ full: 3, short: 1 }));
    await expectEqualRows(file, url);
    // A further run compares the finished copy and writes nothing.
    expect(resultOf(await copy(file, url).finished).verifications).toEqual({ rows: FEW, written: 0 });
  });

  it('a server starts from the copy: ids, links and keys work, and the usage continues', async () => {
    const first = await startServer();
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
    expect((await runCountersignHere(act, { DATABASE_URL: `file:${first.databaseFile}` })).code).toBe(0);
    resultOf(await copy(first.databaseFile, url).finished);
    expect(await countersignHere(['audit', 'verify'], { DATABASE_URL: url })).toMatchObject({
      outcome: 'intact',
      head: { sequence: 2 },
    });

    const env = { DATABASE_URL: url };
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
});

function countersign(args: readonly string[], env: Record<string, string> = {}): Running {
  return start(process.execPath, [PROGRAM, ...args], { env });
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

/** Checks that each active key has a slot and no revoked key has one, which enforces the limit of ten. */
async function slotsAreRight(raw: postgres.Sql): Promise<boolean> {
  const wrong = await raw`
    select 1 from api_keys where (revoked_at is null and (expires_at is null or expires_at > now()) and slot is null)
      or (revoked_at is not null and slot is not null)`;
  return wrong.length === 0;
}

/** Removes the server's port, which differs after the copy, from links. */
function withoutPort(data: Record<string, unknown> | undefined): unknown {
  return JSON.parse(JSON.stringify(data).replaceAll(/localhost:\d+/g, 'localhost'));
}
