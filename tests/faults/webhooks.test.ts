// Kills senders of webhooks under load, on each kind of database.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { createApiClient, newSubject } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { type Instances, startInstances } from '@countersign/test-support/installation/instances';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import { givenEndpoints } from '@countersign/test-support/installation/webhook-endpoints';
import {
  type HealthyReceiver,
  startHealthyReceiver,
  startSlowReceiver,
} from '@countersign/test-support/load/webhook-receivers';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { describe, expect, it } from 'vitest';

const KILLS = extent({ full: 20, short: 1 });
/** Time between two kills. */
const SERVING_MS = extent({ full: 20_000, short: 1_500 });
const VERIFICATIONS_PER_SECOND = extent({ full: 50, short: 10 });
const TIMEOUT_MS = extent({ full: 1_800_000, short: 240_000 });
/** Longer than a receiver may be slow, and shorter than the first retry. */
const SLOW_MS = 2_000;
/** The metric counts no further. */
const BACKLOG_MAX = 10_000;
/** Nothing listens there. */
const DEAD = 'http://127.0.0.1:1/hooks';

/** A database that the test reads beside the servers. */
interface Reader {
  isCommitted(eventId: string): boolean | Promise<boolean>;
  eventIds(): Promise<readonly string[]>;
  waiting(): Promise<number>;
}

const EVENT = 'SELECT id FROM verification_events WHERE id = ';
const EVENTS = 'SELECT id FROM verification_events';
const WAITING = "SELECT count(*) AS count FROM webhook_deliveries WHERE state = 'waiting'";

/** Opens the file for each read: after a kill, the next server repairs it. */
function rowsIn(
  file: string,
  query: string,
  ...values: string[]
): { readonly id?: unknown; readonly count?: unknown }[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(query).all(...values);
  } finally {
    database.close();
  }
}

/** Creates and withdraws verifications at a steady rate, on the servers in turn, also while one of them is down. */
function changeSteadily(servers: ServerProcess[], key: string): { stop(): Promise<void> } {
  let isOver = false;
  const open = new Set<Promise<void>>();

  async function change(index: number): Promise<void> {
    const server = servers[index % servers.length] as ServerProcess;
    const api = createApiClient(server.baseUrl, key);
    const { body } = await api.post(newSubject(`person ${index}`));
    await api.request(`/verifications/${String(body.data?.id)}/withdraw`, { method: 'POST' });
  }

  async function run(): Promise<void> {
    for (let index = 0; !isOver; index++) {
      // A killed server answers nothing; what it committed is in the database.
      const one = change(index).catch(() => undefined);
      open.add(one);
      one.finally(() => open.delete(one)).catch(() => undefined);
      await pause(1_000 / VERIFICATIONS_PER_SECOND);
    }
    await Promise.all(open);
  }

  const running = run();
  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}

async function killInTurn(servers: ServerProcess[]): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(SERVING_MS);
    const place = kill % servers.length;
    const old = servers[place] as ServerProcess;
    await old.kill();
    servers[place] = await startServer({ dataDir: old.dataDir, env: old.env });
  }
}

/** Kills servers under load, and expects what webhooks promise. */
async function expectPromisesKept(
  instances: Instances,
  reader: Reader,
  metricsPorts: readonly number[],
): Promise<void> {
  const servers = [...instances];
  const { clientId, key } = await givenClientOf(instances[0], { monthlyLimit: 1_000_000 });
  const healthy = await startHealthyReceiver(reader.isCommitted);
  await givenEndpoints(instances[0], clientId, [healthy.url, DEAD, await startSlowReceiver(SLOW_MS)]);
  const load = changeSteadily(servers, key);
  await killInTurn(servers);
  await load.stop();

  const events = await reader.eventIds();
  await until(() => healthy.arrivals.size >= events.length, { withinMs: TIMEOUT_MS });
  expect([...healthy.arrivals.keys()].toSorted()).toEqual(events.toSorted());
  expect(healthy.tooEarly).toEqual([]);
  expect(outOfOrder(healthy)).toEqual([]);
  // The slow receiver goes on meanwhile, so the figure must be one that was true while it was read.
  for (const port of metricsPorts) {
    await until(async () => {
      const before = Math.min(await reader.waiting(), BACKLOG_MAX);
      const shown = await backlogAt(port);
      return Math.min(await reader.waiting(), BACKLOG_MAX) <= shown && shown <= before;
    });
  }
  const delays = [...healthy.arrivals.values()].map(({ delayMs }) => delayMs).toSorted((a, b) => a - b);
  const delayAt = (part: number) => Math.round(delays[Math.floor((delays.length - 1) * part)] ?? 0);
  console.info(
    `webhooks: ${KILLS} kills, ${events.length} events, ${healthy.repeated()} repeated, delay p50 ${delayAt(0.5)} ms, p95 ${delayAt(0.95)} ms, p99 ${delayAt(0.99)} ms`,
  );
}

/** The webhooks that first arrived after a later one of their verification. */
function outOfOrder({ arrivals }: HealthyReceiver): string[] {
  const last = new Map<string, number>();
  return [...arrivals.values()].flatMap(({ eventId, verificationId, sequence }) => {
    const isLate = sequence < (last.get(verificationId) ?? 0);
    last.set(verificationId, Math.max(sequence, last.get(verificationId) ?? 0));
    return isLate ? [eventId] : [];
  });
}

async function backlogAt(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^countersign_webhook_backlog (\d+)$/m.exec(text)?.[1]);
}

describe('kill -9 under load: each committed event reaches a healthy receiver, after its commit and in order', () => {
  it(`one process on SQLite, ${KILLS} times`, { timeout: TIMEOUT_MS }, async () => {
    const metricsPort = await freePort();
    const SECRET_KEYS = Buffer.alloc(32, 7).toString('base64');
    const server = await startServer({
      env: { SECRET_KEYS, METRICS_PORT: String(metricsPort) },
    });
    const file = server.databaseFile;
    await expectPromisesKept(
      [server],
      {
        isCommitted: (eventId) => rowsIn(file, `${EVENT}?`, eventId).length > 0,
        eventIds: async () => rowsIn(file, EVENTS).map(({ id }) => String(id)),
        waiting: async () => Number(rowsIn(file, WAITING)[0]?.count),
      },
      [metricsPort],
    );
  });

  describeWith(['postgres'], 'with Postgres', () => {
    it(`two processes, ${KILLS} times`, { timeout: TIMEOUT_MS }, async () => {
      const postgres = await startPostgres({ fsync: false });
      const url = await postgres.createDatabase();
      const instances = await startInstances(2, { DATABASE_URL: url });
      await withDatabase(url, async (sql) => {
        await expectPromisesKept(
          instances,
          {
            isCommitted: async (eventId) => (await sql.unsafe(`${EVENT}$1`, [eventId])).length > 0,
            eventIds: async () => (await sql.unsafe<{ id: string }[]>(EVENTS)).map(({ id }) => id),
            waiting: async () => Number((await sql.unsafe<{ count: string }[]>(WAITING))[0]?.count),
          },
          [],
        );
      });
      await postgres.stop();
    });
  });
});
