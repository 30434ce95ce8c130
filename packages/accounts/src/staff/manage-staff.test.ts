import { expect, it } from 'vitest';
import { PASSWORD, tokenOf } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { everythingIn, NO_ROWS, rowsOf } from '../../test-support/databases.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';

const EMAIL = 'ann@example.com';

onEveryDatabase('staff', (at) => {
  it('nameOf returns names by id', async () => {
    await at.user();
    const id = await at.idOf(EMAIL);
    expect(await at.accounts.nameOf(id)).toBe('Ann Reviewer');
    for (const odd of ['', 'nobody', `${id} `, 'x\u0000', '\ud800', EMAIL]) {
      expect(await at.accounts.nameOf(odd)).toBeNull();
    }
  });

  it('remove deletes every row of the user immediately', async () => {
    const browser = await at.user();
    const id = await at.idOf(EMAIL);
    await at.accounts.invite(id);
    const removed = await at.accounts.remove(id, { keepOwner: true });
    expect(removed).toMatchObject({ outcome: 'removed', user: { id, email: EMAIL } });
    expect(await at.accounts.identify(browser.visitor.cookies)).toBeNull();
    expect((await at.signIn(newBrowser())).outcome).toBe('refused');
    expect(await everythingIn(at.database)).toBe(NO_ROWS);
    expect(await at.accounts.remove(id, { keepOwner: true })).toEqual({ outcome: 'not_found' });
  });

  it('remove during a new invitation or a new password leaves no row behind', async () => {
    const { accounts } = at;
    for (let round = 0; round < 12; round++) {
      const made = await accounts.create({ email: EMAIL, role: 'reviewer' });
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
    expect(await everythingIn(at.database)).toBe(NO_ROWS);
  });

  it('a new role is effective from the next request', async () => {
    const reviewer = await at.user();
    const colleague = await at.user({ email: 'bob@example.com', role: 'client', clientId: 'client-1' });
    const [ann, bob] = [await at.idOf(EMAIL), await at.idOf('bob@example.com')];
    const { accounts } = at;
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

  it.each([
    "role = 'client'",
    "role = 'client', client_id = 'x'",
    "client_id = 'x'",
    "team_role = 'owner'",
    "role = 'client', client_id = 'x', team_role = 'admin'",
    "role = 'owner'",
    "email = 'Ann@example.com'",
  ])('the database itself refuses %s of a reviewer', async (change) => {
    await at.accounts.create({ email: EMAIL, role: 'reviewer' });
    await expect(rowsOf(at.database, `update staff_users set ${change}`)).rejects.toThrow(/constraint/i);
  });

  it('a new user keeps the language of the invitation', async () => {
    const input = { email: 'ann@example.com', role: 'reviewer' as const, name: 'Ann' };
    const made = await at.accounts.create(input, { locale: 'de' });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    expect(await at.accounts.findRecipient(made.user.id)).toMatchObject({ locale: 'de' });
  });

  it('an invitation is withheld only on request, and ends with the first one that is not withheld', async () => {
    const input = (clientId: string) => ({
      email: 'bob@example.com',
      role: 'client' as const,
      clientId,
      teamRole: 'viewer' as const,
      name: 'Bob',
    });
    const bob = await at.accounts.create(input('theirs'));
    if (bob.outcome !== 'created') throw new Error(bob.outcome);
    expect((await at.accounts.create(input('ours'))).outcome).toBe('exists');
    expect(await at.accounts.team('ours')).toEqual([]);
    expect((await at.accounts.create(input('ours'), { withholds: true })).outcome).toBe('exists');
    expect(await at.accounts.team('ours')).toHaveLength(1);

    await at.accounts.remove(bob.user.id, { keepOwner: false });
    expect((await at.accounts.create(input('ours'))).outcome).toBe('created');
    expect(await at.accounts.team('ours')).toHaveLength(1);
  });

  it('a team is listed in the order of creation, with withheld invitations among its users', async () => {
    const input = (name: string, clientId: string) => ({
      email: `${name}@example.com`,
      role: 'client' as const,
      clientId,
      teamRole: 'viewer' as const,
      name,
    });
    const ids = ['1', '2', '3'].map((end) => `00000000-0000-4000-8000-00000000000${end}`);
    const [low, middle, high] = ids;
    for (const name of ['ann', 'bob']) await at.accounts.create(input(name, 'theirs'));
    await at.accounts.create(input('ann', 'ours'), { withholds: true, id: high });
    at.clock.advance(1_000);
    await at.accounts.create(input('cleo', 'ours'), { id: middle });
    await at.accounts.create(input('bob', 'ours'), { withholds: true, id: low });
    expect((await at.accounts.team('ours')).map(({ id }) => id)).toEqual([high, low, middle]);
  });

  it('the role of an unknown member of a team is not changed', async () => {
    const changed = await at.accounts.changeRole(
      'unknown',
      { role: 'client', teamRole: 'owner' },
      { keepOwner: true },
    );
    expect(changed).toEqual({ outcome: 'not_found' });
  });
});
