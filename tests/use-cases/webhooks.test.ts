import { isCountersignError } from '@countersign/domain';
import {
  changeWebhook,
  createWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listWebhookAttempts,
  listWebhookDeliveries,
  listWebhooks,
  pauseWebhook,
  removeWebhook,
  resendWebhook,
  resendWebhooksSince,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '@countersign/domain/actions';
import {
  type EndpointSettingsChange,
  type EndpointWithSecret,
  LOG_PAGE,
  MAX_WEBHOOK_ENDPOINTS,
  RECOVERY,
  type WebhookMessage,
  type WebhookResponse,
} from '@countersign/domain/webhooks';
import { createMemoryStorage, type MemoryStorage } from '@countersign/memory';
import type { Operations } from '@countersign/test-support/service/operations';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { givenTeam, linesOf, operationsAs } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const DAY_MS = 24 * 60 * 60 * 1000;
const URL_OF_SHOP = 'https://shop.example/hooks';
const INPUT = {
  name: 'shop',
  url: URL_OF_SHOP,
  types: ['verification.created', 'verification.approved'],
} as const;
const withCode = (code: string) => expect.objectContaining({ code });
const withIssueAt = (path: string) =>
  expect.objectContaining({ code: 'INVALID_PARAMETERS', data: { issues: [expect.objectContaining({ path })] } });

let storage: MemoryStorage;
let service: Service;
let clientId: string;
let as: Operations['as'];
let sent: WebhookMessage[];

const RESPONSE: WebhookResponse = {
  status: 202,
  verdict: 'accepted',
  retryAfterSeconds: null,
  text: 'thanks',
  fault: null,
  durationMs: 7,
};

beforeEach(async () => {
  sent = [];
  storage = createMemoryStorage();
  const webhookSender = {
    send: async (message: WebhookMessage) => {
      sent.push(message);
      return RESPONSE;
    },
  };
  service = givenService({ storage, webhookSender });
  const team = await givenTeam(service);
  clientId = team.clientId;
  ({ as } = operationsAs(service, team.owner));
});

const create = (more: object = {}): Promise<EndpointWithSecret> =>
  as.runUnchecked(createWebhook, { ...INPUT, ...more });
const onNew = async (more?: object) => ({ endpointId: (await create(more)).endpoint.id });

/** Creates verifications and makes their deliveries. */
async function givenDeliveries(count: number): Promise<void> {
  const { value } = await service.countersign.apiKeys.issue(clientId, { permissions: ['*'] });
  const principal = await service.countersign.authenticate(value);
  for (let n = 0; n < count; n += 1) {
    service.clock.advance(1000);
    const input = { subjectType: 'kyc', subjectReference: `user_${crypto.randomUUID()}` };
    await service.countersign.verifications.create(principal, input);
  }
  await storage.webhooks.fanOut({ now: service.clock.now(), limit: 100 });
}

/** Makes one attempt at everything that is due at the active endpoints. */
async function givenAttempts(state: 'delivered' | 'failed'): Promise<void> {
  const now = service.clock.now();
  const until = new Date(now.getTime() + 60_000);
  for (const { id } of await storage.webhooks.leaseEndpoints({ leaseToken: 'worker', now, until, limit: 9 })) {
    const lease = { clientId, endpointId: id, leaseToken: 'worker' };
    for (const { event } of (await storage.webhooks.due(lease, { now, limit: 100, except: [] })) ?? []) {
      const request = JSON.stringify({ data: { verificationId: event.verificationId } });
      const attempt = { id: `attempt of ${event.id}`, at: now, durationMs: 3, request, fault: null };
      await storage.webhooks.settle(
        lease,
        { eventId: event.id, verificationId: event.verificationId, version: event.version },
        {
          attempt: { ...attempt, status: state === 'delivered' ? 200 : 500, response: 'a response' },
          settlement: { state },
          pauseIfFailingSince: new Date(0),
          wake: RECOVERY,
          disable: false,
        },
      );
    }
    await storage.webhooks.release(lease);
  }
}

describe('a new endpoint', () => {
  it('gets a secret that only its creation returns, and an audit entry without it', async () => {
    const { endpoint, secret } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toMatchObject({ ...INPUT, state: 'active', replacedSecretsUntil: [], failingSince: null });
    expect(await as.run(listWebhooks, {})).toEqual({ endpoints: [endpoint], limit: MAX_WEBHOOK_ENDPOINTS });
    expect(await as.run(getWebhook, { endpointId: endpoint.id })).toEqual(endpoint);
    const lines = await linesOf(service);
    expect(lines.slice(-2)).toMatchObject([
      { action: 'webhooks.create', outcome: 'allowed', clientId, detail: { types: INPUT.types } },
      { action: 'webhooks.create', outcome: 'allowed', targetId: endpoint.id },
    ]);
    for (const kept of [secret, URL_OF_SHOP]) expect(JSON.stringify(lines)).not.toContain(kept);
    expect(JSON.stringify(endpoint)).not.toContain('whsec_');
  });

  it.each([
    ['no name', { name: '' }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['no type', { types: [] }, 'types'],
    ['an unknown type', { types: ['verification.claimed'] }, 'types.0'],
    ['a URL over http', { url: 'http://shop.example/' }, 'url'],
    ['a URL with a password', { url: 'https://me:secret@shop.example/' }, 'url'],
    ['a URL with a fragment', { url: 'https://shop.example/#x' }, 'url'],
    ['a number for a URL', { url: 7 }, 'url'],
    ['an unknown field', { secret: 'whsec_mine' }, 'secret'],
  ])('a new endpoint with %s is refused at its field, and nothing is stored', async (_what, more, path) => {
    await expect(create(more)).rejects.toEqual(withIssueAt(path));
    expect(await storage.webhooks.list(clientId)).toEqual([]);
  });

  it('may have a URL over http where the installation allows it', async () => {
    service = givenService({ storage: createMemoryStorage() }, { webhooksOverHttp: true });
    ({ as } = operationsAs(service, (await givenTeam(service)).owner));
    const { endpoint } = await create({ url: 'http://127.0.0.1:9000/hooks' });
    expect(endpoint.url).toBe('http://127.0.0.1:9000/hooks');
  });

  it('a new endpoint is refused while the client has ten', async () => {
    for (let n = 0; n < MAX_WEBHOOK_ENDPOINTS; n += 1) await create();
    await expect(create()).rejects.toEqual(withCode('WEBHOOK_LIMIT_REACHED'));
  });
});

describe('changes', () => {
  it('change: only what is given, under the rules of a new endpoint', async () => {
    const on = await onNew();
    const changed = await as.run(changeWebhook, { ...on, url: 'https://Shop.example/new' });
    expect(changed).toMatchObject({ ...INPUT, url: 'https://shop.example/new' });
    await expect(as.run(changeWebhook, { ...on, url: 'ftp://shop.example/' })).rejects.toEqual(withIssueAt('url'));
    await expect(as.run(changeWebhook, { ...on, types: [] })).rejects.toEqual(withIssueAt('types'));
    expect(await as.run(getWebhook, on)).toEqual(changed);
  });

  it.each<EndpointSettingsChange>([
    { name: 'shop 2' },
    { url: 'https://shop.example/new' },
    { types: ['verification.rejected'] },
  ])('change: the storage is given nothing but %j', async (settings) => {
    const on = await onNew();
    const change = vi.spyOn(storage.webhooks, 'change');
    expect(await as.run(changeWebhook, { ...on, ...settings })).toMatchObject({ ...INPUT, ...settings });
    expect(change.mock.lastCall?.[2]).toStrictEqual(settings);
  });

  it('change: a conflict is a fault of the storage, since no state is expected', async () => {
    const on = await onNew();
    storage.webhooks.change = async () => ({ outcome: 'conflict' });
    await expect(as.run(changeWebhook, { ...on, name: 'shop 2' })).rejects.toThrow('the storage refused a change');
  });

  it('pause and resume: an endpoint that failed is no longer failing, and events in between are sent', async () => {
    const on = await onNew();
    const since = service.clock.now();
    service.clock.advance(DAY_MS);
    const failingSince = service.clock.now();
    await storage.webhooks.change(clientId, on.endpointId, { failingSince }, failingSince);
    expect(await as.run(pauseWebhook, on)).toMatchObject({ state: 'paused', since, failingSince });
    expect(await as.run(pauseWebhook, on)).toMatchObject({ state: 'paused', since, failingSince });
    expect(await as.run(resumeWebhook, on)).toMatchObject({ state: 'active', since, failingSince: null });
  });

  it('disable and enable: events in between are not sent', async () => {
    const on = await onNew();
    expect(await as.run(disableWebhook, on)).toMatchObject({ state: 'disabled' });
    service.clock.advance(DAY_MS);
    expect(await as.run(enableWebhook, on)).toMatchObject({ state: 'active', since: service.clock.now() });
  });

  it('moves that a state does not allow are refused', async () => {
    const on = await onNew();
    await as.run(disableWebhook, on);
    await expect(as.run(pauseWebhook, on)).rejects.toEqual(withCode('WEBHOOK_ENDPOINT_STATE'));
    await expect(as.run(resumeWebhook, on)).rejects.toEqual(withCode('WEBHOOK_ENDPOINT_STATE'));
    await as.run(enableWebhook, on);
    expect(await as.run(enableWebhook, on)).toMatchObject({ state: 'active' });
  });

  it('rotate_secret: the previous secret keeps signing for a day, and no longer', async () => {
    const { endpoint, secret } = await create();
    const on = { endpointId: endpoint.id };
    const rotated = await as.run(rotateWebhookSecret, on);
    const end = new Date(service.clock.now().getTime() + DAY_MS);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.endpoint.replacedSecretsUntil).toEqual([end]);
    await as.run(testWebhook, on);
    service.clock.set(end);
    await as.run(testWebhook, on);
    expect(sent.map(({ secrets }) => secrets)).toEqual([[rotated.secret, secret], [rotated.secret]]);
    expect(await as.run(getWebhook, on)).toMatchObject({ replacedSecretsUntil: [] });
    expect(JSON.stringify(await linesOf(service))).not.toContain('whsec_');
  });

  it('rotate_secret: a second rotation within a day keeps the secret that the receiver still uses', async () => {
    const { endpoint, secret } = await create();
    const on = { clientId, endpointId: endpoint.id };
    // The command line confirms no password, however late it is.
    as = service.countersign.as({ kind: 'command_line' });
    const first = await as.run(rotateWebhookSecret, on);
    const ends = [new Date(service.clock.now().getTime() + DAY_MS)];
    service.clock.advance(DAY_MS / 4);
    const second = await as.run(rotateWebhookSecret, on);
    ends.unshift(new Date(service.clock.now().getTime() + DAY_MS));
    expect(second.endpoint.replacedSecretsUntil).toEqual(ends);

    const third = as.run(rotateWebhookSecret, on);
    await expect(third).rejects.toEqual(withCode('WEBHOOK_SECRETS_OVERLAP'));
    await expect(third).rejects.toThrow(`Replace the secret after ${ends[1]?.toISOString()}.`);
    await as.run(testWebhook, on);
    expect(sent.at(-1)?.secrets).toEqual([second.secret, first.secret, secret]);

    service.clock.set(ends[1] ?? new Date());
    const later = await as.run(rotateWebhookSecret, on);
    await as.run(testWebhook, on);
    expect(sent.at(-1)?.secrets).toEqual([later.secret, second.secret, first.secret]);
  });

  it('rotate_secret: of several at once, one replaces the secret', async () => {
    const { endpoint, secret } = await create();
    const on = { endpointId: endpoint.id };
    const allRead = Promise.withResolvers<void>();
    const { list } = storage.webhooks;
    let reads = 0;
    storage.webhooks.list = async (id) => {
      const found = await list(id);
      reads += 1;
      if (reads === 5) allRead.resolve();
      await allRead.promise;
      return found;
    };
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => as.run(rotateWebhookSecret, on).then(({ secret: next }) => next, codeOf)),
    );
    const [next] = outcomes.filter((outcome) => outcome.startsWith('whsec_'));
    expect(outcomes.filter((outcome) => outcome === 'WEBHOOK_SECRET_REPLACED')).toHaveLength(4);
    await as.run(testWebhook, on);
    expect(sent.at(-1)?.secrets).toEqual([next, secret]);
  });

  it('rotate_secret: a secret that was replaced after the caller saw it is not replaced again', async () => {
    const { endpoint } = await create();
    const seen = { endpointId: endpoint.id, secretVersion: endpoint.secretVersion };
    const { secret } = await as.run(rotateWebhookSecret, seen);
    await expect(as.run(rotateWebhookSecret, seen)).rejects.toEqual(withCode('WEBHOOK_SECRET_REPLACED'));
    await as.run(testWebhook, { endpointId: endpoint.id });
    expect(sent.at(-1)?.secrets[0]).toBe(secret);
  });

  it('pause: an endpoint that its receiver disables meanwhile stays disabled', async () => {
    const on = await onNew();
    const { change } = storage.webhooks;
    storage.webhooks.change = async (...input) => {
      storage.webhooks.change = change;
      await change(clientId, on.endpointId, { state: 'disabled' }, service.clock.now());
      return change(...input);
    };
    await expect(as.run(pauseWebhook, on)).rejects.toEqual(withCode('WEBHOOK_ENDPOINT_STATE'));
    expect(await as.run(getWebhook, on)).toMatchObject({ state: 'disabled' });
  });

  it.each([
    [4, 'paused'],
    [5, 'WEBHOOK_ENDPOINT_STATE'],
  ])('pause: after %i concurrent changes, the outcome is %s', async (changes, outcome) => {
    const on = await onNew();
    const change = vi.spyOn(storage.webhooks, 'change');
    for (let n = 0; n < changes; n += 1) change.mockResolvedValueOnce({ outcome: 'conflict' });
    expect(await as.run(pauseWebhook, on).then(({ state }) => state, codeOf)).toBe(outcome);
  });

  it('pause: of several at once, each finds the endpoint paused', async () => {
    const on = await onNew();
    const moved = await Promise.all(Array.from({ length: 5 }, () => as.run(pauseWebhook, on)));
    expect(moved.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'paused'));
  });

  it('rotate_secret: replaces a secret that cannot be decrypted, as its log asks for', async () => {
    const first = await create();
    const on = { endpointId: first.endpoint.id };
    const readable = await as.run(rotateWebhookSecret, on);
    const { list } = storage.webhooks;
    const get = (): never => {
      throw new Error('the key is lost');
    };
    storage.webhooks.list = async (id) => {
      const endpoints = await list(id);
      for (const { secret } of endpoints) Object.defineProperty(secret, 'value', { get, enumerable: true });
      return endpoints;
    };
    await expect(as.run(testWebhook, on)).rejects.toEqual(withCode('WEBHOOK_SECRET_UNREADABLE'));
    const rotated = await as.run(rotateWebhookSecret, on);
    expect(rotated.endpoint.replacedSecretsUntil).toEqual(readable.endpoint.replacedSecretsUntil);
    storage.webhooks.list = list;
    await as.run(testWebhook, on);
    expect(sent.map(({ secrets }) => secrets)).toEqual([[rotated.secret, first.secret]]);
  });

  it('remove: only with the name typed', async () => {
    const { endpoint: other } = await create({ name: 'shop 2' });
    const on = await onNew();
    await expect(as.run(removeWebhook, { ...on, name: 'shop 2' })).rejects.toEqual(withIssueAt('name'));
    expect((await as.run(listWebhooks, {})).endpoints).toHaveLength(2);
    await as.run(removeWebhook, { ...on, name: 'shop' });
    await expect(as.run(getWebhook, on)).rejects.toEqual(withCode('WEBHOOK_ENDPOINT_NOT_FOUND'));
    expect((await as.run(listWebhooks, {})).endpoints).toEqual([other]);
  });

  it('remove: an endpoint that is removed meanwhile is not found', async () => {
    const on = await onNew();
    storage.webhooks.remove = async () => ({ outcome: 'not_found' });
    const removed = as.run(removeWebhook, { ...on, name: 'shop' });
    await expect(removed).rejects.toEqual(withCode('WEBHOOK_ENDPOINT_NOT_FOUND'));
  });
});

describe('test', () => {
  it('sends a signed test immediately and returns the response; the log stays empty', async () => {
    const { endpoint, secret } = await create();
    await as.run(pauseWebhook, { endpointId: endpoint.id });
    const test = await as.run(testWebhook, { endpointId: endpoint.id });
    expect(test.response).toEqual(RESPONSE);
    expect(sent).toMatchObject([
      { url: URL_OF_SHOP, secrets: [secret], body: test.request, at: service.clock.now() },
    ]);
    expect(JSON.parse(test.request)).toEqual({
      type: 'webhook.test',
      timestamp: service.clock.now().toISOString(),
      data: { endpointId: endpoint.id },
    });
    const log = await as.run(listWebhookDeliveries, { endpointId: endpoint.id });
    expect(log).toEqual({ deliveries: [], next: null });
  });

  it('test: a service without a sender names the missing port', async () => {
    service = givenService();
    ({ as } = operationsAs(service, (await givenTeam(service)).owner));
    await expect(as.run(testWebhook, await onNew())).rejects.toThrow('The port `webhookSender` is missing');
  });

  it('test is refused after sixty in an hour', async () => {
    const on = await onNew();
    for (let n = 0; n < 60; n += 1) await as.run(testWebhook, on);
    await expect(as.run(testWebhook, on)).rejects.toEqual(withCode('RATE_LIMIT_EXCEEDED'));
    expect(sent).toHaveLength(60);
  });
});

describe('the log', () => {
  it('lists deliveries in pages, newest first, by state', async () => {
    const on = await onNew();
    await givenDeliveries(LOG_PAGE);
    expect(await as.run(listWebhookDeliveries, on)).toMatchObject({ next: null });
    await givenDeliveries(1);
    const first = await as.run(listWebhookDeliveries, on);
    expect(first.deliveries).toHaveLength(LOG_PAGE);
    const second = await as.run(listWebhookDeliveries, { ...on, after: first.next ?? '' });
    expect([second.deliveries.length, second.next]).toEqual([1, null]);
    const times = [...first.deliveries, ...second.deliveries].map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect((await as.run(listWebhookDeliveries, { ...on, state: 'failed' })).deliveries).toEqual([]);
    for (const after of ['the end', '_00000000-0000-7000-8000-00000000ffff'])
      await expect(as.run(listWebhookDeliveries, { ...on, after })).rejects.toEqual(withIssueAt('after'));
  });

  it('the log has the attempts of a delivery, and sends it again', async () => {
    const on = await onNew();
    await givenDeliveries(1);
    await givenAttempts('failed');
    const [delivery] = (await as.run(listWebhookDeliveries, { ...on, state: 'failed' })).deliveries;
    const onDelivery = { ...on, eventId: delivery?.eventId ?? '' };
    expect(await as.run(listWebhookAttempts, onDelivery)).toMatchObject([{ status: 500, response: 'a response' }]);
    expect(await as.run(resendWebhook, onDelivery)).toBe(1);
    expect(await as.run(resendWebhook, onDelivery)).toBe(0);
    const [again] = (await as.run(listWebhookDeliveries, on)).deliveries;
    expect(again).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it('sends all since a moment again, whether they failed or not', async () => {
    const on = await onNew();
    await givenDeliveries(1);
    await givenAttempts('delivered');
    service.clock.advance(DAY_MS);
    const since = service.clock.now().toISOString();
    await givenDeliveries(2);
    await givenAttempts('failed');
    expect(await as.run(resendWebhooksSince, { ...on, since })).toBe(2);
    await as.run(disableWebhook, on);
    const tooEarly = as.run(resendWebhooksSince, { ...on, since: '0000-01-01T00:00:00Z' });
    await expect(tooEarly).rejects.toEqual(withIssueAt('since'));
    const notATime = as.run(resendWebhooksSince, { ...on, since: '+010000-01-01T00:00:00Z' });
    await expect(notATime).rejects.toEqual(withIssueAt('since'));
    const refused = as.run(resendWebhooksSince, { ...on, since });
    await expect(refused).rejects.toEqual(withCode('WEBHOOK_ENDPOINT_STATE'));
  });

  it('an unknown delivery is not found', async () => {
    const unknown = { ...(await onNew()), eventId: '00000000-0000-7000-8000-00000000ffff' };
    await expect(as.run(listWebhookAttempts, unknown)).rejects.toEqual(withCode('WEBHOOK_DELIVERY_NOT_FOUND'));
    await expect(as.run(resendWebhook, unknown)).rejects.toEqual(withCode('WEBHOOK_DELIVERY_NOT_FOUND'));
  });
});

describe('expiry', () => {
  it.each([
    ['is sent', 'had an endpoint when it was due', [0], 1],
    ['is sent', 'had an endpoint when it was due, and got another one later', [0, 1], 1],
    ['is not sent', 'got its endpoint a millisecond later', [1], 0],
  ])('the expiry of an old verification %s if the client %s', async (_outcome, _what, created, count) => {
    await givenDeliveries(1);
    const due = service.clock.now().getTime() + 60 * DAY_MS;
    as = service.countersign.as({ kind: 'command_line' });
    const endpoints: EndpointWithSecret[] = [];
    for (const later of created) {
      service.clock.set(new Date(due + later));
      endpoints.push(await create({ clientId, types: ['verification.rejected'] }));
    }
    expect(await service.countersign.expiry.expire()).toMatchObject({ expired: 1 });
    await storage.webhooks.fanOut({ now: service.clock.now(), limit: 100 });
    const on = { clientId, endpointId: endpoints[0]?.endpoint.id ?? '' };
    expect((await as.run(listWebhookDeliveries, on)).deliveries).toHaveLength(count);
  });
});

describe('clients', () => {
  it('an endpoint of another client is not found by any action', async () => {
    const on = await onNew();
    const other = await givenTeam(service);
    const { as: foreign } = operationsAs(service, other.owner);
    const calls = [
      foreign.run(getWebhook, on),
      foreign.run(changeWebhook, { ...on, name: 'mine' }),
      foreign.run(pauseWebhook, on),
      foreign.run(rotateWebhookSecret, on),
      foreign.run(removeWebhook, { ...on, name: 'shop' }),
      foreign.run(testWebhook, on),
      foreign.run(listWebhookDeliveries, on),
      foreign.run(listWebhookAttempts, { ...on, eventId: 'event' }),
      foreign.run(resendWebhooksSince, { ...on, since: '2026-01-01T00:00:00Z' }),
    ];
    const codes = await Promise.all(calls.map((call) => call.then(() => 'done', codeOf)));
    expect(new Set(codes)).toEqual(new Set(['WEBHOOK_ENDPOINT_NOT_FOUND']));
    await expect(foreign.run(getWebhook, { ...on, clientId })).rejects.toEqual(withCode('CLIENT_NOT_FOUND'));
    expect(sent).toEqual([]);
  });

  it('the command line names the client', async () => {
    const shell = service.countersign.as({ kind: 'command_line' });
    const { endpoint } = await shell.run(createWebhook, { ...INPUT, types: [...INPUT.types], clientId });
    expect(endpoint).toMatchObject({ clientId, createdBy: null });
    await expect(shell.run(listWebhooks, {})).rejects.toEqual(withIssueAt('clientId'));
    const { clientId: other } = await givenClient(service);
    const wrong = shell.run(getWebhook, { clientId: other, endpointId: endpoint.id });
    await expect(wrong).rejects.toEqual(withCode('WEBHOOK_ENDPOINT_NOT_FOUND'));
    const unknown = shell.run(createWebhook, { ...INPUT, types: [...INPUT.types], clientId: 'unknown' });
    await expect(unknown).rejects.toEqual(withCode('CLIENT_NOT_FOUND'));
  });
});

function codeOf(error: unknown): string {
  return isCountersignError(error) ? error.code : String(error);
}
