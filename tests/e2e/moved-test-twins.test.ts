import { dirname, join } from 'node:path';
import { createApiClient, dataOf, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { type GivenApi, givenApi, givenTestApi } from '@countersign/test-support/installation/customer';
import { operate } from '@countersign/test-support/installation/operator';
import { givenEndpoints } from '@countersign/test-support/installation/webhook-endpoints';
import { type RecordingReceiver, startRecordingReceiver } from '@countersign/test-support/load/webhook-receivers';
import { card } from '@countersign/test-support/pages/pictures';
import { newStaff } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';

const env: Environment = { SECRET_KEYS: Buffer.alloc(32, 7).toString('base64') };
const PICTURE = new Uint8Array(await card('Specimen', { width: 400, height: 250 }));

interface Given {
  readonly server: ServerProcess;
  readonly live: GivenApi;
  readonly test: GivenApi;
  /** One submitted verification of each. */
  readonly ids: { readonly live: string; readonly test: string };
  /** Receives the webhooks of the twin. */
  readonly receiver: RecordingReceiver;
}

/** Starts a server with a client and its test twin. Each has a submitted verification with files, and the twin an endpoint. */
async function givenTwin(): Promise<Given> {
  const server = await startServer({ env });
  const live = await givenApi(server);
  const test = await givenTestApi(server, live.clientId);
  await operate(server, ({ clients }) => clients.setFileAccess(live.clientId, true));
  const receiver = await startRecordingReceiver();
  await givenEndpoints(server, test.clientId, [receiver.url]);
  const ids = { live: await submit(live), test: await submit(test) };
  await until(() => receiver.webhooks.length === 2);
  return { server, live, test, ids, receiver };
}

async function submit({ api }: GivenApi): Promise<string> {
  const created = await api.post(newSubject('the first'));
  const forms = await openSubjectForms(String(dataOf(created).verificationUrl), 'kyc');
  await forms.walk({ file: () => new Blob([PICTURE]) });
  return idOf(created);
}

/** Reads a verification with the bytes of its files, as its key does, whatever port the server has. */
async function read({ baseUrl }: Pick<ServerProcess, 'baseUrl'>, { key }: GivenApi, id: string): Promise<unknown> {
  const answer = await createApiClient(baseUrl, key).get(`/verifications/${id}/details`);
  const details = dataOf(answer);
  const documents = details.documents as readonly { readonly id: string }[];
  const files = await Promise.all(
    documents.map(async (document) => {
      const headers = { 'X-API-Key': key };
      const response = await fetch(`${baseUrl}/verifications/${id}/files/${document.id}`, { headers });
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer()).toString('base64');
    }),
  );
  const mode = answer.headers.get('x-countersign-mode');
  return JSON.parse(JSON.stringify({ mode, details, files }).replaceAll(/localhost:\d+/g, 'localhost'));
}

const readBoth = async (server: ServerProcess, { live, test, ids }: Given) => ({
  live: await read(server, live, ids.live),
  test: await read(server, test, ids.test),
});

type Before = Awaited<ReturnType<typeof readBoth>>;

/** Reads both before the move. Expects files in both, and the mode of each. */
async function readBefore(given: Given): Promise<Before> {
  const before = await readBoth(given.server, given);
  const files = expect.arrayContaining([expect.stringMatching(/./)]) as readonly string[];
  expect(before).toMatchObject({ live: { mode: 'live', files }, test: { mode: 'test', files } });
  return before;
}

/** Expects the twin to be complete and its erasure to change nothing in live mode. */
async function expectTwinWorks(server: ServerProcess, given: Given, before: Before): Promise<void> {
  const { live, test, ids, receiver } = given;
  expect(await readBoth(server, given)).toEqual(before);
  const twin = await operate(server, ({ clients }) => clients.testTwin(live.clientId));
  expect(twin.id).toBe(test.clientId);

  const api = createApiClient(server.baseUrl, test.key);
  const created = idOf(await api.post(newSubject('the next')));
  await until(() => receiver.webhooks.some(({ body }) => body.includes(created)));
  const erase = (path: string) => api.request(`/verifications/${path}`, { method: 'DELETE' });
  await (await newStaff(server, 'reviewer')).act(ids.test, 'approve');
  const restricted = await erase(`${ids.test}/data`);
  expect(restricted).toMatchObject({ status: 200, body: { data: { state: 'restricted' } } });
  const erased = await erase(`${created}/data?withdraw=true`);
  expect(erased).toMatchObject({ status: 200, body: { data: { state: 'erased' } } });
  const types = ['verification.data_restricted', 'verification.data_erased'];
  await until(() => types.every((type) => receiver.webhooks.some(({ body }) => body.includes(type))));
  const after = await readBoth(server, given);
  expect(after.live).toEqual(before.live);
  expect(after.test).toMatchObject({ mode: 'test', details: { documents: [] }, files: [] });
}

it('a restored backup holds a test twin with its verifications, files and webhooks', async () => {
  const given = await givenTwin();
  const { server } = given;
  const before = await readBefore(given);
  const backup = join(temporaryFolder(), 'backup');
  await countersignHere(['backup', backup], server.env);
  await server.stop();
  await countersignHere(['restore', backup], server.env);

  const restored = await startServer({ dataDir: server.dataDir, env });

  await expectTwinWorks(restored, given, before);
  await restored.stop();
});

describeWith(['postgres'], 'a copy on Postgres', () => {
  it('holds a test twin with its verifications, files and webhooks', async () => {
    const given = await givenTwin();
    const { server } = given;
    const before = await readBefore(given);
    await server.stop();
    const postgres = await startPostgres({ fsync: false });
    const url = await postgres.createDatabase();
    await countersignHere(['copy', '--from', `file:${server.databaseFile}`, '--to', url], env);

    const ERASURE_LOG_URL = `file://${join(dirname(server.databaseFile), 'erasures')}`;
    const moved = await startServer({
      dataDir: server.dataDir,
      env: { ...env, DATABASE_URL: url, ERASURE_LOG_URL },
    });

    await expectTwinWorks(moved, given, before);
    await moved.stop();
    await postgres.stop();
  });
});
