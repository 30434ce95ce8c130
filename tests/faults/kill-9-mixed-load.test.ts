// Kills servers under mixed load, once for each kind of database: only a dead process shows what was acknowledged too early.
import { readdirSync, rmSync } from 'node:fs';
import { createApiClient } from '@countersign/test-support/api/api-client';
import { integrityOf, rowsOf } from '@countersign/test-support/installation/database-file';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { extent } from '@countersign/test-support/installation/extent';
import { startInstances } from '@countersign/test-support/installation/instances';
import { type LoadBalancer, startLoadBalancer } from '@countersign/test-support/installation/load-balancer';
import { givenClientOf, operate } from '@countersign/test-support/installation/operator';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import { storedFilesOf } from '@countersign/test-support/installation/stored-files';
import {
  type Acknowledged,
  faultsIn,
  nothingAcknowledged,
  type Query,
} from '@countersign/test-support/load/acknowledged';
import { createMixedLoad } from '@countersign/test-support/load/mixed-load';
import { card } from '@countersign/test-support/pages/pictures';
import { newMember } from '@countersign/test-support/pages/staff-forms';
import { countersign, runCountersign } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { describe, expect, it } from 'vitest';

const ROUNDS = extent({ full: 100, short: 1 });
const TIMEOUT_MS = extent({ full: 3_600_000, short: 240_000 });
const BACKUP_EVERY = 5;

/** The number of acknowledged changes of subjects and the reviewer after which a round is killed. */
const killAfter = (round: number) => 1 + (((round + 1) * 7) % 18);

/** A service that is killed and started again. */
interface Service {
  readonly balancer: LoadBalancer;
  readonly evidenceDir: string;
  readonly query: Query;
  running(): readonly ServerProcess[];
  /** Kills some of the servers. */
  kill(round: number): Promise<void>;
  /** Starts the killed servers again. */
  restart(): Promise<void>;
  /** Backs the service up, if it has a command for it. @returns faults of the backup */
  backUp?(): Promise<string[]>;
}

/** @returns what happened, for the report */
async function surviveKills(service: Service): Promise<string> {
  const { balancer, query } = service;
  const server = () => service.running()[0] as ServerProcess;
  // The pages are reached through the balancer, whose address stays.
  const place = { ...server(), port: Number(new URL(balancer.origin).port) };
  const { clientId, key } = await givenClientOf(server(), { plan: 'enterprise', monthlyLimit: 1_000_000 });
  const reviewer = await newMember(place, { role: 'reviewer', name: 'Rita' });
  const owner = await newMember(place, { role: 'client', clientId, teamRole: 'owner', name: 'Olga' });
  const picture = await card('Specimen');
  const acknowledged = nothingAcknowledged();
  const mixedLoad = createMixedLoad({ origin: balancer.origin, key, reviewer, owner, picture, acknowledged });
  const changes = () => {
    const { completedSteps, files, submitted, approved } = acknowledged;
    return sum(completedSteps) + sum(files) + submitted.size + approved.size;
  };
  let interrupted = 0;
  let backups = 0;

  for (let round = 0; round < ROUNDS; round++) {
    let isKilled = false;
    const load = mixedLoad.start((fault) => {
      // `fetch` throws a TypeError when there is no response. A wrong response is never expected.
      if (!isKilled && !(fault instanceof TypeError)) throw fault;
      interrupted++;
    });
    const before = changes();
    const filesBefore = new Map(acknowledged.files);
    await load.until(() => changes() - before >= killAfter(round));
    const backingUp = round % BACKUP_EVERY === 0 ? service.backUp?.() : undefined;
    isKilled = true;
    await service.kill(round);
    await load.stop();
    await service.restart();

    expect(await faultsIn(query, acknowledged), `round ${round}`).toEqual([]);
    await expectFilesKept(service, acknowledged, filesBefore);
    await expectKeysHold(balancer.origin, acknowledged);
    if (backingUp !== undefined) {
      backups++;
      expect(await backingUp, `the backup of round ${round}`).toEqual([]);
    }
  }
  await operate(server(), async ({ verifyAudit }) => {
    expect(await verifyAudit()).toMatchObject({ outcome: 'intact' });
  });
  expect(interrupted).toBeGreaterThan(ROUNDS);
  const { created, completedSteps, files, submitted, approved, keys, revoked } = acknowledged;
  return `${ROUNDS} kills, ${interrupted} requests interrupted, ${acknowledged.count()} changes acknowledged and kept: ${created.size} created, ${sum(completedSteps)} steps, ${sum(files)} files, ${submitted.size} submitted, ${approved.size} approved, ${keys.size} keys, ${revoked.size} revoked; ${backups} backups`;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

/** Expects each acknowledged file of this round to be named by its verification, and each named file to be stored. */
async function expectFilesKept(
  { evidenceDir, running }: Service,
  { files }: Acknowledged,
  before: ReadonlyMap<string, number>,
): Promise<void> {
  const [server] = running();
  if (server === undefined) throw new Error('no server runs');
  const stored = new Set(filesBelow(evidenceDir).map((file) => file.split('/').at(-1)));
  for (const [id, count] of files) {
    if (before.get(id) === count) continue;
    const named = await storedFilesOf(server, id);
    expect(named.length, `files of ${id}`).toBeGreaterThanOrEqual(count);
    expect(named.filter((file) => !stored.has(file.id))).toEqual([]);
  }
}

/** Expects the last issued key to work and the last revoked key to be refused. */
async function expectKeysHold(origin: string, { keys, revoked }: Acknowledged): Promise<void> {
  const statusOf = async (name: string) => {
    const { status, body } = await createApiClient(`${origin}/api/v1`, keys.get(name)).get();
    return `${status} ${body.code ?? ''}`.trim();
  };
  const active = [...keys.keys()].filter((name) => !revoked.has(name)).at(-1);
  if (active !== undefined) expect(await statusOf(active)).toBe('200');
  const gone = [...revoked].filter((name) => keys.has(name)).at(-1);
  if (gone !== undefined) expect(await statusOf(gone)).toBe('401 API_KEY_REVOKED');
}

describe('kill -9 under mixed load', () => {
  it(`SQLite keeps all acknowledged changes, each of them whole, ${ROUNDS} times`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const balancer = await startLoadBalancer();
    const env = { PUBLIC_BASE_URL: balancer.origin };
    let server = await startServer({ env });
    balancer.spreadOver([server]);
    const { dataDir, databaseFile } = server;
    const report = await surviveKills({
      balancer,
      evidenceDir: `${dataDir}/evidence`,
      query: async (sql) => rowsOf(databaseFile, sql),
      running: () => [server],
      kill: async () => void (await server.kill()),
      async restart() {
        expect(integrityOf(databaseFile)).toBe('ok');
        server = await startServer({ dataDir, env });
        balancer.spreadOver([server]);
        expect(readdirSync(`${dataDir}/uploads`)).toEqual([]);
      },
      async backUp() {
        const { env: ofServer } = server;
        const folder = `${temporaryFolder()}/backup`;
        await countersign(['backup', folder], ofServer);
        const { code, stderr } = await runCountersign(['restore', folder, '--check'], ofServer);
        rmSync(folder, { recursive: true });
        return code === 0 ? [] : [stderr];
      },
    });
    console.info(`kill -9 on SQLite: ${report}`);
  });
});

describeWith(['postgres'], 'kill -9 of one of two instances under mixed load', () => {
  it(`Postgres keeps all acknowledged changes, each of them whole, ${ROUNDS} times`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const postgres = await startPostgres({ fsync: false });
    const balancer = await startLoadBalancer();
    const evidenceDir = temporaryFolder();
    const url = await postgres.createDatabase();
    const instances = [
      ...(await startInstances(2, {
        DATABASE_URL: url,
        EVIDENCE_URL: `file://${evidenceDir}`,
        PUBLIC_BASE_URL: balancer.origin,
      })),
    ];
    balancer.spreadOver(instances);
    let killed = 0;
    const report = await surviveKills({
      balancer,
      evidenceDir,
      query: (sql) => withDatabase(url, (database) => database.unsafe(sql)),
      running: () => instances,
      async kill(round) {
        killed = round % instances.length;
        await instances[killed]?.kill();
      },
      async restart() {
        const { dataDir, env } = instances[killed] as ServerProcess;
        instances[killed] = await startServer({ dataDir, env });
        balancer.spreadOver(instances);
      },
    });
    await postgres.stop();
    console.info(`kill -9 on Postgres: ${report}`);
  });
});
