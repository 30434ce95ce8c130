import type { WebhookRepository } from '@countersign/domain/storage';
import { RECOVERY, type WebhookMessage, type WebhookResponse } from '@countersign/domain/webhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, type Fields } from '../../../test-support/console.ts';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../../test-support/dashboard.ts';

const LIST = '/dashboard/webhooks';
const NEW = '/dashboard/webhooks/new';
const GOOD: Fields = {
  name: 'Shop <b>1</b>',
  url: 'https://shop.example/hooks',
  types: ['verification.created', 'verification.approved'],
};
const SECRET = /whsec_[A-Za-z0-9+/=]+/;
const DAY = 24 * 60 * 60_000;

let given: GivenDashboard;
let webhooks: WebhookRepository;
let response: WebhookResponse;
let sent: WebhookMessage[];

beforeEach(async () => {
  sent = [];
  response = {
    status: 200,
    verdict: 'accepted',
    retryAfterSeconds: null,
    text: 'OK <script>x</script>',
    fault: null,
    durationMs: 12,
  };
  const webhookSender = {
    send: async (message: WebhookMessage) => {
      sent.push(message);
      return response;
    },
  };
  given = await givenDashboard({}, {}, { webhookSender });
  const { webhooks: repository } = given.ports.storage;
  if (repository === undefined) throw new Error('The storage has no webhooks');
  webhooks = repository;
});

const endpoints = () => webhooks.list(given.clientId);

/** Adds an endpoint and returns its path. */
async function added(fields: Fields = {}): Promise<string> {
  await given.send(NEW, { ...GOOD, ...fields });
  return `${LIST}/${(await endpoints()).at(-1)?.id}`;
}

/** Creates a verification whose delivery had one attempt. Returns the path of the delivery. */
async function attempted(
  path: string,
  attempt: { status: number | null; response: string | null; fault: string | null },
) {
  await given.pending();
  const now = given.ports.clock.now();
  await webhooks.fanOut({ now, limit: 10 });
  const until = new Date(now.getTime() + DAY);
  const [endpoint] = await webhooks.leaseEndpoints({ leaseToken: 'worker', now, until, limit: 1 });
  if (endpoint === undefined) throw new Error('No endpoint is due');
  const lease = { clientId: given.clientId, endpointId: endpoint.id, leaseToken: 'worker' };
  const [due] = (await webhooks.due(lease, { now, limit: 1, except: [] })) ?? [];
  if (due === undefined) throw new Error('No delivery is due');
  const { id: eventId, verificationId, version } = due.event;
  await webhooks.settle(
    lease,
    { eventId, verificationId, version },
    {
      attempt: {
        id: 'attempt-1',
        at: now,
        durationMs: 15,
        request: '{"type":"verification.created"}',
        ...attempt,
      },
      settlement: { state: 'failed' },
      pauseIfFailingSince: new Date(0),
      wake: RECOVERY,
      disable: false,
    },
  );
  await webhooks.release(lease);
  return `${path}/deliveries/${eventId}`;
}

describe('the list of endpoints', () => {
  it('isolates a name that is written from right to left in the title of its link', async () => {
    await added({ name: 'متجر 1' });
    expect((await given.open(LIST)).text).toContain('title="\u2068متجر 1\u2069: ');
  });

  it('says what an endpoint is while there is none', async () => {
    const { words } = await given.open(LIST);
    expect(words).toContain('There is no endpoint yet.');
    expect(words).toContain('0 of 10 endpoints');
  });

  it('shows name, URL, types, state and creator, never a secret', async () => {
    await added();
    const { words, text } = await given.open(LIST);
    expect(words).toContain('https://shop.example/hooks');
    expect(text).toContain('title="verification.created\nverification.approved">2 event types</span>');
    expect(words).toContain('Active');
    expect(text).toMatch(/title="[^"]*: Added [^"]+ by Clara Client"/);
    expect(text).toContain('Shop &lt;b&gt;1&lt;/b&gt;');
    expect(text).not.toMatch(SECRET);
  });

  it.each([ANDY, VERA])('is not for %s', async (user) => {
    const path = await added();
    for (const page of [LIST, path, NEW, `${path}/test`]) expect((await given.open(page, user)).status).toBe(403);
    expect((await given.open('/dashboard', user)).words).not.toContain('Webhooks');
  });
});

describe('a new endpoint', () => {
  it('asks for the password first', async () => {
    expect((await given.get(NEW, CLARA)).status).toBe(303);
    expect((await given.post(NEW, GOOD, CLARA)).status).toBe(303);
    expect(await endpoints()).toEqual([]);
  });

  it('shows its secret once, and no cache keeps the page', async () => {
    const { status, text, headers, words } = await given.send(NEW, GOOD);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const [endpoint] = await endpoints();
    expect(SECRET.exec(text)?.[0]).toBe(endpoint?.secret.value);
    expect(words).toContain('shown only once');
    expect((await given.open(`${LIST}/${endpoint?.id}`)).text).not.toMatch(SECRET);
  });

  it.each<[what: string, fields: Fields, message: string]>([
    ['no name', { name: '' }, 'Enter a name'],
    ['no event', { types: [] }, 'Choose at least one event'],
    ['a URL over http', { url: 'http://shop.example/' }, 'begins with https://'],
    ['a URL with a password', { url: 'https://a:b@shop.example/' }, 'without a user name'],
    ['a URL that is too long', { url: `https://shop.example/${'a'.repeat(2_048)}` }, 'at most 2,048 characters'],
  ])('with %s is refused beside the field and keeps what was typed', async (_what, fields, message) => {
    const { status, words, text } = await given.send(NEW, { ...GOOD, ...fields });
    expect(status).toBe(422);
    expect(words).toContain(message);
    expect(text).toMatch(/checked|value="https:\/\/shop.example/);
    expect(await endpoints()).toEqual([]);
  });

  it('is not offered while the client has ten', async () => {
    for (let n = 0; n < 10; n += 1) await added();
    expect((await given.open(NEW)).words).toContain('reached its limit of endpoints');
    expect((await given.send(NEW, GOOD)).status).toBe(409);
  });
});

describe('an endpoint', () => {
  it('change: an emptied field is refused, not left as it was', async () => {
    const path = await added();
    const form = await given.open(`${path}/change`);
    expect(form.text).toContain('value="https://shop.example/hooks"');
    expect(form.words).not.toContain('optional');
    expect((await given.send(`${path}/change`, { ...GOOD, name: '' })).status).toBe(422);
    expect((await given.send(`${path}/change`, { ...GOOD, types: [] })).status).toBe(422);
    expect((await given.send(`${path}/change`, { ...GOOD, url: 'https://shop.example/2' })).status).toBe(303);
    expect((await endpoints())[0]?.url).toBe('https://shop.example/2');
    expect((await given.open(`${path}?done=changed`)).words).toContain('The changes to the endpoint are saved.');
  });

  it('is paused, resumed, disabled and enabled; a move that its state does not allow has no form', async () => {
    const path = await added();
    for (const [move, state, words] of [
      ['pause', 'paused', 'They wait until you resume the endpoint.'],
      ['resume', 'active', 'Active'],
      ['disable', 'disabled', 'This endpoint receives no webhooks.'],
    ] as const) {
      expect((await given.send(`${path}/${move}`)).status).toBe(303);
      expect((await endpoints())[0]?.state).toBe(state);
      expect((await given.open(path)).words).toContain(words);
    }
    const refused = await given.open(`${path}/pause`);
    expect(refused.words).toContain('The state of the endpoint does not allow this');
    expect(refused.text).not.toContain('<button type="submit">Pause');
    expect((await given.send(`${path}/pause`)).status).toBe(409);
    expect((await given.send(`${path}/enable`)).status).toBe(303);
  });

  it('shows since when it fails', async () => {
    const path = await added();
    const failingSince = given.ports.clock.now();
    await webhooks.change(given.clientId, (await endpoints())[0]?.id ?? '', { failingSince }, failingSince);
    expect((await given.open(LIST)).words).toMatch(/Shop <b>1<\/b> Failing https/);
    expect((await given.open(path)).words).toContain('Endpoint Failing Failing since');
  });

  it('is shown on the overview of owners while it is paused and failing', async () => {
    await added();
    await added();
    const now = given.ports.clock.now();
    const [first, second] = (await endpoints()).map(({ id }) => id) as [string, string];
    await webhooks.change(given.clientId, first, { state: 'paused' }, now);
    expect((await given.open('/dashboard')).words).not.toContain('Needs attention');
    await webhooks.change(given.clientId, second, { state: 'paused', failingSince: now }, now);
    expect((await given.open('/dashboard')).words).toMatch(/Needs attention Paused .* failing since/);
    await webhooks.change(given.clientId, first, { failingSince: now }, now);
    expect((await given.open('/dashboard')).words.match(/failing since/g)).toHaveLength(2);
    expect((await given.open('/dashboard', ANDY)).words).not.toContain('Needs attention');
  });

  it('gets a new secret, and the page says until when the earlier one signs', async () => {
    const path = await added();
    const [before] = await endpoints();
    const { text, words } = await given.send(`${path}/secret`, { secretVersion: '1' });
    const secret = SECRET.exec(text)?.[0];
    expect(secret).not.toBe(before?.secret.value);
    expect(words).toContain('For 24 hours');
    expect((await given.open(path)).words).toContain('also sign until');
  });

  it('keeps its new secret when the form is sent twice', async () => {
    const path = await added();
    const versionIn = (text: string) => /name="secretVersion" value="(\d+)"/.exec(text)?.[1] ?? '';
    const form: Fields = { secretVersion: versionIn((await given.open(`${path}/secret`)).text) };
    const { text } = await given.send(`${path}/secret`, form);
    const again = await given.send(`${path}/secret`, form);
    expect(again.status).toBe(409);
    expect(again.words).toContain('perhaps because the form was sent twice');
    expect((await endpoints())[0]?.secret.value).toBe(SECRET.exec(text)?.[0]);

    const next = await given.send(`${path}/secret`, { secretVersion: versionIn(again.text) });
    expect(next.status).toBe(200);
    const closed = await given.open(`${path}/secret`);
    expect(closed.words).toContain('Requests are still signed with 2 replaced secrets.');
    expect(closed.text).not.toContain('<form method="post" action="/kyc/dashboard/webhooks');
    expect((await given.send(`${path}/secret`)).status).toBe(422);
  });

  it('whose secret cannot be decrypted says what to do when it is tested', async () => {
    const path = await added();
    const { list } = webhooks;
    const get = (): never => {
      throw new Error('the key is lost');
    };
    webhooks.list = async (id) => {
      const found = await list(id);
      for (const { secret } of found) Object.defineProperty(secret, 'value', { get, enumerable: true });
      return found;
    };
    const { status, words } = await given.send(`${path}/test`);
    expect(status).toBe(409);
    expect(words).toContain('Replace the secret.');
    expect(sent).toEqual([]);
  });

  it('is removed by its name', async () => {
    const path = await added();
    expect((await given.send(`${path}/remove`, { name: 'Shop' })).words).toContain('Nothing was removed');
    expect((await given.send(`${path}/remove`, { name: 'Shop <b>1</b>' })).status).toBe(303);
    expect(await endpoints()).toEqual([]);
    expect((await given.open(path)).status).toBe(404);
  });
});

describe('a test', () => {
  it('shows the request and the response as text', async () => {
    const path = await added();
    const { words, text } = await given.send(`${path}/test`);
    expect(sent).toHaveLength(1);
    expect(words).toContain('The endpoint accepted the test');
    expect(words).toContain('webhook.test');
    expect(text).toContain('OK &lt;script&gt;x&lt;/script&gt;');
    expect(text).not.toContain('<script>x');
  });

  it('shows why there was no response', async () => {
    response = {
      status: null,
      verdict: 'failed',
      retryAfterSeconds: null,
      text: null,
      fault: 'The address is not public.',
      durationMs: 3,
    };
    const { words } = await given.send(`${await added()}/test`);
    expect(words).toContain('The endpoint did not accept the test');
    expect(words).toContain('The address is not public.');
  });
});

describe('the log', () => {
  it('lists deliveries with their state, and filters them', async () => {
    const path = await added();
    await attempted(path, { status: 500, response: 'no', fault: null });
    const { words } = await given.open(path);
    expect(words).toContain('verification.created');
    expect(words).toContain('Failed');
    expect((await given.open(`${path}?state=waiting`)).words).toContain('No delivery has this state.');
    expect((await given.open(`${path}?state=lost`)).status).toBe(400);
    expect((await given.open(`${path}?after=nonsense`)).status).toBe(400);
  });

  it('shows the attempts of a delivery, escaped, and sends it again', async () => {
    const path = await added();
    const delivery = await attempted(path, { status: 500, response: '<img src=x onerror=alert(1)>', fault: null });
    const { words, text } = await given.open(delivery);
    expect(words).toContain('Attempt 1');
    expect(words).toContain('500');
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    const first = await given.send(`${delivery}/resend`);
    expect(first.headers.get('Location')).toBe(`/kyc${path}?done=resent`);
    expect((await given.open(path)).words).toContain('Waiting');
    const second = await given.send(`${delivery}/resend`);
    expect(second.headers.get('Location')).toBe(`/kyc${path}?done=alreadyWaiting`);
    expect((await given.open(`${path}?done=alreadyWaiting`)).words).toContain('The delivery is waiting already.');
    expect((await given.open(`${path}/deliveries/unknown`)).status).toBe(404);
  });

  it('sends all since a time again; the time is UTC', async () => {
    const path = await added();
    await attempted(path, { status: null, response: null, fault: 'The connection was reset.' });
    const now = given.ports.clock.now();
    const at = (time: number) => new Date(time).toISOString().slice(0, 16);
    expect((await given.open(`${path}/resend`)).text).toContain(`value="${at(now.getTime() - DAY)}"`);
    expect((await given.send(`${path}/resend`, { since: 'yesterday' })).words).toContain('Enter a day and a time');
    const { status, headers } = await given.send(`${path}/resend`, { since: at(now.getTime() - DAY) });
    expect([status, headers.get('Location')]).toEqual([303, `/kyc${path}?done=resentSince`]);
    expect((await given.open(path)).words).toContain('Waiting');
    const again = await given.send(`${path}/resend`, { since: at(now.getTime() - DAY) });
    expect(again.headers.get('Location')).toBe(`/kyc${path}?done=noneResent`);
    expect((await given.open(`${path}?done=noneResent`)).words).toContain('There is nothing to send again');
    expect((await given.lastLine())?.detail).toEqual({ since: `${at(now.getTime() - DAY)}:00Z` });
  });
});

it('no page of webhooks writes a secret or a URL into the audit log', async () => {
  const path = await added();
  await given.send(`${path}/secret`);
  await given.send(`${path}/change`, { ...GOOD, url: 'https://shop.example/2' });
  const lines = JSON.stringify(await given.audit());
  expect(lines).not.toMatch(SECRET);
  expect(lines).not.toContain('shop.example');
});
