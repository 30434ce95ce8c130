import { CLIENT_CHOICES } from '@countersign/domain/clients';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, type Fields, OLGA, RITA } from '../../../test-support/console.ts';
import { ANDY, FRED, VERA } from '../../../test-support/dashboard.ts';
import { type GivenOperator, givenOperator } from '../../../test-support/operator.ts';

const NEW = '/admin/users/new';
const LINK = /https:\/\/verify\.example\/kyc\/account\/welcome\/([\w-]+)/;
const ACTIONS = ['role', 'invitation', 'second-factor', 'remove'] as const;

let given: GivenOperator;
let good: Fields;

beforeEach(async () => {
  given = await givenOperator();
  good = {
    email: 'new@example.org',
    name: 'Nina New',
    role: 'client',
    clientId: given.clientId,
    teamRole: 'agent',
  };
});

const userOf = (id: string) => given.accounts.staff.find(id);
const withEmail = (email: string) => given.accounts.staff.findByEmail(email);

describe('the list of users', () => {
  it('shows all users, with and without a client', async () => {
    await given.accounts.staff.create({ email: 'late@example.org', role: 'reviewer' });
    const { words } = await given.open('/admin/users');
    expect(words).toContain('8 users');
    expect(words).toContain('Rita Ora rita@example.org Reviewer None Joined No');
    expect(words).toContain('Olga Op (you) olga@example.org Operator None Joined No');
    expect(words).toContain('Vera <b>Viewer</b> vera@example.org Client: Viewer Acme Bank Joined No');
    expect(words).toContain('Fred Foreign fred@example.org Client: Owner Other Bank Joined No');
    expect(words).toContain('late late@example.org Reviewer None Invited No');
  });
});

it('the list of users can be searched by e-mail address, and has pages', async () => {
  for (let n = 100; n < 160; n += 1) {
    await given.accounts.staff.create({ email: `reader${n}@example.org`, role: 'reviewer' });
  }
  const first = await given.open('/admin/users?email=READER');
  expect(first.words).toContain('60 users');
  expect(first.words).toContain('reader149@example.org');
  expect(first.words).not.toContain('reader150@example.org');
  expect(first.words).not.toContain('rita@example.org');
  const [, next = ''] =
    /href="\/kyc(\/admin\/users\?email=READER&amp;after=[^"]+)" rel="next"/.exec(first.text) ?? [];
  expect(next).not.toContain('@');
  const second = await given.open(next.replaceAll('&amp;', '&'));
  expect(second.words).toContain('reader150@example.org');
  expect(second.words).not.toContain('reader149@example.org');
  expect(second.words).toContain('This is the last page');
  const forged = await given.open('/admin/users?after=nobody');
  expect(forged.status).toBe(400);
  expect(forged.words).toContain('This page of the list does not exist');
  expect((await given.open('/admin/users?email=nobody')).words).toContain('No user has an address like this');
});

describe('a new user', () => {
  it('is asked for with a confirmed identity', async () => {
    for (const request of [given.get(`${NEW}?client=c`, OLGA), given.post(NEW, good, OLGA)]) {
      const { status, headers } = await request;
      expect(status).toBe(303);
      expect(headers.get('Location')).toMatch(/^\/kyc\/account\/confirm\?returnTo=%2Fadmin%2Fusers%2Fnew/);
    }
    expect(await withEmail('new@example.org')).toBeNull();
    expect(await given.lastLine()).toMatchObject({
      action: 'users.create',
      outcome: 'refused',
      detail: { code: 'CONFIRMATION_NEEDED' },
    });
  });

  it('for a client begins with that client', async () => {
    const { text } = await given.open(`${NEW}?client=${given.clientId}`);
    expect(text).toMatch(/value="client"[^>]*checked/);
    expect(text).toContain(`<option value="${given.clientId}" selected="">`);
  });

  it.each<[role: string, fields: Fields]>([
    ['client', {}],
    ['reviewer', { role: 'reviewer', clientId: '', teamRole: '' }],
    ['operator', { role: 'operator', clientId: '', teamRole: '' }],
  ])('gets a one-time link, shown once, that works: %s', async (role, fields) => {
    const { status, headers, text } = await given.send(NEW, { ...good, ...fields });
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const token = LINK.exec(text)?.[1] ?? '';
    expect((await given.accounts.invitationOf(token))?.email).toBe('new@example.org');
    const made = await withEmail('new@example.org');
    expect(made?.role).toBe(role);
    expect((await given.open(`/admin/users/${made?.id}`)).text).not.toContain(token);
    const line = await given.lastLine();
    expect(line).toMatchObject({ action: 'users.create', outcome: 'allowed', targetId: made?.id });
    expect(JSON.stringify(await given.audit())).not.toMatch(/example\.org|Nina/);
  });

  it('gets one of many clients by its name or id', async () => {
    for (let n = 0; n <= CLIENT_CHOICES; n += 1) {
      await given.countersign.clients.create({ name: `Zebra ${n}`, plan: 'none' });
    }
    const { text } = await given.open(NEW);
    expect(text).toMatch(/<input [^>]*name="clientId"[^>]*list="field-clientId-suggestions"/);
    for (const [index, clientId] of ['acme BANK', given.clientId].entries()) {
      const email = `new${index}@example.org`;
      expect((await given.send(NEW, { ...good, email, clientId })).status).toBe(200);
      expect((await withEmail(email))?.clientId).toBe(given.clientId);
    }
    for (const clientId of ['zebra', 'Nobody']) {
      const { status, words } = await given.send(NEW, { ...good, clientId });
      expect(status).toBe(409);
      expect(words).toContain('enter its full name or id');
    }
  });

  it.each<[what: string, fields: Fields, message: string, status?: number]>([
    ['no e-mail', { email: '' }, 'Enter an e-mail'],
    ['an invalid e-mail', { email: 'nobody' }, 'Enter an e-mail'],
    ['an e-mail that has an account', { email: ' RITA@example.org' }, 'already has an account', 409],
    ['no role', { role: '' }, 'Choose a role'],
    ['an unknown role', { role: 'root' }, 'Choose a role'],
    ['no client', { clientId: '' }, 'Choose the client'],
    ['an unknown client', { clientId: 'no-such-client' }, 'There is no such client', 409],
    ['no role in the team', { teamRole: '' }, 'Choose a role in the team'],
    ['an unknown role in the team', { teamRole: 'admin' }, 'With the role Client, choose a role in the team'],
    ['a client for a reviewer', { role: 'reviewer', teamRole: '' }, 'belong to a client'],
    [
      'a role in a team for an operator',
      { role: 'operator', clientId: '' },
      'With any other role, leave it empty',
    ],
  ])('is refused with %s: what was typed stays, a line is written', async (_, fields, message, status = 422) => {
    const before = await given.everything();
    const { words, text, ...answer } = await given.send(NEW, { ...good, ...fields });
    expect(answer.status).toBe(status);
    expect(words).toContain(message);
    expect(text).toContain('value="Nina New"');
    expect(text).not.toMatch(LINK);
    expect(await given.everything()).toEqual(before);
    expect(await given.lastLine()).toMatchObject({ action: 'users.create', outcome: 'refused' });
    expect(JSON.stringify(await given.audit())).not.toContain('example.org');
  });
});

describe('one user', () => {
  it('an unknown user gets 404 on every page and form, and an audit entry', async () => {
    const before = await given.everything();
    for (const id of ['no-such-user', given.clientId, '%00', '__proto__', 'x'.repeat(500)]) {
      for (const path of ['', ...ACTIONS.map((name) => `/${name}`)]) {
        expect((await given.open(`/admin/users/${id}${path}`)).status).toBe(404);
        if (path === '') continue;
        await given.countersign.summariseRefusals();
        const { status } = await given.send(`/admin/users/${id}${path}`, { role: 'operator', email: 'x' });
        expect(status).toBe(404);
        expect(await given.lastLine()).toMatchObject({ outcome: 'refused', detail: { code: 'USER_NOT_FOUND' } });
        await given.countersign.summariseRefusals();
      }
    }
    expect(await given.everything()).toEqual(before);
  });

  it.each(ACTIONS)('is changed with a confirmed identity only: %s', async (action) => {
    const before = await given.everything();
    const path = `/admin/users/${VERA}/${action}`;
    const fields = { teamRole: 'owner', email: 'vera@example.org' };
    for (const request of [given.get(path, OLGA), given.post(path, fields, OLGA)]) {
      const { headers } = await request;
      expect(headers.get('Location')).toBe(`/kyc/account/confirm?returnTo=${encodeURIComponent(path)}`);
    }
    expect(await given.everything()).toEqual(before);
    expect(await given.lastLine()).toMatchObject({ outcome: 'refused', detail: { code: 'CONFIRMATION_NEEDED' } });
  });

  it.each(ACTIONS)('operators cannot change their own account here: %s', async (action) => {
    const before = await given.everything();
    const path = `/admin/users/${OLGA}`;
    expect((await given.open(path)).text).not.toContain(`${path}/${action}`);
    expect((await given.open(`${path}/${action}`)).words).toContain('This is your own account');
    const { status, words, text } = await given.send(`${path}/${action}`, {
      role: 'reviewer',
      email: 'olga@example.org',
    });
    expect(status).toBe(409);
    expect(words).toContain('Nothing was changed: another operator can do this');
    expect(text).not.toMatch(LINK);
    expect(await given.everything()).toEqual(before);
    expect(await given.lastLine()).toMatchObject({
      outcome: 'refused',
      targetId: OLGA,
      detail: { code: 'OWN_ACCOUNT' },
    });
  });
});

describe('another role', () => {
  it.each<[who: string, fields: Fields, expected: object]>([
    [VERA, { teamRole: 'owner' }, { role: 'client', teamRole: 'owner' }],
    // An operator decides whether a team may be without an owner.
    [FRED, { teamRole: 'viewer' }, { role: 'client', teamRole: 'viewer' }],
    [RITA, { role: 'operator' }, { role: 'operator', teamRole: null }],
    // A field that the page does not show is ignored.
    [VERA, { teamRole: 'owner', role: 'operator' }, { role: 'client', teamRole: 'owner' }],
  ])('is given to %s', async (who, fields, expected) => {
    const path = `/admin/users/${who}`;
    const { headers } = await given.send(`${path}/role`, fields);
    expect(headers.get('Location')).toBe(`/kyc${path}?done=role`);
    expect(await userOf(who)).toMatchObject(expected);
    expect((await given.open(`${path}?done=role`)).words).toContain('The role is changed');
    expect(await given.lastLine()).toMatchObject({ action: 'users.change_role', targetId: who });
  });

  it.each<[what: string, who: string, fields: Fields, message: string]>([
    ['none', VERA, {}, 'Choose a role'],
    ['an unknown one', VERA, { teamRole: 'admin' }, 'Choose a role'],
    ['one of another kind', VERA, { role: 'operator' }, 'Choose a role'],
    ['a team for a reviewer', RITA, { teamRole: 'owner' }, 'Choose a role'],
    ['an unknown one for a reviewer', RITA, { role: 'root' }, 'Choose a role'],
    ['the role of a team for a reviewer', RITA, { role: 'client' }, 'Choose a role'],
  ])('is refused: %s', async (_, who, fields, message) => {
    const before = await given.everything();
    const { status, words, text } = await given.send(`/admin/users/${who}/role`, fields);
    for (const [, id] of text.matchAll(/href="#(field-[^"]+)"/g)) expect(text).toContain(`id="${id}"`);
    expect(status).toBe(422);
    expect(words).toContain(message);
    expect(await given.everything()).toEqual(before);
    expect(await given.lastLine()).toMatchObject({
      action: 'users.change_role',
      outcome: 'refused',
      targetId: who,
    });
  });
});

describe('a new one-time link', () => {
  it('is shown only in the response to the form', async () => {
    const path = `/admin/users/${ANDY}/invitation`;
    expect((await given.open(path)).words).toContain('sets a new password');
    const { status, headers, text } = await given.send(path);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const token = LINK.exec(text)?.[1] ?? '';
    expect((await given.accounts.invitationOf(token))?.email).toBe('andy@example.org');
    expect((await given.open(path)).text).not.toContain(token);
    expect(JSON.stringify(await given.audit())).not.toContain(token);
    expect(await given.lastLine()).toMatchObject({
      action: 'users.invite',
      outcome: 'allowed',
      clientId: given.clientId,
      targetId: ANDY,
    });
  });
});

describe('resetting a second factor', () => {
  it('ends it and every session', async () => {
    given.accounts.staff.setUpSecondFactor(CLARA);
    const Cookie = given.accounts.signedIn(CLARA);
    const path = `/admin/users/${CLARA}/second-factor`;
    expect((await given.open(path)).words).toContain('lost the device');
    expect((await given.send(path)).status).toBe(303);
    expect((await given.get('/dashboard', CLARA, { Cookie })).status).toBe(303);
    expect((await given.open(path)).words).toContain('has no second factor');
    expect(await given.lastLine()).toMatchObject({ action: 'users.reset_second_factor', targetId: CLARA });
  });
});

describe('removing a user', () => {
  const path = `/admin/users/${VERA}/remove`;

  it('asks for their e-mail, and ends account and sessions', async () => {
    const Cookie = given.accounts.signedIn(VERA);
    const { headers } = await given.send(path, { email: ' Vera@Example.org ' });
    expect(headers.get('Location')).toBe('/kyc/admin/users?done=removed');
    expect((await given.open('/admin/users?done=removed')).words).toContain('The account is removed');
    expect(await userOf(VERA)).toBeNull();
    expect((await given.get('/dashboard', VERA, { Cookie })).status).toBe(303);
    expect(await given.lastLine()).toMatchObject({ action: 'users.remove', targetId: VERA, outcome: 'allowed' });
  });

  it.each(['', 'vera', 'rita@example.org'])('is refused with %j in its place', async (email) => {
    const before = await given.everything();
    const { status, words, text } = await given.send(path, { email });
    expect(status).toBe(422);
    expect(words).toContain('This is not the e-mail address of the account');
    expect(text).toContain(`value="${email}"`);
    expect(await given.everything()).toEqual(before);
    expect(await given.lastLine()).toMatchObject({
      action: 'users.remove',
      outcome: 'refused',
      targetId: VERA,
    });
  });
});

it('speaks German', async () => {
  const cookie = given.accounts.signedIn(OLGA, { confirmedAt: given.ports.clock.now() });
  const german = { Cookie: `${cookie}; language=de` };
  for (const [path, words] of [
    ['', '7 Konten'],
    ['/new', 'Neues Konto'],
    [`/${VERA}`, 'Kunde: Nur ansehen'],
    [`/${VERA}/role`, 'Rolle ändern'],
    [`/${VERA}/invitation`, 'Neuen Link erstellen'],
    [`/${VERA}/second-factor`, 'Zweiten Faktor zurücksetzen'],
    [`/${VERA}/remove`, 'Konto entfernen'],
    [`/${OLGA}`, 'Ihr eigenes Konto'],
  ] as const) {
    expect((await given.get(`/admin/users${path}`, OLGA, german)).words).toContain(words);
  }
});
