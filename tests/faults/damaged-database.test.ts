// Damages databases of killed and of running servers, and starts each again.
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApiClient, newSubject } from '@countersign/test-support/api/api-client';
import { overwritePageOf, rowsOf } from '@countersign/test-support/installation/database-file';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { newStaff, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { countersignHere, runCountersignHere } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, it } from 'vitest';

type Installation = Pick<ServerProcess, 'dataDir' | 'databaseFile' | 'env'>;

/** Data of a server, with a client's key, a reviewer and one verification. */
interface Given {
  readonly dataDir: string;
  readonly key: string;
  readonly reviewer: Pick<StaffForms, 'email' | 'password'>;
}

/** A table that no request of this test reads or writes. */
const UNUSED_TABLE = 'staff_sessions';

/** An index that no background job reads: the server becomes ready, and the first creation meets the damage. */
const ONLY_WRITTEN = 'verifications_one_active';

/** What `doctor` says, too. */
const DAMAGED = /The database .* is damaged, restore it from a backup with `countersign restore`: /;

let killed: Promise<Given> | undefined;
let stopped: Promise<Given> | undefined;

/** Starts and kills one server. @returns a copy of its data for each test */
async function givenKilledServer(): Promise<Given & Installation> {
  killed ??= killedServer();
  return copyOf(await killed);
}

/** Starts and stops a server on the data of the killed one. @returns a copy of its data for each test */
async function givenStoppedServer(): Promise<Given & Installation> {
  stopped ??= givenKilledServer().then(async (given) => {
    await (await restart(given)).stop();
    return given;
  });
  return copyOf(await stopped);
}

function copyOf(given: Given): Given & Installation {
  const dataDir = temporaryFolder();
  cpSync(given.dataDir, dataDir, { recursive: true });
  return { ...given, dataDir, databaseFile: join(dataDir, 'countersign.db'), env: { DATA_DIR: dataDir } };
}

async function killedServer(): Promise<Given> {
  const first = await startServer();
  const { key } = await givenClientOf(first);
  const reviewer = await newStaff(first, 'reviewer');
  // A clean stop moves the whole database from its log into its file.
  await first.stop();
  const server = await restart(first);
  expect((await createApiClient(server.baseUrl, key).post(newSubject('user_1'))).status).toBe(201);
  await server.kill();
  return { dataDir: server.dataDir, key, reviewer };
}

const restart = ({ dataDir }: Pick<Installation, 'dataDir'>, env = {}) => startServer({ dataDir, env });

describe('a server that was killed, and whose database was then damaged', () => {
  it.each(['on', 'off'])('refuses to start again with MIGRATE=%s, also a second time', async (MIGRATE) => {
    const killed = await givenKilledServer();
    overwritePageOf(killed.databaseFile, UNUSED_TABLE);

    await expect(restart(killed, { MIGRATE })).rejects.toThrow(DAMAGED);
    await expect(restart(killed, { MIGRATE })).rejects.toThrow(DAMAGED);
  });

  it('refuses to start again after commands have opened the database', async () => {
    const killed = await givenKilledServer();
    await countersignHere(['client', 'list'], killed.env);
    const doctor = await runCountersignHere(['doctor'], killed.env);
    expect(doctor.stdout).toContain('The last server did not stop cleanly');
    expect(readdirSync(killed.dataDir)).not.toContain('countersign.db-wal');
    overwritePageOf(killed.databaseFile, UNUSED_TABLE);

    await expect(restart(killed)).rejects.toThrow(DAMAGED);
  });
});

it('a killed server whose database is sound starts again', async () => {
  const killed = await givenKilledServer();

  const second = await restart(killed);
  await second.stop();

  const doctor = await runCountersignHere(['doctor'], killed.env);
  expect(doctor.stdout).not.toContain('did not stop cleanly');
});

describe('a database that was damaged after a clean stop', () => {
  it.each(['clients', 'erasures_number', 'sqlite_autoindex_staff_migrations_1'])(
    'a database that was damaged after a clean stop in a page of %s, which the start reads: the server refuses to start and says what to do',
    async (name) => {
      const data = await givenStoppedServer();
      overwritePageOf(data.databaseFile, name);

      await expect(restart(data)).rejects.toThrow(DAMAGED);
    },
  );

  it('a database that was damaged after a clean stop in a page that nothing reads: the server finds it after the start, stops writes, and does not start again', async () => {
    const data = await givenStoppedServer();
    overwritePageOf(data.databaseFile, UNUSED_TABLE);
    const METRICS_PORT = String(await freePort());
    const server = await restart(data, { METRICS_PORT });

    await server.says(/"reason":"staff_sessions: [^"]+","msg":"the database is damaged: .*`countersign restore`"/);

    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
    const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    expect(metrics).toMatch(/^countersign_database_damaged 1$/m);
    await server.stop();
    await expect(restart(data)).rejects.toThrow(DAMAGED);
  });
});

describe('a damaged page that a request meets', () => {
  /** A server with a client's key and a reviewer, whose database was damaged after the check that follows the start. */
  async function givenDamaged(name: string) {
    const { key, reviewer, ...data } = await givenStoppedServer();
    const { email, password } = reviewer;
    const server = await restart(data);
    await server.says(/"msg":"checked the database"/);
    overwritePageOf(server.databaseFile, name);
    // Cookies are bound to the name in PUBLIC_BASE_URL.
    const origin = `http://localhost:${server.port}`;
    const status = async (path: string, init?: RequestInit) => (await fetch(`${origin}${path}`, init)).status;
    return {
      ready: () => status('/readyz'),
      create: async () => (await createApiClient(server.baseUrl, key).post(newSubject('user_2'))).status,
      signIn: () =>
        status('/account/sign-in', {
          method: 'POST',
          redirect: 'manual',
          headers: { Origin: origin },
          body: new URLSearchParams({ email, password }),
        }),
      sessions: () => rowsOf(server.databaseFile, 'SELECT token FROM staff_sessions').length,
      verifications: () => rowsOf(server.databaseFile, 'SELECT id FROM verifications').length,
      server,
    };
  }

  it('a request that meets a damaged page of sessions: /readyz answers 503, and no verification is created any more', async () => {
    const { ready, create, signIn, verifications, server } = await givenDamaged('staff_sessions');
    const before = verifications();
    expect(await ready()).toBe(200);

    expect(await signIn()).toBe(503);

    expect(await ready()).toBe(503);
    expect(await create()).toBe(503);
    expect(verifications()).toBe(before);
    await server.stop();
    await expect(restart(server)).rejects.toThrow(DAMAGED);
  });

  it('a request that meets a damaged page of verifications: /readyz answers 503, and sign-in creates no session', async () => {
    const { ready, create, signIn, sessions, server } = await givenDamaged(ONLY_WRITTEN);
    const before = sessions();

    expect(await create()).toBe(503);

    expect(await ready()).toBe(503);
    expect(await signIn()).toBe(503);
    expect(sessions()).toBe(before);
    await server.stop();
  });
});
