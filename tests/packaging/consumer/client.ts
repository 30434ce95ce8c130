import { CountersignApiError, createClient, verifyWebhook } from '@countersign/client';

// Calls an API at the address and with the key of its arguments, in Node, Deno or Bun.
const [origin = '', apiKey = ''] = process.argv.slice(2);
const client = createClient({ baseUrl: `${origin}/api/v1`, apiKey });

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    return error instanceof CountersignApiError ? error.code : (error as Error).name;
  }
}

const person = { subjectType: 'kyc', subjectReference: 'user_1', metadata: { name: 'Zoë' } } as const;
const { id } = await client.verifications.create(person);
const { status, metadata } = await client.verifications.get(id);
const { totalSteps } = await client.verifications.details(id);
const { pagination } = await client.verifications.list({ limit: 1 });
const ids: string[] = [];
for await (const listed of client.verifications.listAll()) ids.push(listed.id);
console.log(status, JSON.stringify(metadata), totalSteps, pagination.totalCount, ids.length);

const never = { maxRetries: 0 };
const stranger = createClient({ baseUrl: `${origin}/api/v1`, apiKey: `csk_${'0'.repeat(64)}` });
const moved = createClient({ baseUrl: `${origin}/moved`, apiKey });
const slow = createClient({ baseUrl: `${origin}/slow`, apiKey, timeoutMs: 100, ...never });
const closed = createClient({ baseUrl: 'http://127.0.0.1:9/api/v1', apiKey, ...never });
const signal = AbortSignal.timeout(100);
const codes = await Promise.all([
  codeOf(client.verifications.create(person)),
  codeOf(stranger.verifications.list()),
  codeOf(moved.verifications.list()),
  codeOf(slow.verifications.list()),
  codeOf(closed.verifications.list()),
  codeOf(createClient({ baseUrl: `${origin}/slow`, apiKey }).verifications.list({}, { signal })),
]);
console.log(codes.join(' '));
console.log((await client.verifications.withdraw(id)).status);

// A webhook that the standardwebhooks library signed.
const secret = `whsec_${'BwcH'.repeat(10)}Bwc=`;
const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': '1772359200',
  'webhook-signature': 'v1,Os6go7CFhXViECy4nNs8MZRAt+SfdDFu5IjYz8mZkiA=',
};
const body = '{"type":"verification.approved"}';
const webhook = (content: string): Request =>
  new Request('https://shop.example/hooks', { method: 'POST', headers, body: content });
const now = (): Date => new Date(1_772_359_200_000);
const { payload } = await verifyWebhook(webhook(body), secret, { now });
const changed = verifyWebhook(webhook(`${body} `), secret, { now });
console.log(
  payload.type,
  await changed.then(
    () => 'accepted',
    (error: unknown) => (error as Error).name,
  ),
);
