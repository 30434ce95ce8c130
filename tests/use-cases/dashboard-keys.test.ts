import { KEY_LIFETIMES_DAYS, MAX_ACTIVE_KEYS, MAX_KEY_NETWORKS } from '@countersign/domain';
import { dashboardOf } from '@countersign/test-support/installation/dashboard';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });
const DAY = 24 * 60 * 60 * 1000;

let service: Service;
let client: Awaited<ReturnType<typeof givenClient>>;

/** API keys of the client, as an owner who has just confirmed their identity. */
const apiKeys = (clientId: string = client.clientId) => dashboardOf(service, clientId).keys;
const newKey = (name = 'shop') => ({ name, permissions: ['verifications:read'] as const });
const stored = () => service.storage.apiKeys.list(client.clientId);

beforeEach(async () => {
  service = givenService();
  client = await givenClient(service);
});

describe('the list of keys', () => {
  it('names the creator of each, newest first, and the number of active keys', async () => {
    const { key } = await apiKeys().issue({ ...newKey(), expiresInDays: 30 });
    expect(key.createdBy).toBe('staff-1');
    const { keys, active, limit } = await apiKeys().list();
    expect(
      keys.map(({ name, createdBy, state, expiresInDays }) => [name, createdBy, state, expiresInDays]),
    ).toEqual([
      ['shop', 'staff-1', 'active', 30],
      ['', null, 'active', null],
    ]);
    expect([active, limit]).toEqual([2, 10]);
  });

  it('does not count revoked and expired keys, and rounds remaining days up', async () => {
    const { key } = await apiKeys().issue({ ...newKey(), expiresInDays: 30 });
    await apiKeys().revoke(client.keyId, (await apiKeys().get(client.keyId)).display);
    const shown = async () => {
      const { state, expiresInDays } = await apiKeys().get(key.id);
      return [state, expiresInDays, (await apiKeys().list()).active];
    };
    service.clock.advance(1);
    expect(await shown()).toEqual(['active', 30, 1]);
    service.clock.advance(29 * DAY - 1);
    expect(await shown()).toEqual(['active', 1, 1]);
    service.clock.advance(DAY - 1);
    expect(await shown()).toEqual(['active', 1, 1]);
    service.clock.advance(1);
    expect(await shown()).toEqual(['expired', null, 0]);
    expect((await apiKeys().get(client.keyId)).state).toBe('revoked');
  });
});

describe('a new key', () => {
  it.each([undefined, ...KEY_LIFETIMES_DAYS])('with a lifetime of %s days works', async (expiresInDays) => {
    const { value, key } = await apiKeys().issue({ ...newKey(' my shop '), expiresInDays });
    expect(key.name).toBe('my shop');
    await expect(service.countersign.authenticate(value)).resolves.toMatchObject({ clientId: client.clientId });
  });

  it.each([
    ['no name', { permissions: ['*'] }, 'name'],
    ['spaces for a name', { permissions: ['*'], name: '  ' }, 'name'],
    ['something else for a name', { permissions: ['*'], name: 7 }, 'name'],
    ['an unknown permission', { name: 'shop', permissions: ['keys:create'] }, 'permissions.0'],
    ['no permission', { name: 'shop', permissions: [] }, 'permissions'],
    ['an expiry outside the choices', { name: 'shop', permissions: ['*'], expiresInDays: 31 }, 'expiresInDays'],
  ])('with %s is refused at its field', async (_what, input, path) => {
    const issues = [expect.objectContaining({ path })];
    await expect(apiKeys().issue(input as never)).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETERS', data: { issues } }),
    );
    expect(await stored()).toHaveLength(1);
  });

  it('is refused while ten keys are active', async () => {
    for (let n = 1; n < MAX_ACTIVE_KEYS; n += 1) await apiKeys().issue(newKey(`key ${n}`));
    const refused = expect.objectContaining({
      code: 'API_KEY_LIMIT_REACHED',
      message: expect.stringContaining('Revoke one, then create'),
    });
    await expect(apiKeys().issue(newKey('one more'))).rejects.toThrow(refused);
    await expect(apiKeys().rotate(client.keyId, {})).rejects.toThrow(refused);
    expect(await stored()).toHaveLength(10);
    const { keys } = await apiKeys().list();
    await apiKeys().revoke(keys[0]?.id as string, keys[0]?.name as string);
    await expect(apiKeys().issue(newKey('one more'))).resolves.toBeDefined();
  });
});

describe('a rotation', () => {
  it('creates a key with the same name and permissions; the old one works until it is revoked', async () => {
    const old = await apiKeys().issue({ ...newKey(), expiresInDays: 30 });
    const { key, value, replaces } = await apiKeys().rotate(old.key.id, { expiresInDays: 90 });
    expect(replaces.id).toBe(old.key.id);
    expect(key).toMatchObject({ name: 'shop', permissions: ['verifications:read'], createdBy: 'staff-1' });
    expect(key.expiresAt).toEqual(new Date(service.clock.now().getTime() + 90 * DAY));
    await service.countersign.authenticate(old.value);
    await apiKeys().revoke(old.key.id, 'shop');
    await expect(service.countersign.authenticate(old.value)).rejects.toThrow(withCode('API_KEY_REVOKED'));
    await service.countersign.authenticate(value);
  });

  it('of a key without a name creates one without a name', async () => {
    const { key } = await apiKeys().rotate(client.keyId, {});
    expect(key).toMatchObject({ name: '', permissions: ['*'], expiresAt: null });
  });

  it('of an inactive key, with a wrong expiry, or of another client’s key is refused', async () => {
    const { key } = await apiKeys().issue(newKey());
    await expect(apiKeys().rotate(key.id, { expiresInDays: 7 as never })).rejects.toThrow(
      withCode('INVALID_PARAMETERS'),
    );
    await apiKeys().revoke(key.id, 'shop');
    await expect(apiKeys().rotate(key.id, {})).rejects.toThrow(withCode('API_KEY_NOT_ACTIVE'));
    const other = await givenClient(service);
    for (const id of [other.keyId, 'unknown', '']) {
      await expect(apiKeys().rotate(id, {})).rejects.toThrow(withCode('API_KEY_NOT_FOUND'));
    }
    expect(await stored()).toHaveLength(2);
    expect(await service.storage.apiKeys.list(other.clientId)).toHaveLength(1);
  });
});

describe('a revocation', () => {
  it.each(['', 'Shop', 'sho', 'shop2', 'csk_'])(
    'with %j typed instead of the name revokes nothing',
    async (typed) => {
      const { key, value } = await apiKeys().issue(newKey());
      await expect(apiKeys().revoke(key.id, typed)).rejects.toThrow(
        expect.objectContaining({
          code: 'INVALID_PARAMETERS',
          data: { issues: [expect.objectContaining({ path: 'name' })] },
        }),
      );
      await expect(service.countersign.authenticate(value)).resolves.toBeDefined();
    },
  );

  it('accepts the name, or the display of a key without one, and is refused the second time', async () => {
    const { key, value } = await apiKeys().issue(newKey());
    await apiKeys().revoke(key.id, ' shop ');
    await expect(apiKeys().revoke(key.id, ' shop ')).rejects.toThrow(withCode('API_KEY_REVOKED'));
    await expect(service.countersign.authenticate(value)).rejects.toThrow(withCode('API_KEY_REVOKED'));
    const { display } = await apiKeys().get(client.keyId);
    await apiKeys().revoke(client.keyId, display);
    await expect(service.countersign.authenticate(client.value)).rejects.toThrow(withCode('API_KEY_REVOKED'));
  });

  it('of another client’s key finds nothing, whatever is typed', async () => {
    const other = await givenClient(service);
    const { display } = await apiKeys(other.clientId).get(other.keyId);
    for (const id of [other.keyId, 'unknown']) {
      await expect(apiKeys().get(id)).rejects.toThrow(withCode('API_KEY_NOT_FOUND'));
      await expect(apiKeys().revoke(id, display)).rejects.toThrow(withCode('API_KEY_NOT_FOUND'));
    }
    await expect(service.countersign.authenticate(other.value)).resolves.toBeDefined();
  });
});

describe('networks of a key', () => {
  const lines = async () =>
    (await service.storage.audit.read(0, 1_000)).filter(({ action }) => action === 'api_keys.use');
  const call = (value: string, address?: string) =>
    service.countersign.authenticate(value, {
      ...(address !== undefined && { clientAddress: () => address }),
    });

  it('are kept in canonical form, each once, and copied to the key that replaces it', async () => {
    const networks = [' 203.0.113.77/24', '203.0.113.0/24', '2001:DB8::1', '::ffff:198.51.100.7'];
    const { key } = await apiKeys().issue({ ...newKey(), networks });
    const canonical = ['203.0.113.0/24', '2001:db8::1/128', '198.51.100.7/32'];
    expect(key.networks).toEqual(canonical);
    expect((await apiKeys().rotate(key.id, {})).key.networks).toEqual(canonical);
    expect((await stored()).map((each) => each.networks)).toEqual([canonical, canonical, []]);
  });

  it.each([
    [['203.0.113.0/24', '10.0.0.0/33'], 'networks.1', 'not_a_network'],
    [['shop.example'], 'networks.0', 'not_a_network'],
    [Array.from({ length: MAX_KEY_NETWORKS + 1 }, (_, n) => `10.0.0.${n}`), 'networks', 'too_many'],
  ])('are refused: %j', async (networks, path, code) => {
    await expect(apiKeys().issue({ ...newKey(), networks })).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path, code }] },
    });
  });

  it('can be fifty, and the audit log keeps their number', async () => {
    const networks = Array.from({ length: MAX_KEY_NETWORKS }, (_, n) => `10.0.0.${n}`);
    const { key } = await apiKeys().issue({ ...newKey(), networks });
    expect(key.networks).toHaveLength(MAX_KEY_NETWORKS);
    const entries = (await service.storage.audit.read(0, 1_000)).filter(({ targetId }) => targetId === key.id);
    expect(entries.map(({ detail }) => detail.networks)).toEqual([MAX_KEY_NETWORKS]);
    expect(JSON.stringify(entries)).not.toContain('10.0.0.');
  });

  it('refuse a request from elsewhere and without an address, with an entry that names key and address', async () => {
    const { key, value } = await apiKeys().issue({ ...newKey(), networks: ['203.0.113.0/24'] });
    await expect(call(value, '203.0.113.9')).resolves.toMatchObject({ keyId: key.id });
    expect(await lines()).toEqual([]);
    await expect(call(value, '192.0.2.1')).rejects.toEqual(withCode('INVALID_API_KEY'));
    await expect(call(value)).rejects.toEqual(withCode('INVALID_API_KEY'));
    expect(await lines()).toMatchObject([
      {
        actor: { kind: 'api_key', id: key.id },
        from: '192.0.2.1',
        outcome: 'refused',
        clientId: client.clientId,
        targetId: key.id,
        detail: { reason: 'network', code: 'INVALID_API_KEY' },
      },
      { from: null },
    ]);
    expect((await stored()).find(({ id }) => id === key.id)?.lastUsedAt).toEqual(service.clock.now());
  });

  it('leave at most ten entries a minute for a thousand refused requests from many networks', async () => {
    const { value } = await apiKeys().issue({ ...newKey(), networks: ['203.0.113.0/24'] });
    for (let n = 0; n < 1_000; n += 1) {
      await expect(call(value, `198.51.${n % 100}.1`)).rejects.toEqual(withCode('INVALID_API_KEY'));
    }
    await service.countersign.summariseRefusals();
    const entries = await lines();
    expect(entries.length).toBeLessThanOrEqual(10);
    expect(entries.reduce((sum, { detail }) => sum + Number(detail.count ?? 1), 0)).toBe(1_000);
  });

  it('apply to keys of the test twin, each to its own', async () => {
    const twin = await service.countersign.clients.testTwin(client.clientId);
    const { value } = await service.countersign.apiKeys.issue(twin.id, {
      permissions: ['*'],
      networks: ['203.0.113.0/24'],
    });
    await expect(call(value, '203.0.113.9')).resolves.toMatchObject({ mode: 'test' });
    await expect(call(value, '192.0.2.1')).rejects.toEqual(withCode('INVALID_API_KEY'));
  });

  it('do not apply to keys without any', async () => {
    const { value } = await apiKeys().issue({ ...newKey(), networks: [] });
    await expect(call(value)).resolves.toMatchObject({ clientId: client.clientId });
  });
});
