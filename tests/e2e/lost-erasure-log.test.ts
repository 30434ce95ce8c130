// Starts servers and commands while their log is away.
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { dataOf, idOf } from '@countersign/test-support/api/api-client';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { rowsOf } from '@countersign/test-support/installation/database-file';
import type { Environment } from '@countersign/test-support/processes/child-process';
import {
  countersignHere,
  runCountersign,
  runCountersignHere,
} from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, expect, it } from 'vitest';

const env = { SECRET_KEYS: Buffer.alloc(32, 7).toString('base64') };

let server: ServerProcess;
let client: GivenApi;
/** The default place of the log. */
let log: string;

beforeAll(async () => {
  server = await startServer({ env });
  client = await givenApi(server);
  log = join(server.dataDir, 'erasures');
});

const MISSING = 'The erasure log of the database is missing';

const erase = async (id: string) =>
  client.api.request(`/verifications/${id}/data?withdraw=true`, { method: 'DELETE' });

async function create(reference: string): Promise<string> {
  return idOf(await client.api.post({ subjectType: 'kyc', subjectReference: reference }));
}

async function expectRefusedStart(place: Environment = {}): Promise<void> {
  const { code, stderr } = await runCountersign(['serve'], {
    ...server.env,
    ...place,
    PORT: String(await freePort()),
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`so nothing is served. ${MISSING}`)]);
  expect(stderr).toContain('run countersign doctor --complete-erasure-log');
}

it('a log that is unmounted while a server runs gets no entry: 503 until it is back', async () => {
  expect(dataOf(await erase(await create('first')))).toMatchObject({ state: 'erased' });
  const id = await create('second');

  renameSync(log, `${log}-away`);
  expect((await erase(id)).status).toBe(503);
  const begun = `SELECT erased_at, subject_reference FROM verifications WHERE id = '${id}'`;
  expect(rowsOf(server.databaseFile, begun)).toEqual([{ erased_at: null, subject_reference: 'second' }]);
  expect(existsSync(log)).toBe(false);

  renameSync(`${log}-away`, log);
  expect(dataOf(await erase(id))).toMatchObject({ state: 'erased' });
});

it('serve, doctor and restore refuse a lost log, and --complete-erasure-log rebuilds it', async () => {
  const backup = join(temporaryFolder(), 'backup');
  await countersignHere(['backup', backup], server.env);
  await server.stop();
  const elsewhere = { ...server.env, DATA_DIR: temporaryFolder() };

  const refused = await runCountersignHere(['restore', backup], elsewhere);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`Nothing was restored: ${MISSING}`)]);
  expect(existsSync(join(elsewhere.DATA_DIR, 'countersign.db'))).toBe(false);
  expect(await countersignHere(['restore', '--complete-erasure-log', backup], elsewhere)).toMatchObject({
    warnings: [expect.stringContaining('The erasure log is rebuilt')],
  });
  const restored = await startServer({ dataDir: elsewhere.DATA_DIR, env });
  await restored.stop();

  renameSync(log, `${log}-lost`);
  await expectRefusedStart();
  const doctor = await runCountersignHere(['doctor'], server.env);
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(MISSING)]);
  expect(existsSync(log)).toBe(false);
  expect((await runCountersignHere(['doctor', '--complete-erasure-log'], server.env)).code).toBe(0);
  const again = await startServer({ dataDir: server.dataDir, env });
  await again.stop();
});

it('a copy of DATA_DIR without erasures/ is served with the present log, and on another machine with a copy of it', async () => {
  const { dataDir } = server;
  const copied = temporaryFolder();
  const withoutLog = { recursive: true, filter: (path: string) => basename(path) !== 'erasures' };
  cpSync(dataDir, copied, withoutLog);
  for (const name of readdirSync(dataDir))
    if (name !== 'erasures') rmSync(join(dataDir, name), { recursive: true });
  cpSync(copied, dataDir, withoutLog);
  const present = await startServer({ dataDir, env });
  await present.stop();

  await expectRefusedStart({ DATA_DIR: copied });
  cpSync(log, join(copied, 'erasures'), { recursive: true });
  const moved = await startServer({ dataDir: copied, env });
  await moved.stop();
});

it('the log of another installation is refused, also by --complete-erasure-log', async () => {
  const other = await startServer({ env });
  await other.stop();
  const mixed = { ...server.env, ERASURE_LOG_URL: `file:${join(other.dataDir, 'erasures')}` };
  const { code, stderr } = await runCountersign(['serve'], { ...mixed, PORT: String(await freePort()) });
  expect([code, stderr]).toEqual([1, expect.stringContaining('The erasure log belongs to another database')]);
  expect((await runCountersignHere(['doctor', '--complete-erasure-log'], mixed)).code).toBe(1);
});
