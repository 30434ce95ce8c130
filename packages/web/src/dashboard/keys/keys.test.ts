import { PERMISSIONS } from '@countersign/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, type Fields } from '../../../test-support/console.ts';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../../test-support/dashboard.ts';

const NEW = '/dashboard/keys/new';
const GOOD: Fields = { name: 'Billing', permissions: ['verifications:read'], expiresInDays: '30' };
const KEY = /csk_[0-9a-f]{64}/;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let given: GivenDashboard;

beforeEach(async () => {
  given = await givenDashboard();
});

const keysNow = () => given.countersign.apiKeys.list(given.clientId);
const keyNamed = async (name: string) => {
  const key = (await keysNow()).find((one) => one.name === name);
  if (key === undefined) throw new Error(`Key not found: ${name}`);
  return key;
};
const make = async (fields: Fields = {}): Promise<string> => {
  const { text } = await given.send(NEW, { ...GOOD, ...fields });
  return KEY.exec(text)?.[0] ?? 'no key';
};

describe('the list of keys', () => {
  it('shows name, first and last characters, permissions, creator, expiry and state, never the key', async () => {
    const value = await make();
    const { words, text } = await given.open('/dashboard/keys');
    expect(words).toContain('2 of 10 active');
    expect(words).toContain('Billing');
    expect(words).toContain(`${value.slice(0, 8)}…${value.slice(-4)}`);
    expect(text).toContain('title="Read verifications (verifications:read)">Read</span>');
    expect(text).toMatch(/title="Billing: created [^"]+ by Clara Client"/);
    expect(words).toContain('In 30 days');
    expect(text).toMatch(/title="[^"]*created [^"]+ by an operator"/);
    expect(text).not.toContain(value);
    expect(text).not.toMatch(KEY);
  });

  it('shows when a key was last used, in words and exactly', async () => {
    const value = await make();
    expect((await given.open('/dashboard/keys')).words).toContain('Never');
    given.ports.clock.advance(3 * 60 * MINUTE);
    const usedAt = given.ports.clock.now();
    await given.countersign.authenticate(value);
    await expect.poll(async () => (await keyNamed('Billing')).lastUsedAt).toEqual(usedAt);
    expect((await given.open('/dashboard/keys')).words).toContain('In the last 5 minutes');
    given.ports.clock.advance(2 * DAY);
    const { text } = await given.open('/dashboard/keys');
    expect(text).toMatch(new RegExp(`<time datetime="${usedAt.toISOString()}"[^>]*>2 days ago</time>`));
  });

  it('shows that a key has expired', async () => {
    await make();
    given.ports.clock.advance(30 * DAY);
    const { words } = await given.open('/dashboard/keys');
    expect(words).toContain('Expired');
    expect(words).toContain('No longer works');
    expect(words).toContain('1 of 10 active');
  });
});

describe('a new key', () => {
  it('asks for the password first and returns to the form', async () => {
    for (const request of [given.get(NEW, CLARA), given.post(NEW, GOOD, CLARA)]) {
      const { status, headers } = await request;
      expect(status).toBe(303);
      expect(headers.get('Location')).toBe('/kyc/account/confirm?returnTo=%2Fdashboard%2Fkeys%2Fnew');
    }
    expect(await keysNow()).toHaveLength(1);
    expect(await given.lastLine()).toMatchObject({
      action: 'api_keys.create',
      outcome: 'refused',
      detail: { code: 'CONFIRMATION_NEEDED' },
    });
  });

  it('asks for the password again after ten minutes', async () => {
    const Cookie = given.accounts.signedIn(CLARA, { confirmedAt: given.ports.clock.now() });
    expect((await given.get(NEW, CLARA, { Cookie })).status).toBe(200);
    given.ports.clock.advance(10 * MINUTE);
    expect((await given.get(NEW, CLARA, { Cookie })).status).toBe(303);
    expect((await given.post(NEW, GOOD, CLARA, { Cookie })).status).toBe(303);
    expect(await keysNow()).toHaveLength(1);
  });

  it('a new key is shown once, with a command to try it, and works', async () => {
    const { status, headers, text, words } = await given.send(NEW, { ...GOOD, permissions: ['*'] });
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const value = KEY.exec(text)?.[0] ?? '';
    expect(text).toMatch(new RegExp(`<input[^>]*value="${value}"[^>]*readonly`));
    expect(text).toMatch(/<button[^>]*data-copy="new-key"[^>]*hidden/);
    expect(text).toContain('data-reload="/kyc/dashboard/keys"');
    expect(words).toContain(`curl -H 'X-API-Key: ${value}' 'https://verify.example/kyc/api/v1/verifications'`);
    expect(words).toContain('shown only once');
    const principal = await given.countersign.authenticate(value);
    expect(principal.clientId).toBe(given.clientId);
    expect((await given.open(NEW)).text).not.toContain(value);
    expect((await keyNamed('Billing')).createdBy).toBe(CLARA);
  });

  it.each(['never', '30', '90', '180', '365'])('expires in days: %s', async (expiry) => {
    await make({ expiresInDays: expiry === 'never' ? '' : expiry });
    const { createdAt, expiresAt } = await keyNamed('Billing');
    const days = expiresAt === null ? 'never' : String((expiresAt.getTime() - createdAt.getTime()) / DAY);
    expect(days).toBe(expiry);
  });

  it.each<[what: string, fields: Fields, message: string]>([
    ['no name', { name: ' ' }, 'Enter a name'],
    ['a name that is too long', { name: 'x'.repeat(101) }, 'at most 100 characters'],
    ['a name of two lines', { name: 'a\nb' }, 'Enter it on one line'],
    ['no permission', { permissions: [] }, 'Choose at least one permission'],
    ['an unknown permission', { permissions: ['*', 'admin'] }, 'permission from the list'],
    ['another expiry', { expiresInDays: '31' }, 'Choose a time from the list'],
    ['a made-up expiry', { expiresInDays: '1e9' }, 'Choose a time from the list'],
  ])(
    'refused with %s: the form keeps what was typed, no key is made, an audit entry is written',
    async (_, fields, message) => {
      const { status, words, text } = await given.send(NEW, { ...GOOD, name: 'Kept <name>', ...fields });
      expect(status).toBe(422);
      expect(words).toContain(message);
      expect(text).toContain('role="alert"');
      if (!('name' in fields)) expect(text).toContain('value="Kept &lt;name&gt;"');
      if (!('permissions' in fields)) expect(text).toMatch(/value="verifications:read"[^>]*checked/);
      expect(await keysNow()).toHaveLength(1);
      expect(await given.lastLine()).toMatchObject({ action: 'api_keys.create', outcome: 'refused' });
    },
  );

  it('shows all missing fields at once', async () => {
    const { words } = await given.send(NEW, { expiresInDays: '30' });
    expect(words).toContain(
      'There is a problem Enter a name Choose at least one permission from the list Create a key',
    );
  });

  it('a new key is refused at the limit: the page gives the reason, and a post gets 409', async () => {
    for (let count = 2; count <= 10; count += 1) await make({ name: `Key ${count}` });
    const page = await given.open(NEW);
    expect(page.status).toBe(200);
    expect(page.words).toContain('This client has reached its limit of active keys');
    expect(page.text).not.toContain('name="permissions"');
    const eleventh = await given.send(NEW, GOOD);
    expect(eleventh.status).toBe(409);
    expect(eleventh.words).toContain('This client has reached its limit of active keys');
    expect(await keysNow()).toHaveLength(10);
    expect(await given.lastLine()).toMatchObject({ detail: { code: 'API_KEY_LIMIT_REACHED' } });
    expect((await given.open('/dashboard/keys')).words).toContain('10 of 10 active');
  });

  it('two posts at the same time for the last key: one is refused', async () => {
    for (let count = 2; count <= 9; count += 1) await make({ name: `Key ${count}` });
    const answers = await Promise.all([given.send(NEW, GOOD), given.send(NEW, GOOD)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await keysNow()).toHaveLength(10);
  });

  it.each([ANDY, VERA])('%s gets 403 for every page of keys', async (who) => {
    for (const path of ['/dashboard/keys', NEW]) {
      const { status, words } = await given.open(path, who);
      expect(status).toBe(403);
      expect(words).toContain('Your role does not allow this');
    }
    expect((await given.send(NEW, GOOD, who)).status).toBe(403);
    expect(await given.lastLine()).toMatchObject({ actor: { id: who }, outcome: 'refused' });
    expect(await keysNow()).toHaveLength(1);
    expect((await given.open('/dashboard', who)).text).not.toContain('/dashboard/keys');
  });

  it('offers every permission by its text and its code', async () => {
    const { text, words } = await given.open(NEW);
    for (const permission of PERMISSIONS) {
      expect(text).toContain(`type="checkbox" id="field-permissions`);
      expect(text).toContain(`value="${permission}"`);
      expect(words).toContain(permission);
    }
  });
});

describe('replacing a key', () => {
  it('makes a key with the same name and permissions, and links to revoking the old one', async () => {
    const old = await make({ permissions: ['verifications:create', 'verifications:read'] });
    const { id } = await keyNamed('Billing');
    const page = await given.open(`/dashboard/keys/${id}/rotate`);
    expect(page.words).toContain('The old one keeps working until you revoke it');

    const { status, text, words } = await given.send(`/dashboard/keys/${id}/rotate`, { expiresInDays: '365' });
    expect(status).toBe(200);
    const value = KEY.exec(text)?.[0] ?? '';
    expect(value).not.toBe(old);
    expect(text).toContain(`href="/kyc/dashboard/keys/${id}/revoke"`);
    expect(words).toContain('still works');
    const [newest, before] = await keysNow();
    expect(newest).toMatchObject({ name: 'Billing', permissions: before?.permissions });
    for (const key of [old, value])
      expect((await given.countersign.authenticate(key)).clientId).toBe(given.clientId);
  });

  it('asks for the password first', async () => {
    await make();
    const { id } = await keyNamed('Billing');
    const path = `/dashboard/keys/${id}/rotate`;
    for (const request of [given.get(path, CLARA), given.post(path, { expiresInDays: '30' }, CLARA)]) {
      const { status, headers } = await request;
      expect(status).toBe(303);
      expect(headers.get('Location')).toBe(`/kyc/account/confirm?returnTo=${encodeURIComponent(path)}`);
    }
    expect(await keysNow()).toHaveLength(2);
  });

  it('replacing a key is refused with an unknown expiry', async () => {
    await make();
    const { id } = await keyNamed('Billing');
    const { status, words } = await given.send(`/dashboard/keys/${id}/rotate`, { expiresInDays: '7' });
    expect(status).toBe(422);
    expect(words).toContain('Choose a time from the list');
    expect(await keysNow()).toHaveLength(2);
  });

  it('replacing a key is refused for a key that is not active', async () => {
    await make();
    const { id } = await keyNamed('Billing');
    await given.countersign.apiKeys.revoke(given.clientId, id);
    expect((await given.open(`/dashboard/keys/${id}/rotate`)).words).toContain('This key is not active');
    const { status } = await given.send(`/dashboard/keys/${id}/rotate`, { expiresInDays: '30' });
    expect(status).toBe(409);
    expect(await keysNow()).toHaveLength(2);
  });

  it('replacing a key is refused at the limit', async () => {
    for (let count = 2; count <= 10; count += 1) await make({ name: `Key ${count}` });
    const { id } = await keyNamed('Key 5');
    expect((await given.open(`/dashboard/keys/${id}/rotate`)).words).toContain(
      'This client has reached its limit of active keys',
    );
    expect((await given.send(`/dashboard/keys/${id}/rotate`, { expiresInDays: '30' })).status).toBe(409);
    expect(await keysNow()).toHaveLength(10);
  });
});

describe('revoking a key', () => {
  it('a wrong name revokes nothing', async () => {
    const value = await make({ name: 'Billing <b>' });
    const { id } = await keyNamed('Billing <b>');
    const path = `/dashboard/keys/${id}/revoke`;
    for (const name of ['', 'billing <b>', 'tests']) {
      const { status, words, text } = await given.send(path, { name });
      expect(status).toBe(422);
      expect(words).toContain('Nothing was revoked.');
      expect(text).toContain(`value="${name.replace('<b>', '&lt;b&gt;')}"`);
    }
    expect((await keyNamed('Billing <b>')).revokedAt).toBeNull();
    expect(await given.lastLine()).toMatchObject({ action: 'api_keys.revoke', outcome: 'refused' });

    const done = await given.send(path, { name: 'Billing <b>' });
    expect(done.status).toBe(303);
    expect(done.headers.get('Location')).toBe('/kyc/dashboard/keys?done=revoked');
    expect((await given.open('/dashboard/keys?done=revoked')).words).toContain('The key is revoked.');
    await expect(given.countersign.authenticate(value)).rejects.toMatchObject({ code: 'API_KEY_REVOKED' });
  });

  it('a revoked key shows that it is revoked, and a post gets 409', async () => {
    await make();
    const { id } = await keyNamed('Billing');
    await given.send(`/dashboard/keys/${id}/revoke`, { name: 'Billing' });
    const { revokedAt } = await keyNamed('Billing');
    const page = await given.open(`/dashboard/keys/${id}/revoke`);
    expect(page.words).toContain('This key is already revoked');
    expect(page.text).not.toContain('name="name"');
    given.ports.clock.advance(MINUTE);
    expect((await given.send(`/dashboard/keys/${id}/revoke`, { name: 'Billing' })).status).toBe(409);
    expect((await keyNamed('Billing')).revokedAt).toEqual(revokedAt);
    expect(await given.lastLine()).toMatchObject({
      action: 'api_keys.revoke',
      outcome: 'refused',
      targetId: id,
      detail: { code: 'API_KEY_REVOKED' },
    });
  });

  it('a key without a name is revoked by its first and last characters', async () => {
    const { key } = await given.countersign.apiKeys.issue(given.clientId, { permissions: ['*'] });
    expect((await given.open(`/dashboard/keys/${key.id}/revoke`)).words).toContain(key.display);
    const { status } = await given.send(`/dashboard/keys/${key.id}/revoke`, { name: key.display });
    expect(status).toBe(303);
  });
});

describe('the audit log', () => {
  it('the audit log has a line before each action and one for its result, without keys and names', async () => {
    const value = await make({ name: 'A secret name' });
    const { id, display } = await keyNamed('A secret name');
    await given.send(`/dashboard/keys/${id}/revoke`, { name: 'A secret name' });
    const lines = await given.audit();
    expect(lines.map(({ action, outcome, targetId }) => [action, outcome, targetId])).toEqual([
      ['api_keys.create', 'allowed', null],
      ['api_keys.create', 'allowed', id],
      ['api_keys.revoke', 'allowed', id],
    ]);
    expect(lines[0]).toMatchObject({ detail: { permissions: ['verifications:read'], expiresInDays: 30 } });
    expect(lines[1]).toMatchObject({ detail: { display, of: 1 } });
    for (const secret of [value, 'A secret name']) expect(JSON.stringify(lines)).not.toContain(secret);
  });
});

describe('in German', () => {
  it('every page of keys', async () => {
    await make();
    const { id } = await keyNamed('Billing');
    const german = {
      Cookie: `${given.accounts.signedIn(CLARA, { confirmedAt: given.ports.clock.now() })}; language=de`,
    };
    for (const [path, words] of [
      ['/dashboard/keys', '2 von 10 aktiv'],
      [NEW, 'Schlüssel erstellen'],
      [`/dashboard/keys/${id}/rotate`, 'Schlüssel ersetzen'],
      [`/dashboard/keys/${id}/revoke`, 'Schlüssel widerrufen'],
    ] as const) {
      expect((await given.get(path, CLARA, german)).words).toContain(words);
    }
  });
});

describe('networks of a key', () => {
  it('networks of a key are entered one on each line, and shown in the list', async () => {
    await make({ networks: '203.0.113.77/24\r\n\r\n 2001:DB8::1 ' });
    expect((await keyNamed('Billing')).networks).toEqual(['203.0.113.0/24', '2001:db8::1/128']);
    const { text } = await given.open('/dashboard/keys');
    expect(text).toContain('title="203.0.113.0/24\n2001:db8::1/128">2 networks</span>');
    expect(text).toMatch(/<td[^>]*>All<\/td>/);
  });

  it('networks of a key can be left out', async () => {
    await make({ networks: '' });
    expect((await keyNamed('Billing')).networks).toEqual([]);
  });

  it('networks of a key are quoted at their field if they are not networks', async () => {
    const { status, words, text } = await given.send(NEW, { ...GOOD, networks: '10.0.0.0/8\n10.0.0.0/33' });
    expect(status).toBe(422);
    expect(words).toContain('“10.0.0.0/33” is not a network');
    expect(text).toContain('10.0.0.0/8\n10.0.0.0/33');
    expect(await keysNow()).toHaveLength(1);
  });

  it('networks of a key are at most fifty', async () => {
    const networks = Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`).join('\n');
    expect((await given.send(NEW, { ...GOOD, networks })).words).toContain('Enter at most 50 networks');
    expect(await keysNow()).toHaveLength(1);
  });

  it('the audit log has each refusal of a key of another client, and the field that was refused first', async () => {
    const targetId = given.foreign.keyId;
    expect((await given.send(`/dashboard/keys/${targetId}/revoke`, { name: '' })).status).toBe(404);
    const lines = (await given.audit()).map(({ action, outcome, targetId: of, detail }) => ({
      action,
      outcome,
      of,
      detail,
    }));
    const refused = { outcome: 'refused', of: targetId };
    expect(lines).toEqual([
      { ...refused, action: 'api_keys.revoke', detail: { code: 'INVALID_PARAMETERS', fields: 'name' } },
      { ...refused, action: 'api_keys.get', detail: { code: 'API_KEY_NOT_FOUND' } },
    ]);
  });
});
