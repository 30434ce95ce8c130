import { expect, it } from 'vitest';
import { PASSWORD, tokenOf } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { everythingIn, rowsOf } from '../../test-support/databases.ts';
import { codeOf } from '../../test-support/device.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';

const EMAIL = 'ann@example.com';
const DAY = 24 * 60 * 60 * 1_000;

onEveryDatabase('staff', (at) => {
  it('are listed in the order in which they were made, and called by their names', async () => {
    const made = await at.given.accounts.create({ email: 'B@example.com', role: 'client', clientId: 'client-1' });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    const createdAt = at.given.clock.now();
    at.given.clock.advance(1);
    await at.given.user();
    const staff = await at.given.accounts.list();
    const ann = { email: EMAIL, name: 'Ann Reviewer', role: 'reviewer', clientId: null, teamRole: null };
    const b = { email: 'b@example.com', name: 'b', role: 'client', clientId: 'client-1', teamRole: 'owner' };
    expect(staff.map(({ id, ...rest }) => rest)).toEqual([
      { ...b, createdAt, invitedUntil: made.expiresAt, hasJoined: false, hasSecondFactor: false },
      {
        ...ann,
        createdAt: at.given.clock.now(),
        invitedUntil: null,
        hasJoined: true,
        hasSecondFactor: false,
      },
    ]);
    expect(await at.given.accounts.nameOf(staff[1]?.id ?? '')).toBe('Ann Reviewer');
    expect(await at.given.accounts.nameOf('nobody')).toBeNull();
    at.given.clock.advance(DAY);
    expect((await at.given.accounts.list()).map(({ invitedUntil }) => invitedUntil)).toEqual([null, null]);
  });

  it('are listed with their second factors', async () => {
    const browser = await at.given.user();
    const begun = await at.given.accounts.beginSecondFactor(browser.visitor, PASSWORD);
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    expect(await at.given.accounts.list()).toMatchObject([{ hasSecondFactor: false }]);
    await at.given.accounts.confirmSecondFactor(browser.visitor, codeOf(begun.secret));
    expect(await at.given.accounts.list()).toMatchObject([{ hasSecondFactor: true }]);
  });

  it('of one client are listed apart from all others', async () => {
    for (const [name, clientId] of [
      ['ann', 'client-1'],
      ['bob', 'client-2'],
      ['cleo', 'client-1'],
      ['dan', undefined],
    ] as const) {
      at.given.clock.advance(1);
      const role = clientId === undefined ? 'reviewer' : 'client';
      await at.given.accounts.create({ email: `${name}@example.com`, role, clientId });
    }
    const namesIn = async (clientId: string) =>
      (await at.given.accounts.list({ clientId })).map(({ name }) => name);
    expect(await namesIn('client-1')).toEqual(['ann', 'cleo']);
    expect(await namesIn('client-2')).toEqual(['bob']);
    for (const clientId of ['client-3', '', 'client-%', 'client-1\u0000', '\ud800']) {
      expect(await namesIn(clientId)).toEqual([]);
    }
  });

  it('are found by their ids and e-mails, and by nothing that a form may send instead', async () => {
    await at.given.user();
    const user = await at.given.accounts.findByEmail(' ANN@example.com ');
    expect(user).toMatchObject({ email: EMAIL, role: 'reviewer', clientId: null, teamRole: null });
    const { accounts } = at.given;
    expect(await accounts.find(user?.id ?? '')).toEqual(user);
    for (const text of ['', 'nobody', `${user?.id} `, 'x\u0000', '\ud800', "' or 1=1 --", EMAIL]) {
      expect(await accounts.find(text)).toBeNull();
      expect(await accounts.invite(text)).toBeNull();
      expect(await accounts.resetSecondFactor(text)).toBeNull();
      expect(await accounts.nameOf(text)).toBeNull();
      expect(await accounts.remove(text, { keepOwner: false })).toEqual({ outcome: 'not_found' });
      expect(await accounts.changeRole(text, { role: 'operator' }, { keepOwner: false })).toEqual({
        outcome: 'not_found',
      });
    }
    for (const text of ['', 'x\u0000', user?.id ?? '']) expect(await accounts.findByEmail(text)).toBeNull();
    expect(await accounts.list()).toHaveLength(1);
  });

  it('who left are gone at once, with all there was of them', async () => {
    const browser = await at.given.user();
    const id = await at.given.idOf(EMAIL);
    await at.given.accounts.invite(id);
    const removed = await at.given.accounts.remove(id, { keepOwner: true });
    expect(removed).toMatchObject({ outcome: 'removed', user: { id, email: EMAIL } });
    expect(await at.given.accounts.identify(browser.visitor.cookies)).toBeNull();
    expect(
      (await at.given.accounts.signIn(newBrowser().visitor, { email: EMAIL, password: PASSWORD })).outcome,
    ).toBe('refused');
    expect(await everythingIn(at.database)).toBe(JSON.stringify(Array.from({ length: 7 }, () => [])));
    expect(await at.given.accounts.remove(id, { keepOwner: true })).toEqual({ outcome: 'not_found' });
  });

  it('who leave while they are invited again or set a password are gone, and nothing else comes of it', async () => {
    const { accounts } = at.given;
    for (let round = 0; round < 12; round++) {
      const made = await accounts.create({ email: EMAIL, role: 'reviewer' });
      if (made.outcome !== 'created') throw new Error(made.outcome);
      const { id } = made.user;
      const visitor = newBrowser(`192.0.2.${round + 1}`).visitor;
      const [removed, joined, link] = await Promise.all([
        accounts.remove(id, { keepOwner: false }),
        accounts.acceptInvitation(visitor, { token: tokenOf(made), password: PASSWORD }),
        accounts.invite(id),
      ]);
      expect(removed.outcome).toBe('removed');
      expect(['refused', 'signed_in']).toContain(joined.outcome);
      if (link !== null) expect(await accounts.invitationOf(tokenOf(link))).toBeNull();
    }
    expect(await everythingIn(at.database)).toBe(JSON.stringify(Array.from({ length: 7 }, () => [])));
  });

  it('have another role from their next request on', async () => {
    const reviewer = await at.given.user();
    const colleague = await at.given.user({ email: 'bob@example.com', role: 'client', clientId: 'client-1' });
    const [ann, bob] = [await at.given.idOf(EMAIL), await at.given.idOf('bob@example.com')];
    const { accounts } = at.given;
    const free = { keepOwner: false };

    expect(await accounts.changeRole(ann, { role: 'operator' }, free)).toEqual({ outcome: 'changed' });
    expect(await accounts.changeRole(bob, { role: 'client', teamRole: 'viewer' }, free)).toEqual({
      outcome: 'changed',
    });

    expect(await accounts.identify(reviewer.visitor.cookies)).toMatchObject({
      user: { role: 'operator', clientId: null, teamRole: null },
    });
    expect(await accounts.identify(colleague.visitor.cookies)).toMatchObject({
      user: { role: 'client', clientId: 'client-1', teamRole: 'viewer' },
    });
  });

  it("of a client never become anybody else's, nor the reverse", async () => {
    await at.given.user();
    await at.given.user({ email: 'bob@example.com', role: 'client', clientId: 'client-1' });
    const before = await at.given.accounts.list();
    for (const [email, to] of [
      [EMAIL, { role: 'client', teamRole: 'owner' }],
      ['bob@example.com', { role: 'reviewer' }],
      ['bob@example.com', { role: 'operator' }],
    ] as const) {
      const id = await at.given.idOf(email);
      expect(await at.given.accounts.changeRole(id, to, { keepOwner: false })).toEqual({
        outcome: 'other_kind',
      });
    }
    expect(await at.given.accounts.list()).toEqual(before);
  });

  it('have one account for an e-mail, whoever asks first', async () => {
    const answers = await Promise.all(
      ['ann@example.com', 'ANN@example.com', ' Ann@Example.com'].map((email) =>
        at.given.accounts.create({ email, role: 'operator' }),
      ),
    );
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['created', 'exists', 'exists']);
    expect(await at.given.accounts.list()).toHaveLength(1);
  });

  it.each([
    [
      { email: 'ann', role: 'reviewer' },
      { path: 'email', code: 'not_an_email' },
    ],
    [
      { email: ' ', role: 'reviewer' },
      { path: 'email', code: 'required' },
    ],
    [
      { email: 'a\u0000@example.com', role: 'reviewer' },
      { path: 'email', code: 'not_an_email' },
    ],
    [
      { email: `ann@${'b'.repeat(250)}.com`, role: 'reviewer' },
      { path: 'email', code: 'too_long', limit: 254 },
    ],
    [
      { email: EMAIL, role: 'client' },
      { path: 'clientId', code: 'required' },
    ],
    [
      { email: EMAIL, role: 'reviewer', clientId: 'x' },
      { path: 'clientId', code: 'invalid' },
    ],
    [
      { email: EMAIL, role: 'reviewer', teamRole: 'owner' },
      { path: 'teamRole', code: 'invalid' },
    ],
    [
      { email: EMAIL, role: 'client', clientId: 'x', teamRole: 'admin' },
      { path: 'teamRole', code: 'invalid' },
    ],
    [
      { email: EMAIL, role: 'owner' },
      { path: 'role', code: 'invalid' },
    ],
    [
      { email: EMAIL, role: 'reviewer', name: 'n'.repeat(101) },
      { path: 'name', code: 'too_long', limit: 100 },
    ],
    [
      { email: EMAIL, role: 'reviewer', name: 'An\nn' },
      { path: 'name', code: 'not_plain_text' },
    ],
    [
      { email: EMAIL, role: 'reviewer', name: 'An\u202en' },
      { path: 'name', code: 'not_plain_text' },
    ],
    [
      { email: EMAIL, role: 'reviewer', name: 'An\u0000n' },
      { path: 'name', code: 'not_plain_text' },
    ],
  ])('%j is refused', async (input, issue) => {
    const creating = at.given.accounts.create(input as Parameters<typeof at.given.accounts.create>[0]);
    await expect(creating).rejects.toMatchObject({ code: 'INVALID_PARAMETERS', data: { issues: [issue] } });
    expect(await at.given.accounts.list()).toEqual([]);
  });

  it.each([
    "role = 'client'",
    "role = 'client', client_id = 'x'",
    "client_id = 'x'",
    "team_role = 'owner'",
    "role = 'client', client_id = 'x', team_role = 'admin'",
    "role = 'owner'",
    "email = 'Ann@example.com'",
  ])('the database itself refuses %s of a reviewer', async (change) => {
    await at.given.accounts.create({ email: EMAIL, role: 'reviewer' });
    await expect(rowsOf(at.database, `update staff_users set ${change}`)).rejects.toThrow(/constraint/i);
  });
});
