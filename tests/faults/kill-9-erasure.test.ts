// Kills servers while they erase, and waits until the next one has ended it.
import { join } from 'node:path';
import { WEBHOOK_TYPES } from '@countersign/domain/webhooks';
import { createFileEvidenceStore } from '@countersign/evidence';
import { createApiClient } from '@countersign/test-support/api/api-client';
import { integrityOf, tallyOf } from '@countersign/test-support/installation/database-file';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { extent } from '@countersign/test-support/installation/extent';
import { type GivenClient, givenClientOf } from '@countersign/test-support/installation/operator';
import { tallyIn } from '@countersign/test-support/installation/postgres-database';
import { rowsIn } from '@countersign/test-support/installation/rows-in';
import { givenEndpoints } from '@countersign/test-support/installation/webhook-endpoints';
import { startRecordingReceiver } from '@countersign/test-support/load/webhook-receivers';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  countBegun,
  countErased,
  countUnfinished,
  createOne,
  createWithdrawn,
  expectAllAgree,
  halfErased,
  passResumeTime,
} from './erased-rows.ts';

const KILLS = extent({ full: 20, short: 1 });
/** The kills that come before everything is erased. A server beside the killed one goes on, and ends a short test early. */
const LEAST_KILLS = extent({ full: KILLS, short: 1 });
const DUE = extent({ full: 10_000, short: 90 });
const OTHERS = 20;
/** Longer than any wait on a slow machine: each step ends with an event, not with the time. */
const WITHIN_MS = 500_000;
/** Verifications that one server erases at the same time: so many entries of the audit log can be repeated by a kill. */
const TOGETHER = 5;

interface Installation {
  readonly client: GivenClient;
  /** Settings of servers that erase at the same time what is withdrawn. */
  readonly env: Environment;
  readonly dataDir: string;
  readonly due: readonly string[];
  readonly evidence: string;
  readonly erasureLog: string;
}

/** Creates withdrawn verifications with files and delivered webhooks, and some others, and stops the server. */
async function givenDue(database: Environment): Promise<Installation> {
  const [evidence, erasureLog] = [join(temporaryFolder(), 'evidence'), join(temporaryFolder(), 'erasures')];
  const env = {
    ...database,
    SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
    EVIDENCE_URL: `file:${evidence}`,
    ERASURE_LOG_URL: `file:${erasureLog}`,
  };
  const server = await startServer({ env });
  const client = await givenClientOf(server, { monthlyLimit: 1_000_000 });
  const receiver = await startRecordingReceiver();
  await givenEndpoints(server, client.clientId, [receiver.url]);
  const api = createApiClient(server.baseUrl, client.key);
  const due = await createWithdrawn(api, DUE);
  const others: string[] = [];
  for (let n = 0; n < OTHERS; n += 1) others.push(await createOne(api, `other ${n}`));
  await until(() => receiver.webhooks.length >= 2 * DUE + OTHERS, { withinMs: WITHIN_MS });
  await server.stop();

  const store = createFileEvidenceStore({ directory: evidence });
  for (const verificationId of [...due, ...others]) {
    await store.put({ clientId: client.clientId, verificationId, fileId: 'file-1' }, Uint8Array.of(1, 2, 3));
  }
  return {
    client,
    env: { ...env, RETENTION_UNFINISHED: 'P0D' },
    dataDir: server.dataDir,
    due,
    evidence,
    erasureLog,
  };
}

/**
 * Kills servers while they erase, each when its share of all is erased. Then lets others finish, first what is untouched and after a
 * while what a killed server had begun.
 * @param start returns the server that is killed or watched next
 * @param stopOthers stops the servers beside the one that is watched
 */
async function eraseWithKills(
  start: () => Promise<ServerProcess>,
  stopOthers: () => Promise<unknown> = async () => undefined,
): Promise<ServerProcess> {
  const erasedAtKill: number[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const server = await start();
    const share = Math.ceil((kill * DUE) / (KILLS + 1));
    await until(async () => (await countErased(server)) >= share || (await countBegun(server)) === DUE, {
      withinMs: WITHIN_MS,
    });
    await server.kill();
    expect(await halfErased(server)).toEqual([]);
    erasedAtKill.push(await countErased(server));
    if ((await countBegun(server)) === DUE) break;
  }
  console.info(`kill -9 while data is erased: killed with ${erasedAtKill.join(', ')} of ${DUE} erased`);
  expect(erasedAtKill.filter((erased) => erased < DUE).length).toBeGreaterThanOrEqual(LEAST_KILLS);
  const next = await start();
  await until(async () => (await countBegun(next)) === DUE, { withinMs: WITHIN_MS });
  await Promise.all([next.stop(), stopOthers()]);
  await passResumeTime(next);
  const last = await start();
  await until(async () => (await countErased(last)) === DUE && (await countUnfinished(last)) === 0, {
    withinMs: WITHIN_MS,
  });
  await until(async () => (await rowsIn(last, WAITING)).length === 0, { withinMs: WITHIN_MS });
  return last;
}

const WAITING = `
  SELECT 1 FROM verification_events WHERE unsent IS NOT NULL
  UNION ALL SELECT 1 FROM webhook_deliveries WHERE state <> 'delivered'`;

async function expectErasedWhole(server: ServerProcess, { client, due, ...folders }: Installation): Promise<void> {
  const { repeatedLines } = await expectAllAgree(server, { erased: due, ...folders });
  expect(repeatedLines).toBeLessThanOrEqual(KILLS * TOGETHER);
  expect(filesBelow(folders.evidence).filter((file) => file.endsWith('file-1'))).toHaveLength(OTHERS);
  const deliveries = await rowsIn(
    server,
    `SELECT count(*) AS n FROM webhook_deliveries WHERE type = 'verification.data_erased'`,
  );
  expect([WEBHOOK_TYPES.includes('verification.data_erased'), Number(deliveries[0]?.n)]).toEqual([true, DUE]);
  const { DATABASE_URL: url } = server.env;
  const { clientId } = client;
  const rows = DUE + OTHERS;
  const tally = url === undefined ? tallyOf(server.databaseFile, clientId) : await tallyIn(url, clientId);
  expect(tally).toEqual({ rows, used: rows, counted: rows, created: rows, events: rows + 2 * DUE });
  expect(await countersignHere(['audit', 'verify'], server.env)).toMatchObject({ outcome: 'intact' });
}

it(`kill -9 while data is erased on SQLite: nothing is half erased, ${KILLS} times`, {
  timeout: 3_600_000,
}, async () => {
  const installation = await givenDue({});
  const { env, dataDir } = installation;
  const last = await eraseWithKills(() => startServer({ dataDir, env }));
  await expectErasedWhole(last, installation);
  expect(integrityOf(last.databaseFile)).toBe('ok');
});

describeWith(['postgres'], 'two instances that erase on one Postgres', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
  });
  afterAll(() => postgres.stop());

  it(`kill -9 of one while both erase: nothing is half erased, ${KILLS} times`, {
    timeout: 3_600_000,
  }, async () => {
    const installation = await givenDue({ DATABASE_URL: await postgres.createDatabase() });
    const { env } = installation;
    const running: ServerProcess[] = [];
    const last = await eraseWithKills(
      async () => {
        while (running.length < 2) running.push(await startServer({ env }));
        return running.shift() as ServerProcess;
      },
      () => Promise.all(running.splice(0).map((server) => server.stop())),
    );
    await expectErasedWhole(last, installation);
  });
});
