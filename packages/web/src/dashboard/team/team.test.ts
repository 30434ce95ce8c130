import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, type Fields } from '../../../test-support/console.ts';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../../test-support/dashboard.ts';

const INVITE = '/dashboard/team/invite';
const GOOD: Fields = { email: 'new@example.org', name: 'Nina New', teamRole: 'agent' };
const LINK = /https:\/\/verify\.example\/kyc\/account\/welcome\/([\w-]+)/;

let given: GivenDashboard;

beforeEach(async () => {
  given = await givenDashboard();
});

const team = () => given.accounts.staff.list({ clientId: given.clientId });
const roleOf = async (id: string) => (await team()).find((user) => user.id === id)?.teamRole;
const idOf = async (email: string) => (await given.accounts.staff.findByEmail(email))?.id ?? 'nobody';

describe('the team', () => {
  it('lists the users of the client and no others', async () => {
    const { words } = await given.open('/dashboard/team');
    expect(words).toContain('3 users');
    expect(words).toContain('Clara Client (you) clara@example.org Owner Joined');
    expect(words).toContain('Vera <b>Viewer</b>');
    expect(words).not.toContain('Fred');
  });

  it.each([ANDY, VERA])('%s sees the list and gets 403 for every form', async (who) => {
    const list = await given.open('/dashboard/team', who);
    expect(list.status).toBe(200);
    expect(list.text).not.toContain('/invite"');
    expect(list.text).not.toContain('/remove"');
    const forms: [string, Fields][] = [
      [INVITE, GOOD],
      [`/dashboard/team/${CLARA}/role`, { teamRole: 'viewer' }],
      [`/dashboard/team/${CLARA}/remove`, {}],
      [`/dashboard/team/${who}/role`, { teamRole: 'owner' }],
      [`/dashboard/team/${CLARA}/invitation`, {}],
    ];
    for (const [path, fields] of forms) {
      expect((await given.open(path, who)).status).toBe(403);
      expect((await given.send(path, fields, who)).status).toBe(403);
      expect(await given.lastLine()).toMatchObject({ actor: { id: who }, outcome: 'refused' });
    }
    expect(await team()).toHaveLength(3);
    expect(await roleOf(who)).not.toBe('owner');
  });
});

describe('an invitation', () => {
  it('asks for the password first', async () => {
    for (const request of [given.get(INVITE, CLARA), given.post(INVITE, GOOD, CLARA)]) {
      const { headers } = await request;
      expect(headers.get('Location')).toBe('/kyc/account/confirm?returnTo=%2Fdashboard%2Fteam%2Finvite');
    }
    expect(await team()).toHaveLength(3);
  });

  it('shows a working one-time link, once', async () => {
    const { status, headers, text, words } = await given.send(INVITE, GOOD);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(words).toContain('Link for Nina New');
    const [link, token = ''] = LINK.exec(text) ?? [];
    expect(text).toMatch(new RegExp(`<input[^>]*value="${link}"[^>]*readonly`));
    expect((await given.accounts.invitationOf(token))?.email).toBe('new@example.org');
    const list = await given.open('/dashboard/team');
    expect(list.words).toContain('Nina New new@example.org Agent Invited No');
    expect(list.text).not.toContain(token);
  });

  it('an invitation of an e-mail address that has an account elsewhere looks the same, in the list and on each page', async () => {
    const pagesOf = async (email: string) => {
      const [link = '', token = ''] = LINK.exec((await given.send(INVITE, { ...GOOD, email })).text) ?? [];
      const welcome = await given.get(`/account/welcome/${token}`);
      const list = await given.open('/dashboard/team');
      const id = /team\/([^/"]+)\/invitation/.exec(list.text)?.[1] ?? '';
      const pages = [list, welcome];
      for (const page of ['invitation', 'role', 'remove'])
        pages.push(await given.open(`/dashboard/team/${id}/${page}`));
      expect((await given.send(`/dashboard/team/${id}/remove`)).status).toBe(303);
      const variable = new RegExp([link, token, id, email].join('|'), 'g');
      return pages.map(({ status, text }) => [status, text.replaceAll(variable, '…')]);
    };
    const elsewhere = await pagesOf('fred@example.org');
    expect(elsewhere.map(([status]) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(elsewhere).toEqual(await pagesOf('new@example.org'));
  });

  it.each<[what: string, fields: Fields, message: string, status: number]>([
    ['no e-mail', { email: '' }, 'Enter an e-mail', 422],
    ['an invalid e-mail', { email: 'nobody' }, 'Enter an e-mail', 422],
    ['an unknown role', { teamRole: 'operator' }, 'Choose a role', 422],
    ['no role', { teamRole: '' }, 'Choose a role', 422],
    ['the e-mail of a colleague', { email: 'andy@example.org' }, 'already has an account', 409],
  ])(
    'refused with %s: the form keeps what was typed, an audit entry is written',
    async (_, fields, message, status) => {
      const answer = await given.send(INVITE, { ...GOOD, ...fields });
      expect(answer.status).toBe(status);
      expect(answer.words).toContain(message);
      expect(answer.text).toContain('value="Nina New"');
      expect(await team()).toHaveLength(3);
      const line = await given.lastLine();
      expect(line).toMatchObject({ action: 'team.invite', outcome: 'refused' });
      expect(JSON.stringify(line)).not.toContain('example.org');
    },
  );

  it('invitations are limited to 100 an hour: e-mail addresses cannot be tried out', async () => {
    const known = { ...GOOD, email: 'andy@example.org' };
    for (let n = 0; n < 100; n += 1) expect((await given.send(INVITE, known)).status).toBe(409);
    const { status, words } = await given.send(INVITE, GOOD);
    expect(status).toBe(429);
    expect(words).toContain('Too many requests');
    expect(await team()).toHaveLength(3);
    expect(await given.lastLine()).toMatchObject({ outcome: 'refused', detail: { code: 'RATE_LIMIT_EXCEEDED' } });
  });

  it('renewed before the user joined: the old link ends', async () => {
    const first = LINK.exec((await given.send(INVITE, GOOD)).text)?.[1] ?? '';
    const path = `/dashboard/team/${await idOf('new@example.org')}/invitation`;
    expect((await given.open(path)).words).toContain('The earlier link stops working');
    const second = LINK.exec((await given.send(path)).text)?.[1] ?? '';
    expect(second).not.toBe(first);
    expect(await given.accounts.invitationOf(first)).toBeNull();
    expect(await given.accounts.invitationOf(second)).not.toBeNull();
  });

  it('renewal is refused after three in an hour, and says when it is possible again; the last link works', async () => {
    await given.send(INVITE, GOOD);
    const path = `/dashboard/team/${await idOf('new@example.org')}/invitation`;
    const links: string[] = [];
    for (let n = 0; n < 3; n += 1) links.push(LINK.exec((await given.send(path)).text)?.[1] ?? '');

    const { status, words, text } = await given.send(path);

    expect(status).toBe(409);
    expect(words).toMatch(
      /This invitation has been renewed 3 times within an hour\. You can renew it again from .+\. Nothing/,
    );
    expect(text).not.toMatch(LINK);
    expect(await given.accounts.invitationOf(links.at(-1) ?? '')).not.toBeNull();
  });

  it('renewal is refused once the user has joined', async () => {
    const path = `/dashboard/team/${ANDY}/invitation`;
    expect((await given.open(path)).words).toContain('has already joined and has a password');
    const { status, text } = await given.send(path);
    expect(status).toBe(409);
    expect(text).not.toMatch(LINK);
    expect(await given.lastLine()).toMatchObject({
      action: 'team.renew_invitation',
      outcome: 'refused',
      detail: { code: 'ALREADY_JOINED' },
    });
  });
});

describe('changing a role', () => {
  it('takes effect with the next request', async () => {
    const Cookie = given.accounts.signedIn(ANDY);
    const page = await given.open(`/dashboard/team/${ANDY}/role`);
    expect(page.text).toMatch(/value="agent"[^>]*checked/);
    const { status, headers } = await given.send(`/dashboard/team/${ANDY}/role`, { teamRole: 'owner' });
    expect(status).toBe(303);
    expect(headers.get('Location')).toBe('/kyc/dashboard/team?done=role');
    expect((await given.open('/dashboard/team?done=role')).words).toContain('The role is changed.');
    expect((await given.get('/dashboard/keys', ANDY, { Cookie })).status).toBe(200);
  });

  it.each(['', 'operator', 'admin'])('an unknown role is refused: %j', async (teamRole) => {
    const { status, words } = await given.send(`/dashboard/team/${ANDY}/role`, { teamRole });
    expect(status).toBe(422);
    expect(words).toContain('Choose a role');
    expect(await roleOf(ANDY)).toBe('agent');
    expect(await given.lastLine()).toMatchObject({ action: 'team.change_role', outcome: 'refused' });
  });

  it('the last owner keeps the role', async () => {
    const { status, words } = await given.send(`/dashboard/team/${CLARA}/role`, { teamRole: 'viewer' });
    expect(status).toBe(409);
    expect(words).toContain('This is the team’s last owner');
    expect(await roleOf(CLARA)).toBe('owner');
    await given.send(`/dashboard/team/${ANDY}/role`, { teamRole: 'owner' });
    expect((await given.send(`/dashboard/team/${CLARA}/role`, { teamRole: 'viewer' })).status).toBe(303);
  });

  it('asks for the password first', async () => {
    const path = `/dashboard/team/${ANDY}/role`;
    for (const request of [given.get(path, CLARA), given.post(path, { teamRole: 'viewer' }, CLARA)]) {
      const { headers } = await request;
      expect(headers.get('Location')).toBe(`/kyc/account/confirm?returnTo=${encodeURIComponent(path)}`);
    }
    expect(await roleOf(ANDY)).toBe('agent');
  });
});

describe('removing a user', () => {
  it('ends the account and its sessions', async () => {
    const Cookie = given.accounts.signedIn(VERA);
    expect((await given.open(`/dashboard/team/${VERA}/remove`)).words).toContain('end immediately');
    const { headers } = await given.send(`/dashboard/team/${VERA}/remove`);
    expect(headers.get('Location')).toBe('/kyc/dashboard/team?done=removed');
    expect((await given.get('/dashboard', VERA, { Cookie })).status).toBe(303);
    expect((await given.open('/dashboard/team')).words).toContain('2 users');
  });

  it('removing one’s own account is refused', async () => {
    expect((await given.open('/dashboard/team')).text).not.toContain(`/team/${CLARA}/remove`);
    const page = await given.open(`/dashboard/team/${CLARA}/remove`);
    expect(page.words).toContain('You cannot remove your own account');
    const { status, words } = await given.send(`/dashboard/team/${CLARA}/remove`);
    expect(status).toBe(409);
    expect(words).toContain('You cannot remove your own account');
    expect(await team()).toHaveLength(3);
  });

  it('every page of the team is translated to German', async () => {
    const cookie = given.accounts.signedIn(CLARA, { confirmedAt: given.ports.clock.now() });
    const german = { Cookie: `${cookie}; language=de` };
    for (const [path, words] of [
      ['', '3 Personen'],
      ['/invite', 'Jemanden einladen'],
      [`/${ANDY}/role`, 'Rolle ändern'],
      [`/${ANDY}/remove`, 'Person entfernen'],
      [`/${ANDY}/invitation`, 'Diese Person ist schon beigetreten'],
    ] as const) {
      expect((await given.get(`/dashboard/team${path}`, CLARA, german)).words).toContain(words);
    }
  });
});
