import { readFileSync } from 'node:fs';
import { verifyWebhook, type WebhookPayload } from '@countersign/client';
import { type ApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { givenTestApi } from '@countersign/test-support/installation/customer';
import { type RecordedWebhook, startRecordingReceiver } from '@countersign/test-support/load/webhook-receivers';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { expect, it } from 'vitest';

const DOCS = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
/** The types of the table in docs/webhooks.md. */
const TYPES = [...DOCS.matchAll(/^\| `(verification\.\w+)`/gm)].map(([, type = '']) => type);
/** The body of the example in docs/webhooks.md. */
const EXAMPLE = JSON.parse(/^{"type".*}$/m.exec(DOCS)?.[0] ?? '') as { readonly data: object };

interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: string;
}

/** A webhook that `verifyWebhook` accepted. */
interface Received {
  readonly id: string;
  readonly body: string;
  readonly payload: Extract<WebhookPayload, { data: { verificationId: string } }>;
}

/** Verifies requests with a secret, as docs/webhooks.md shows. */
function verified(webhooks: readonly RecordedWebhook[], secret: string): Promise<Received[]> {
  return Promise.all(
    webhooks.map(async ({ request, body }) => {
      expect(request.headers.get('Content-Type')).toBe('application/json');
      const { id, payload } = await verifyWebhook(request.clone(), [secret]);
      return { id, body, payload: payload as Received['payload'] };
    }),
  );
}

const addEndpoint = (server: ServerProcess, clientId: string, url: string): Promise<Endpoint> => {
  const settings = ['--client', clientId, '--name', 'shop', '--url', url, '--types', TYPES.join(',')];
  return countersignHere(['webhook', 'create', ...settings], server.env);
};

const historyOf = async (api: ApiClient, id: string) =>
  dataOf(await api.get(`/verifications/${id}/details`)).history as readonly { status: string; at: string }[];

it('each change arrives signed and in order, with the body of docs/webhooks.md and without personal data', async () => {
  const server = await startServer();
  const { clientId, api } = await givenTestApi(server);
  const receiver = await startRecordingReceiver();
  const { secret } = await addEndpoint(server, clientId, receiver.url);
  const create = async (sandboxOutcome: string) => {
    const subjectReference = `${sandboxOutcome}@person.example`;
    return idOf(await api.post({ subjectType: 'kyc', subjectReference, metadata: { sandboxOutcome } }));
  };
  const isIn = (id: string, status: string) => async () => (await historyOf(api, id)).at(-1)?.status === status;

  const [approved, rejected, asked] = [
    await create('approved'),
    await create('rejected'),
    await create('action_needed'),
  ];
  await until(isIn(asked, 'action_needed'));
  await countersignHere(['verification', 'renew-link', asked], server.env);
  await api.request(`/verifications/${asked}/withdraw`, { method: 'POST' });
  await until(isIn(approved, 'approved'));
  await until(isIn(rejected, 'rejected'));
  await until(() => receiver.webhooks.length === 11);

  const received = await verified(receiver.webhooks, secret);
  const about = (verificationId: string) =>
    received.filter(({ payload: { data } }) => data.verificationId === verificationId);
  const shortOf = (id: string) =>
    about(id).map(({ payload: { type, data } }) => [type, data.status, ...data.reasonCodes].join(' '));
  const begun = ['verification.created pending', 'verification.submitted submitted'];
  expect(shortOf(approved)).toEqual([...begun, 'verification.approved approved']);
  expect(shortOf(rejected)).toEqual([...begun, 'verification.rejected rejected document_unreadable']);
  expect(shortOf(asked)).toEqual([
    ...begun,
    'verification.action_needed action_needed document_unreadable',
    'verification.link_renewed action_needed',
    'verification.rejected rejected withdrawn',
  ]);

  for (const id of [approved, rejected, asked]) {
    const sequences = about(id).map(({ payload }) => payload.data.sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
    const times = (await historyOf(api, id)).map(({ at }) => at);
    const changes = about(id).filter(({ payload }) => payload.type !== 'verification.link_renewed');
    expect(changes.map(({ payload }) => payload.timestamp)).toEqual(times);
  }
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
  for (const { body, payload } of received) {
    expect(Object.keys(payload)).toEqual(Object.keys(EXAMPLE));
    expect(Object.keys(payload.data)).toEqual(Object.keys(EXAMPLE.data));
    expect(body).not.toContain('person.example');
  }
  await expect(verified(receiver.webhooks, `whsec_${Buffer.alloc(32, 1).toString('base64')}`)).rejects.toThrow(
    'No signature',
  );
});
