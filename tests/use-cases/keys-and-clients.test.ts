import { createMemoryStorage } from '@countersign/memory';
import { givenClient, givenService, outcomesOf } from '@countersign/test-support/service/service';
import { describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });
const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60 * 1000;

describe('a key', () => {
  it('a key is shown once; its hash and its display are stored', async () => {
    const service = givenService();
    const { clientId, value } = await givenClient(service);
    expect(value).toMatch(/^csk_[0-9a-f]{64}$/);
    const [stored] = await service.countersign.apiKeys.list(clientId);
    expect(JSON.stringify(stored)).not.toContain(value);
    expect(stored).toMatchObject({
      display: `${value.slice(0, 8)}…${value.slice(-4)}`,
      lastUsedAt: expect.any(Date),
    });
  });

  it('a key that is missing, malformed or unknown is refused with the messages of the interface', async () => {
    const { authenticate } = givenService().countersign;
    const required = { code: 'API_KEY_REQUIRED', message: 'API key is required. Provide it in X-API-Key header.' };
    await expect(authenticate(undefined)).rejects.toThrow(expect.objectContaining(required));
    await expect(authenticate('')).rejects.toThrow(expect.objectContaining(required));
    const invalid = expect.objectContaining({ code: 'INVALID_API_KEY', message: 'Invalid API key' });
    await expect(authenticate('nonsense')).rejects.toThrow(invalid);
    await expect(authenticate(`csk_${'0'.repeat(64)}`)).rejects.toThrow(invalid);
  });

  // A program that embedded the core without counting itself had no rate limit at all.
  it('a key of a Standard client lets 100 of 500 requests of one minute pass', async () => {
    const service = givenService();
    const { client } = await service.countersign.clients.create({ name: 'Acme', plan: 'standard' });
    const { value } = await service.countersign.apiKeys.issue(client.id, { permissions: ['*'] });
    const { authenticate } = service.countersign;
    const calls = await Promise.allSettled(Array.from({ length: 500 }, () => authenticate(value)));

    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    const message = 'Rate limit exceeded. Try again in 60 s.';
    const refusals = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason as unknown] : []));
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', message });

    service.clock.advance(MINUTE);
    await expect(authenticate(value)).resolves.toMatchObject({ clientId: client.id });
  });

  it('a key is not counted for a caller that counts requests itself', async () => {
    const service = givenService();
    const { value } = await givenClient(service);
    const { authenticate, rateLimits } = service.countersign;
    for (let n = 1; n <= 200; n += 1) await authenticate(value, { countRequest: false });

    const principal = await authenticate(value, { countRequest: false });
    await expect(rateLimits.forClient(principal)).resolves.toMatchObject({ allowed: true, remaining: 99 });
  });

  it('a key that is revoked is refused from the next request on', async () => {
    const service = givenService();
    const { clientId, keyId, value } = await givenClient(service);
    await service.countersign.apiKeys.revoke(clientId, keyId);
    const revoked = expect.objectContaining({ code: 'API_KEY_REVOKED', message: 'API key has been revoked' });
    await expect(service.countersign.authenticate(value)).rejects.toThrow(revoked);
    await service.countersign.apiKeys.revoke(clientId, keyId);
    await expect(service.countersign.authenticate(value)).rejects.toThrow(revoked);
  });

  it('a key of another client cannot be revoked', async () => {
    const service = givenService();
    const [one, other] = [await givenClient(service), await givenClient(service)];
    const attempt = service.countersign.apiKeys.revoke(one.clientId, other.keyId);
    await expect(attempt).rejects.toThrow(withCode('API_KEY_NOT_FOUND'));
    await expect(service.countersign.authenticate(other.value)).resolves.toBeDefined();
  });

  it('expires at its time', async () => {
    const service = givenService();
    const { value } = await givenClient(service, { expiresInDays: 30 });
    service.clock.advance(30 * DAY - 1);
    await expect(service.countersign.authenticate(value)).resolves.toBeDefined();
    service.clock.advance(1);
    await expect(service.countersign.authenticate(value)).rejects.toThrow(withCode('API_KEY_EXPIRED'));
  });

  it('40 keys created at once: 10 are active', async () => {
    const service = givenService();
    const { client } = await service.countersign.clients.create({ name: 'Acme', plan: 'standard' });
    const calls = Array.from({ length: 40 }, () =>
      service.countersign.apiKeys.issue(client.id, { permissions: ['*'] }),
    );
    expect(await outcomesOf(calls)).toEqual({ ok: 10, API_KEY_LIMIT_REACHED: 30 });
    expect(await service.countersign.apiKeys.list(client.id)).toHaveLength(10);
  });

  it.each([
    ['no permission', { permissions: [] }],
    ['an unknown permission', { permissions: ['verifications:delete'] }],
    ['an expiry outside the choices', { permissions: ['*'], expiresInDays: 31 }],
    ['a control character in its name', { permissions: ['*'], name: 'a\u001b[2Jb' }],
    ['a bidirectional control in its name', { permissions: ['*'], name: 'a\u202eb' }],
    ['an unknown field', { permissions: ['*'], admin: true }],
  ])('a key with %s is refused', async (_what, input) => {
    const service = givenService();
    const { client } = await service.countersign.clients.create({ name: 'Acme', plan: 'standard' });
    await expect(service.countersign.apiKeys.issue(client.id, input as never)).rejects.toThrow(
      withCode('INVALID_PARAMETERS'),
    );
    expect(await service.countersign.apiKeys.list(client.id)).toEqual([]);
  });
});

describe('clients and subscriptions', () => {
  it('a client without a subscription has an allowance of 0', async () => {
    const service = givenService();
    const { clients } = service.countersign;
    const { client } = await clients.create({ name: 'Acme', plan: 'none' });
    expect(await clients.usage(client.id)).toEqual({
      month: '2026-03',
      used: 0,
      allowance: 0,
      state: 'no_active_subscription',
    });
    await expect(clients.setSubscription(client.id, { status: 'active' })).rejects.toThrow(
      withCode('INVALID_PARAMETERS'),
    );
    await clients.setSubscription(client.id, { plan: 'enterprise' });
    expect((await clients.usage(client.id)).allowance).toBe(10_000);
  });

  it('a change sets the named fields only', async () => {
    const service = givenService();
    const { clients } = service.countersign;
    const { client } = await clients.create({ name: 'Acme', plan: 'standard', monthlyLimit: 5 });
    await clients.setSubscription(client.id, { plan: 'enterprise' });
    expect((await clients.usage(client.id)).allowance).toBe(5);
    await clients.setSubscription(client.id, { monthlyLimit: null });
    expect((await clients.usage(client.id)).allowance).toBe(10_000);
    await clients.setSubscription(client.id, { status: 'canceled' });
    expect((await clients.usage(client.id)).allowance).toBe(0);
  });

  it.each([
    ['before its start', -1, 'INVALID_PARAMETERS'],
    ['at its start', 0, 'INVALID_PARAMETERS'],
    ['right after its start, though past', 1, null],
  ])('an end %s: %i ms after it', async (_, ms, code) => {
    // Once only the pages checked this, and the command line could set an impossible end.
    const { countersign, clock } = givenService();
    const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
    const endsAt = new Date(clock.now().getTime() + ms);
    clock.advance(MINUTE);
    const set = countersign.clients.setSubscription(client.id, { status: 'canceled', endsAt });
    const issues = [expect.objectContaining({ path: 'endsAt', code: 'too_small' })];
    if (code === null) await expect(set).resolves.toMatchObject({ status: 'canceled', endsAt });
    else await expect(set).rejects.toMatchObject({ code, data: { issues } });
    const { subscription } = await countersign.clients.get(client.id);
    expect(subscription).toMatchObject(
      code === null ? { status: 'canceled', endsAt } : { status: 'active', endsAt: null },
    );
  });

  it('a first subscription cannot end before it starts, also when another call created it meanwhile', async () => {
    const storage = createMemoryStorage();
    const { find } = storage.clients;
    let between = async (): Promise<unknown> => undefined;
    const clients = {
      ...storage.clients,
      find: async (id: string) => {
        const found = await find(id);
        const happen = between;
        between = async () => undefined;
        await happen();
        return found;
      },
    };
    const { countersign, clock } = givenService({ storage: { ...storage, clients } });
    const { client } = await countersign.clients.create({ name: 'Acme', plan: 'none' });
    const set = (endsAt: Date) => countersign.clients.setSubscription(client.id, { plan: 'standard', endsAt });
    await expect(set(clock.now())).rejects.toThrow(withCode('INVALID_PARAMETERS'));
    expect((await countersign.clients.get(client.id)).subscription).toBeNull();

    const soon = new Date(clock.now().getTime() + 1);
    const start = clock.now();
    between = async () => {
      clock.advance(MINUTE);
      const began = await countersign.clients.setSubscription(client.id, { plan: 'enterprise' });
      clock.set(start.toISOString());
      return began;
    };
    await expect(set(soon)).rejects.toThrow(withCode('INVALID_PARAMETERS'));
    expect((await countersign.clients.get(client.id)).subscription).toMatchObject({
      plan: 'enterprise',
      startsAt: new Date(start.getTime() + MINUTE),
      endsAt: null,
    });
  });

  it.each([
    ['an empty name', { name: ' ', plan: 'standard' }],
    ['an unknown plan', { name: 'Acme', plan: 'gold' }],
    ['a negative limit', { name: 'Acme', plan: 'standard', monthlyLimit: -1 }],
  ])('a client with %s is refused', async (_what, input) => {
    const { clients } = givenService().countersign;
    await expect(clients.create(input as never)).rejects.toThrow(withCode('INVALID_PARAMETERS'));
    expect(await clients.list()).toEqual([]);
  });

  it('an unknown client is not found', async () => {
    const { clients, apiKeys } = givenService().countersign;
    const id = '00000000-0000-7000-8000-00000000ffff';
    await expect(clients.get(id)).rejects.toThrow(withCode('CLIENT_NOT_FOUND'));
    await expect(clients.setSubscription(id, { plan: 'standard' })).rejects.toThrow(withCode('CLIENT_NOT_FOUND'));
    await expect(apiKeys.issue(id, { permissions: ['*'] })).rejects.toThrow(withCode('CLIENT_NOT_FOUND'));
  });
});

describe('rate limits', () => {
  const passes = async (decide: () => Promise<{ allowed: boolean }>, requests: number) => {
    const decisions = await Promise.all(Array.from({ length: requests }, decide));
    return decisions.filter(({ allowed }) => allowed).length;
  };

  it.each([
    ['standard', 150, 100],
    ['enterprise', 600, 500],
    ['none', 150, 100],
  ] as const)('plan %s: of %i requests in a minute %i pass', async (plan, requests, passed) => {
    const service = givenService();
    const { principal } = await givenClient(service, { plan });
    const { rateLimits } = service.countersign;
    expect(await passes(() => rateLimits.forClient(principal), requests)).toBe(passed);
    service.clock.advance(MINUTE);
    expect((await rateLimits.forClient(principal)).allowed).toBe(true);
  });

  it('addresses of one IPv6 network share a bucket', async () => {
    const { rateLimits } = givenService().countersign;
    expect(await passes(() => rateLimits.forAddress('2001:db8::1'), 100)).toBe(100);
    expect((await rateLimits.forAddress('2001:db8::2')).allowed).toBe(false);
    expect((await rateLimits.forAddress('2001:db8:0:1::1')).allowed).toBe(true);
  });
});
