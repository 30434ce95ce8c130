// Copies an installation to Postgres between two servers.
import { dirname, join } from 'node:path';
import { createApiClient, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { rowsOf } from '@countersign/test-support/installation/database-file';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { givenEndpoints } from '@countersign/test-support/installation/webhook-endpoints';
import { type RecordingReceiver, startRecordingReceiver } from '@countersign/test-support/load/webhook-receivers';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';

const env: Environment = { SECRET_KEYS: Buffer.alloc(32, 7).toString('base64') };

interface Given {
  readonly server: ServerProcess;
  readonly key: string;
  readonly receiver: RecordingReceiver;
  /** The options of commands about the endpoint. */
  readonly endpoint: readonly string[];
  /** The verification whose webhook waits. */
  readonly waiting: string;
}

/** Starts a server that has delivered the webhook of `delivered`. That of `waiting` waits for its paused endpoint. */
async function givenWaitingWebhook(): Promise<Given> {
  const server = await startServer({ env });
  const { clientId, key } = await givenClientOf(server);
  const receiver = await startRecordingReceiver();
  const [{ id } = { id: '' }] = await givenEndpoints(server, clientId, [receiver.url]);
  const endpoint = ['--client', clientId, '--endpoint', id];
  await create(server, key, 'delivered');
  await until(() => statesIn(server).delivered === 1);
  await countersignHere(['webhook', 'pause', ...endpoint], server.env);
  const waiting = await create(server, key, 'waiting');
  await until(() => statesIn(server).waiting === 1);
  return { server, key, receiver, endpoint, waiting };
}

async function create({ baseUrl }: ServerProcess, key: string, reference: string): Promise<string> {
  return idOf(await createApiClient(baseUrl, key).post(newSubject(reference)));
}

/** Counts deliveries by state. */
function statesIn({ databaseFile }: ServerProcess): Record<string, number> {
  const rows = rowsOf(databaseFile, 'SELECT state, count(*) AS number FROM webhook_deliveries GROUP BY state');
  return Object.fromEntries(rows.map(({ state, number }) => [String(state), Number(number)]));
}

const eventsIn = ({ webhooks }: RecordingReceiver): string[] => webhooks.map(({ eventId }) => eventId);

const verificationsIn = ({ webhooks }: RecordingReceiver) =>
  webhooks.map(({ body }) => (JSON.parse(body) as { data: { verificationId: string } }).data.verificationId);

describeWith(['postgres'], 'after a copy to Postgres', () => {
  it('what waited is sent once, what was delivered is not sent again, and new events follow', async () => {
    const { server, key, receiver, endpoint, waiting } = await givenWaitingWebhook();
    await server.stop();
    const postgres = await startPostgres({ fsync: false });
    const url = await postgres.createDatabase();
    await countersignHere(['copy', '--from', `file:${server.databaseFile}`, '--to', url], env);
    await countersignHere(['webhook', 'resume', ...endpoint], { ...env, DATABASE_URL: url });

    const ERASURE_LOG_URL = `file://${join(dirname(server.databaseFile), 'erasures')}`;
    const moved = await startServer({ env: { ...env, DATABASE_URL: url, ERASURE_LOG_URL } });
    const id = await create(moved, key, 'new');
    await until(() => receiver.webhooks.length === 3);

    expect(new Set(eventsIn(receiver)).size).toBe(3);
    expect(verificationsIn(receiver)).toContain(id);
    expect(verificationsIn(receiver)).toContain(waiting);
    await moved.stop();
    await postgres.stop();
  });
});

it('after a restore, what waited at the backup is sent again, and nothing that was delivered before', async () => {
  const { server, key, receiver, endpoint, waiting } = await givenWaitingWebhook();
  const folder = join(temporaryFolder(), 'backup');
  await countersignHere(['backup', folder], server.env);
  await countersignHere(['webhook', 'resume', ...endpoint], server.env);
  await create(server, key, 'lost');
  await until(() => statesIn(server).delivered === 3);
  await server.stop();
  expect(verificationsIn(receiver)).toContain(waiting);
  const before = receiver.webhooks.length;

  await countersignHere(['restore', folder], server.env);
  await countersignHere(['webhook', 'resume', ...endpoint], server.env);
  const restored = await startServer({ dataDir: server.dataDir, env });
  const id = await create(restored, key, 'lost');
  await until(() => statesIn(restored).delivered === 3);

  expect(verificationsIn(receiver).slice(before).toSorted()).toEqual([waiting, id].toSorted());
  expect(new Set(eventsIn(receiver)).size).toBe(before + 1);
});
