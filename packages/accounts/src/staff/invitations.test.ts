import { PASSWORD_MAX } from '@countersign/domain/staff';
import { expect, it } from 'vitest';
import { PASSWORD, tokenOf } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EMAIL = 'ann@example.com';

onEveryDatabase('one-time link', (at) => {
  it('can be read often, and of several uses at once one succeeds', async () => {
    const made = await at.given.accounts.create({ email: EMAIL, role: 'operator', name: 'Ann' });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    const token = tokenOf(made);
    expect(made.invitationPath).toMatch(/^\/account\/welcome\/[\w-]{43}$/);
    expect(made.expiresAt.getTime() - at.given.clock.now().getTime()).toBe(24 * HOUR);
    for (let n = 0; n < 3; n++)
      expect(await at.given.accounts.invitationOf(token)).toEqual({
        email: EMAIL,
        name: 'Ann',
      });

    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        at.given.accounts.acceptInvitation(newBrowser().visitor, { token, password: PASSWORD }),
      ),
    );

    const outcomes = answers.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual(['refused', 'refused', 'refused', 'refused', 'signed_in']);
    expect(await at.given.accounts.invitationOf(token)).toBeNull();
  });

  it('of a withheld invitation can be read like any other, and sets no password', async () => {
    const { accounts } = at.given;
    await at.given.user();
    const input = { email: EMAIL, name: 'Ann', role: 'client', clientId: 'c1', teamRole: 'agent' } as const;
    const made = await accounts.create(input, { withholds: true });
    const token = tokenOf(made);
    expect(await accounts.invitationOf(token)).toEqual({ email: EMAIL, name: 'Ann', withheldFor: 'c1' });
    const accept = (password: string) => accounts.acceptInvitation(newBrowser().visitor, { token, password });
    expect(await accept('password1234')).toEqual({ outcome: 'password_refused', reason: 'too_common' });
    expect(await accept('granite umbrella 4 lemur')).toEqual({ outcome: 'refused' });
    expect((await accounts.signIn(newBrowser().visitor, { email: EMAIL, password: PASSWORD })).outcome).toBe(
      'signed_in',
    );
    const again = await accounts.invite(made.user.id);
    expect(again && (await accounts.invitationOf(tokenOf(again)))).not.toBeNull();
    expect(await accounts.invitationOf(token)).toBeNull();
    at.given.clock.advance(24 * HOUR);
    expect(again && (await accounts.invitationOf(tokenOf(again)))).toBeNull();
  });

  it('ends after a day, and when a new one is created', async () => {
    await at.given.user();
    const id = await at.given.idOf(EMAIL);
    const first = await at.given.accounts.invite(id);
    const second = await at.given.accounts.invite(id);
    if (first === null || second === null) throw new Error('user not found');
    expect(await at.given.accounts.invitationOf(tokenOf(first))).toBeNull();
    at.given.clock.advance(24 * HOUR);
    expect(await at.given.accounts.invitationOf(tokenOf(second))).toBeNull();
    const late = await at.given.accounts.acceptInvitation(newBrowser().visitor, {
      token: tokenOf(second),
      password: PASSWORD,
    });
    expect(late.outcome).toBe('refused');
    expect(await at.given.accounts.invite('nobody')).toBeNull();
  });

  it('sets the password and ends every session', async () => {
    const browser = await at.given.user();
    const link = await at.given.accounts.invite(await at.given.idOf(EMAIL));
    if (link === null) throw new Error('user not found');
    const fresh = newBrowser();
    const password = 'copper lantern 42 tide';
    fresh.keep(await at.given.accounts.acceptInvitation(fresh.visitor, { token: tokenOf(link), password }));
    expect(await at.given.accounts.identify(fresh.visitor.cookies)).not.toBeNull();
    expect(await at.given.accounts.identify(browser.visitor.cookies)).toBeNull();
    const old = await at.given.accounts.signIn(newBrowser().visitor, { email: EMAIL, password: PASSWORD });
    expect(old.outcome).toBe('refused');
  });

  it.each([
    ['eleven char', 'too_short'],
    ['🔐'.repeat(11), 'too_short'],
    ['v'.repeat(PASSWORD_MAX + 1), 'too_long'],
    ['password1234', 'too_common'],
    ['qwertyuiopasdf', 'too_common'],
    ['ann@example.com', 'too_common'],
  ])('%j is refused as a password, and the link stays', async (password, reason) => {
    const made = await at.given.accounts.create({ email: EMAIL, role: 'operator' });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    const token = tokenOf(made);
    const answer = await at.given.accounts.acceptInvitation(newBrowser().visitor, { token, password });
    expect(answer).toEqual({ outcome: 'password_refused', reason });
    expect(await at.given.accounts.invitationOf(token)).not.toBeNull();
  });
});
