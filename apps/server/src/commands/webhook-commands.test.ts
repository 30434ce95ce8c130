import { describe, expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { type Created, operatorOfEachTest } from '../../test-support/operator.ts';

/** The secrets of endpoints are sealed. */
const SECRET_KEYS = Buffer.alloc(32, 7).toString('base64');

const operator = operatorOfEachTest(() => ({ SECRET_KEYS }));
const { run, json, newClient } = operator;

interface Endpoint extends Created {
  readonly secret?: string;
  readonly state: string;
  readonly types: readonly string[];
}

const SETTINGS = '--name shop --url https://receiver.invalid/hooks --types verification.approved';

const create = (client: string): Promise<Endpoint> =>
  json<Endpoint>(`webhook create --client ${client} ${SETTINGS}`);

describe('webhook', () => {
  test('create shows the secret once; list and get do not show it', async () => {
    const client = await newClient();
    const { secret, ...endpoint } = await create(client.id);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toMatchObject({ clientId: client.id, state: 'active', types: ['verification.approved'] });
    expect(await json(`webhook list --client ${client.id}`)).toEqual([endpoint]);
    expect(await json(`webhook get --client ${client.id} --endpoint ${endpoint.id}`)).toEqual(endpoint);
    expect(await json(`webhook get ${endpoint.id} --client ${client.id}`)).toEqual(endpoint);
    const { out } = await run(`webhook list --client ${client.id}`);
    expect(out).toContain('https://receiver.invalid/hooks');
    expect(out).not.toContain('whsec_');
  });

  test('create refuses SECRET_KEYS that open none of the stored secrets: it would seal a new one with them', async () => {
    const { id } = await newClient();
    await create(id);
    const given = `webhook create --client ${id} ${SETTINGS}`.split(' ');
    const wrong = { DATA_DIR: operator.dataDir, SECRET_KEYS: Buffer.alloc(32, 8).toString('base64') };
    expect(await runCommand(given, wrong)).toMatchObject({
      exitCode: 78,
      out: '',
      err: expect.stringContaining('SECRET_KEYS opens none of the stored data'),
    });
    expect(await json(`webhook list --client ${id}`)).toHaveLength(1);
  });

  test('change, pause, resume, disable, enable, rotate-secret and remove', async () => {
    const client = await newClient();
    const { id, secret } = await create(client.id);
    const on = `--client ${client.id} --endpoint ${id}`;
    expect(await json(`webhook change ${on} --types verification.created`)).toMatchObject({
      types: ['verification.created'],
    });
    for (const [move, state] of [
      ['pause', 'paused'],
      ['resume', 'active'],
      ['disable', 'disabled'],
      ['enable', 'active'],
    ] as const) {
      expect(await json(`webhook ${move} ${on}`)).toMatchObject({ id, state });
    }
    const rotated = await json<Endpoint>(`webhook rotate-secret ${on}`);
    expect(rotated.secret).not.toBe(secret);
    expect((await run(`webhook remove ${on} --name another`)).err).toContain(
      "'--name': must be the name of the endpoint: “shop”",
    );
    expect(await json(`webhook remove ${on} --name shop`)).toEqual({ id, clientId: client.id });
    expect(await json(`webhook list --client ${client.id}`)).toEqual([]);
  });

  test('the log of a new endpoint is empty', async () => {
    const client = await newClient();
    const { id } = await create(client.id);
    const on = `--client ${client.id} --endpoint ${id}`;
    expect(await json(`webhook deliveries ${on}`)).toEqual({ deliveries: [], next: null });
    expect((await run(`webhook deliveries ${on}`)).out).toBe('No deliveries\n');
    expect(await json(`webhook resend-since ${on} --since 2026-01-01`)).toEqual({ count: 0 });
    const { out } = await run(`webhook resend-since ${on} --since 2026-01-01`);
    expect(out).toBe('Nothing to send again: no finished delivery of an event since then\n');
    expect((await run(`webhook resend ${on} --event unknown`)).err).toContain('Delivery not found');
  });

  test.each([
    ['a URL with a password', ['--url', 'https://me:secret@shop.example/'], "'--url': must have no user name"],
    ['nothing to change', [], 'nothing to change'],
    ['an unknown type', ['--types', 'verification.claimed'], 'Expected some of verification.created'],
  ])('change refuses %s, and changes nothing', async (_what, options, message) => {
    const client = await newClient();
    const { id, secret: _, ...endpoint } = await create(client.id);
    const refused = await run(`webhook change --client ${client.id} --endpoint ${id}`, ...options);
    expect(refused).toMatchObject({ exitCode: 2, out: '', err: expect.stringContaining(message) });
    expect(await json(`webhook list --client ${client.id}`)).toEqual([{ id, ...endpoint }]);
  });

  test('an unknown client and an unknown endpoint are refused', async () => {
    const client = await newClient();
    expect((await run('webhook list --client unknown')).err).toContain('Client not found');
    const get = await run(`webhook get --client ${client.id} --endpoint unknown`);
    expect(get.err).toContain('Endpoint not found');
  });
});
