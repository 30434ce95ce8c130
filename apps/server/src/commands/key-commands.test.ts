import { describe, expect, test } from 'vitest';
import { type Created, operatorOfEachTest } from '../../test-support/operator.ts';

const { run, json, newClient } = operatorOfEachTest();

describe('key', () => {
  interface Key extends Created {
    readonly key: string;
    readonly expiresAt: string | null;
    readonly createdAt: string;
  }
  const createKey = (client: string, ...more: string[]) =>
    json<Key>(`key create --client ${client} --permissions verifications:create,verifications:read`, ...more);

  test('create shows the key once; list does not show it', async () => {
    const client = await newClient();

    const key = await createKey(client.id, '--name', 'Backend', '--expires', '30');

    expect(key).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      key: expect.stringMatching(/^csk_[0-9a-f]{64}$/),
      clientId: client.id,
      name: 'Backend',
      permissions: ['verifications:create', 'verifications:read'],
      state: 'active',
    });
    expect(Date.parse(key.expiresAt ?? '') - Date.parse(key.createdAt)).toBe(30 * 24 * 60 * 60 * 1000);
    const { key: value, ...listed } = key;
    expect(await json(`key list --client ${client.id}`)).toEqual([listed]);
    const { out } = await run(`key list --client ${client.id}`);
    expect(out).toContain(key.id);
    expect(out).not.toContain(value);
  });

  test('create takes networks, and list shows them', async () => {
    const client = await newClient();
    const key = await createKey(client.id, '--networks', '203.0.113.77/24,2001:DB8::1');
    const networks = ['203.0.113.0/24', '2001:db8::1/128'];
    expect(key).toMatchObject({ networks });
    expect(await json(`key list --client ${client.id}`)).toMatchObject([{ networks }]);
    expect((await run(`key list --client ${client.id}`)).out).toContain(networks.join(','));
    const bad = await run(`key create --client ${client.id} --permissions * --networks 10.0.0.0/33`);
    expect([bad.exitCode, bad.out]).toEqual([2, '']);
    expect(bad.err).toContain("option '--networks', value 1: must be a network in CIDR notation");
  });

  test('create-first creates a key once', async () => {
    const { id } = await newClient();
    const command = `key create-first --client ${id} --permissions * --json`;

    expect(JSON.parse((await run(command)).out)).toMatchObject({ clientId: id, state: 'active' });
    const again = await run(command);

    expect([again.exitCode, again.out]).toEqual([1, '']);
    expect(again.err).toContain('(API_KEY_EXISTS)');
    expect(await json(`key list --client ${id}`)).toHaveLength(1);
  });

  test('create prints the key on its own line', async () => {
    const client = await newClient();
    const { out } = await run(`key create --client ${client.id} --permissions *`);
    expect(out).toMatch(/^Key [0-9a-f-]{36}: shown only now\ncsk_[0-9a-f]{64}\n$/);
  });

  test.each([
    ['accepts the id as an argument', (key: string) => [key]],
    ['accepts the id as an option', (key: string) => ['--key', key]],
    ['accepts a client and a key', (key: string, client: string) => ['--client', client, '--key', key]],
  ])('revoke %s', async (_, options) => {
    const client = await newClient();
    const key = await createKey(client.id);

    const revoked = await json('key revoke', ...options(key.id, client.id));

    expect(revoked).toMatchObject({ id: key.id, state: 'revoked', revokedAt: expect.stringMatching(/Z$/) });
    expect(await json(`key list --client ${client.id}`)).toEqual([revoked]);
    expect(await json(`key revoke ${key.id}`)).toEqual(revoked);
  });

  test('key create without permissions: reports an unknown client first, then the missing option', async () => {
    const { id } = await newClient();
    expect(await run('key create --client nope')).toMatchObject({
      exitCode: 1,
      err: 'countersign: Client not found. Check its id. (CLIENT_NOT_FOUND)\n',
    });
    expect(await run(`key create --client ${id}`)).toEqual({
      exitCode: 2,
      out: '',
      err: "countersign: required option '--permissions <list>' not specified\n",
    });
  });

  test('create refuses the eleventh active key', async () => {
    const client = await newClient();
    for (let made = 0; made < 10; made++) await createKey(client.id);
    expect(await run(`key create --client ${client.id} --permissions *`)).toEqual({
      exitCode: 1,
      out: '',
      err: 'countersign: The client already has 10 active keys. Revoke one, then create the new key. (API_KEY_LIMIT_REACHED)\n',
    });
  });
});
