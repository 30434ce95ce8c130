import { createFixedClock, createMemoryRateLimiter } from '@countersign/memory';
import { expect, it } from 'vitest';
import { type Given, givenAccounts, PASSWORD, quickPasswords, tokenOf } from '../given/accounts.ts';
import { newBrowser } from '../given/browser.ts';
import { everythingIn } from '../given/databases.ts';
import { codeOf, nextCodeOf } from '../given/device.ts';
import { onEveryDatabase } from '../given/every-database.ts';

const EMAIL = 'ann@example.com';

onEveryDatabase('somebody who is removed', (at) => {
  async function leave(): Promise<void> {
    const removed = await at.given.accounts.remove(await at.given.idOf(EMAIL), { keepAnAdmin: false });
    expect(removed.outcome).toBe('removed');
  }

  /** The same accounts, in which Ann is removed once a password was compared or an attempt counted. */
  function leavingAt(moment: 'verify' | 'consume'): Promise<Given> {
    const limiter = createMemoryRateLimiter(createFixedClock(new Date()));
    return givenAccounts(at.database, {
      passwords: {
        ...quickPasswords,
        async verify(input) {
          const isRight = await quickPasswords.verify(input);
          if (moment === 'verify') await leave();
          return isRight;
        },
      },
      rateLimiter: {
        ...limiter,
        async consume(bucket, limit) {
          const answer = await limiter.consume(bucket, limit);
          if (moment === 'consume' && bucket.startsWith('sign-in:code:')) await leave();
          return answer;
        },
      },
    });
  }

  async function expectNothingLeft(): Promise<void> {
    // A sign-in that waits for a code belongs to nobody by then, and ends by itself.
    const rows: unknown[][] = JSON.parse(await everythingIn(at.database));
    expect(rows.flat().filter((row) => !isChallenge(row))).toEqual([]);
  }

  it.each(['a password', 'a one-time link'])('while signing in by %s is refused', async (way) => {
    await at.given.member();
    const link = await at.given.accounts.invite(await at.given.idOf(EMAIL));
    if (link === null) throw new Error('nobody has this e-mail');
    const { accounts } = await leavingAt('verify');
    const { visitor } = newBrowser();

    const answer =
      way === 'a password'
        ? await accounts.signIn(visitor, { email: EMAIL, password: PASSWORD })
        : await accounts.acceptInvitation(visitor, { token: tokenOf(link), password: PASSWORD });

    expect(answer).toEqual({ outcome: 'refused' });
    await expectNothingLeft();
    await accounts.close();
  });

  it('while beginning a second factor is refused', async () => {
    const browser = await at.given.member();
    const { accounts } = await leavingAt('verify');
    expect(await accounts.beginSecondFactor(browser.visitor, PASSWORD)).toEqual({ outcome: 'refused' });
    await expectNothingLeft();
    await accounts.close();
  });

  it('while confirming a device is refused', async () => {
    const browser = await at.given.member();
    const begun = await at.given.accounts.beginSecondFactor(browser.visitor, PASSWORD);
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    const { accounts } = await leavingAt('consume');
    const answer = await accounts.confirmSecondFactor(browser.visitor, codeOf(begun.secret));
    expect(answer).toEqual({ outcome: 'refused' });
    await expectNothingLeft();
    await accounts.close();
  });

  it.each(['a code', 'a backup code'])('while entering %s is refused', async (way) => {
    const browser = await at.given.member();
    const begun = await at.given.accounts.beginSecondFactor(browser.visitor, PASSWORD);
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    await at.given.accounts.confirmSecondFactor(browser.visitor, codeOf(begun.secret));
    const waiting = newBrowser();
    waiting.keep(await at.given.accounts.signIn(waiting.visitor, { email: EMAIL, password: PASSWORD }));
    const { accounts } = await leavingAt('consume');
    const code = way === 'a code' ? nextCodeOf(begun.secret) : (begun.backupCodes[0] ?? '');
    expect(await accounts.enterSecondFactor(waiting.visitor, code)).toEqual({ outcome: 'refused' });
    await expectNothingLeft();
    await accounts.close();
  });
});

function isChallenge(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'identifier' in row;
}
