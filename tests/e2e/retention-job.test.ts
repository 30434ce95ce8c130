// Waits until the job of a server has erased what is due.
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
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
import { until } from '@countersign/test-support/processes/until';
import { beforeAll, describe, expect, it } from 'vitest';

const CANARY = 'canary-of-the-client';

let env: Environment;
let server: ServerProcess;
let client: GivenApi;
let backup: string;
let erasureLog: string;
let [erased, erasedLater, kept] = ['', '', ''];

/** Erases by the rules of an installation that keeps nothing of what is withdrawn, then stops. */
beforeAll(async () => {
  erasureLog = join(temporaryFolder(), 'erasures');
  env = {
    SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
    ERASURE_LOG_URL: `file:${erasureLog}`,
  };
  server = await startServer({ env });
  client = await givenApi(server);
  erased = await create('erased');
  kept = await create('kept');
  await withdraw(erased);
  backup = join(temporaryFolder(), 'backup');
  await countersignHere(['backup', backup], server.env);
  erasedLater = await create('erased later');
  await withdraw(erasedLater);
  await server.stop();

  const erasing = await startServer({
    dataDir: server.dataDir,
    env: { ...env, RETENTION_UNFINISHED: 'P0D' },
  });
  await until(() => receipts().length === 2 && receipts().every(({ finished_at }) => finished_at !== null));
  await erasing.stop();
});

async function create(name: string): Promise<string> {
  const subject = {
    subjectType: 'kyc',
    subjectReference: `${CANARY} ${name}`,
    metadata: { note: `${CANARY} ${name}` },
  };
  return idOf(await client.api.post(subject, { 'Idempotency-Key': `${CANARY} ${name}` }));
}

async function withdraw(id: string): Promise<void> {
  const { status } = await client.api.request(`/verifications/${id}/withdraw`, { method: 'POST' });
  expect(status).toBe(200);
}

const receipts = () =>
  rowsOf(server.databaseFile, 'SELECT verification_id, rule, finished_at FROM erasures ORDER BY verification_id');

const rulesOf = () => receipts().map(({ verification_id, rule }) => [verification_id, rule]);

/** Expects that the verification in the backup, which was withdrawn, is erased, and the open one is as it was. */
function expectErased(): void {
  const rows = rowsOf(
    server.databaseFile,
    'SELECT id, subject_reference, metadata, idempotency_key, status FROM verifications ORDER BY id',
  );
  expect(JSON.stringify(rows.filter(({ id }) => id !== kept))).not.toContain(CANARY);
  expect(rows.find(({ id }) => id === erased)).toMatchObject({
    subject_reference: `erased:${erased}`,
    status: 'rejected',
  });
  expect(rows.find(({ id }) => id === kept)).toMatchObject({ subject_reference: `${CANARY} kept` });
}

/** Replaces the database by that of the backup, without `restore`. */
function putOldDatabase(): void {
  for (const suffix of ['-wal', '-shm', '-serving']) rmSync(server.databaseFile + suffix, { force: true });
  copyFileSync(join(backup, 'countersign.db'), server.databaseFile);
  expect(receipts()).toEqual([]);
}

describe('erasure', () => {
  it('the job erases what is due by the rules, and leaves everything else', () => {
    expectErased();
    expect(rulesOf()).toEqual([
      [erased, 'unfinished'],
      [erasedLater, 'unfinished'],
    ]);
  });

  it('serve erases again what an older database still has, before it listens', async () => {
    putOldDatabase();
    const started = await startServer({ dataDir: server.dataDir, env });

    expectErased();
    expect(rulesOf()).toEqual([
      [erased, 'log'],
      [erasedLater, 'log'],
    ]);
    await started.says(/"applied erasures of the erasure log"/);
    const api = createApiClient(started.baseUrl, client.key);
    expect(dataOf(await api.get(`/verifications/${kept}`))).toMatchObject({ subjectReference: `${CANARY} kept` });
    expect(JSON.stringify((await api.get(`/verifications/${erased}`)).body)).not.toContain(CANARY);
    await started.stop();
  });

  it('serve and restore refuse a log that lacks an entry, and change nothing', async () => {
    putOldDatabase();
    const entry = join(erasureLog, '000000', '000000001.json');
    renameSync(entry, `${entry}.lost`);
    const port = String(await freePort());
    const missing = 'Entry 000000/000000001.json of the erasure log is missing: restore it from a copy of the log';

    const serve = await runCountersign(['serve'], { ...server.env, PORT: port });
    expect([serve.code, serve.stderr]).toEqual([
      1,
      `countersign: The erasure log was not applied, so nothing is served. ${missing}\n`,
    ]);
    const restore = await runCountersignHere(['restore', backup], server.env);
    expect([restore.code, restore.stderr]).toEqual([
      1,
      expect.stringContaining(`countersign: Nothing was restored: ${missing}\n`),
    ]);
    expect(receipts()).toEqual([]);

    renameSync(`${entry}.lost`, entry);
  });

  it('restore erases again what was erased after the backup was made, before a server starts', async () => {
    putOldDatabase();
    expect(await countersignHere(['restore', backup], server.env)).toMatchObject({
      erasuresApplied: 2,
      warnings: [],
    });
    expectErased();
    expect(await countersignHere(['doctor'], server.env)).toMatchObject({ ok: true });
  });
});
