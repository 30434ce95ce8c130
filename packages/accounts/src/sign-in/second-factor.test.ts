// Each case has accounts of its own, on each kind of database.
import { expect, it } from 'vitest';
import {
  addSecondFactor,
  beginSecondFactor,
  givenAccounts,
  KEY,
  PASSWORD,
  tokenOf,
} from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { everythingIn, runIn } from '../../test-support/databases.ts';
import { codeOf, nextCodeOf } from '../../test-support/device.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import { countOlderSecondFactors, resealSecondFactors, secretsOfSecondFactors } from '../index.ts';

const MINUTE = 60_000;
const EMAIL = 'ann@example.com';

onEveryDatabase('second factor', (at) => {
  async function withSecondFactor() {
    const browser = await at.user();
    const begun = await beginSecondFactor(at.accounts, browser);
    const before = browser.visitor.cookies;
    const confirmed = browser.keep(
      await at.accounts.confirmSecondFactor(browser.visitor, codeOf(begun.secret, at.clock.now())),
    );
    expect(confirmed.outcome).toBe('signed_in');
    return { browser, before, ...begun };
  }

  async function challenged(accounts = at.accounts) {
    const browser = newBrowser();
    const answer = browser.keep(await accounts.signIn(browser.visitor, { email: EMAIL, password: PASSWORD }));
    expect(answer.outcome).toBe('second_factor_needed');
    expect(await accounts.identify(browser.visitor.cookies)).toBeNull();
    return browser;
  }

  it('required only after it was confirmed', async () => {
    const browser = await at.user();
    expect(await at.accounts.beginSecondFactor(browser.visitor, 'wrong password 1')).toEqual({
      outcome: 'refused',
    });
    const begun = await beginSecondFactor(at.accounts, browser);
    expect(begun.uri).toMatch(/^otpauth:\/\/totp\/Countersign:ann(?:@|%40)example\.com\?/);
    expect(begun.backupCodes).toHaveLength(10);
    expect(await at.accounts.hasSecondFactor(browser.visitor)).toBe(false);
    const wrong = codeOf(begun.secret, new Date(at.clock.now().getTime() - 10 * MINUTE));
    expect(await at.accounts.confirmSecondFactor(browser.visitor, wrong)).toEqual({ outcome: 'refused' });
    const other = newBrowser();
    expect((await at.signIn(other)).outcome).toBe('signed_in');
  });

  it('of two set-ups at once, the later one is valid', async () => {
    const browser = await at.user();
    const begun = await Promise.all([1, 2].map(() => at.accounts.beginSecondFactor(browser.visitor, PASSWORD)));
    expect(begun.map(({ outcome }) => outcome)).toEqual(['begun', 'begun']);
    const outcomes = [];
    for (const each of begun) {
      if (each.outcome !== 'begun') throw new Error(each.outcome);
      outcomes.push(
        (await at.accounts.confirmSecondFactor(browser.visitor, codeOf(each.secret, at.clock.now()))).outcome,
      );
    }
    expect(outcomes).toContain('signed_in');
  });

  it('a code confirms it and begins a new session', async () => {
    const { browser, before } = await withSecondFactor();
    expect(await at.accounts.identify(before)).toBeNull();
    expect((await at.accounts.identify(browser.visitor.cookies))?.withSecondFactor).toBe(true);
    expect(await at.accounts.hasSecondFactor(browser.visitor)).toBe(true);
    expect(await at.accounts.beginSecondFactor(browser.visitor, PASSWORD)).toEqual({ outcome: 'refused' });
  });

  it('confirming it ends the sessions begun without it', async () => {
    await at.user();
    const thief = newBrowser('203.0.113.9');
    await at.signIn(thief);
    const owner = newBrowser();
    await at.signIn(owner);
    const begun = await beginSecondFactor(at.accounts, owner);
    expect(await at.accounts.identify(thief.visitor.cookies)).not.toBeNull();
    owner.keep(await at.accounts.confirmSecondFactor(owner.visitor, codeOf(begun.secret, at.clock.now())));
    expect(await at.accounts.identify(thief.visitor.cookies)).toBeNull();
    const removal = await at.accounts.removeSecondFactor(thief.visitor, PASSWORD);
    expect(removal).toEqual({ outcome: 'refused' });
    expect((await at.accounts.identify(owner.visitor.cookies))?.withSecondFactor).toBe(true);
  });

  it('each code signs in once', async () => {
    const { secret } = await withSecondFactor();
    const browser = await challenged();
    // This code has confirmed the device.
    expect(await at.accounts.enterSecondFactor(browser.visitor, codeOf(secret, at.clock.now()))).toEqual({
      outcome: 'refused',
    });
    const code = nextCodeOf(secret, at.clock.now());
    const other = await challenged();

    const answers = await Promise.all(
      [browser, other].map(async (each) =>
        each.keep(await at.accounts.enterSecondFactor(each.visitor, ` ${code.slice(0, 3)} ${code.slice(3)}`)),
      ),
    );

    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['refused', 'signed_in']);
    const winner = answers[0]?.outcome === 'signed_in' ? browser : other;
    expect((await at.accounts.identify(winner.visitor.cookies))?.withSecondFactor).toBe(true);
    expect(winner.visitor.cookies).not.toContain('two_factor');
  });

  it('a code refused before its time is accepted at its time', async () => {
    const { secret } = await withSecondFactor();
    const later = codeOf(secret, new Date(at.clock.now().getTime() + 5 * MINUTE));
    const browser = await challenged();
    expect((await at.accounts.enterSecondFactor(browser.visitor, later)).outcome).toBe('refused');
    at.clock.advance(5 * MINUTE);
    expect((await at.accounts.enterSecondFactor(browser.visitor, later)).outcome).toBe('signed_in');
  });

  it('a visitor without a session cannot begin, confirm or remove a second factor, and one is confirmed once', async () => {
    const { visitor } = newBrowser();
    expect(await at.accounts.beginSecondFactor(visitor, PASSWORD)).toEqual({ outcome: 'refused' });
    expect(await at.accounts.confirmSecondFactor(visitor, '000000')).toEqual({ outcome: 'refused' });
    expect(await at.accounts.removeSecondFactor(visitor, PASSWORD)).toEqual({ outcome: 'refused' });
    expect(await at.accounts.hasSecondFactor(visitor)).toBe(false);

    const { browser, secret } = await withSecondFactor();
    const next = nextCodeOf(secret, at.clock.now());
    expect(await at.accounts.confirmSecondFactor(browser.visitor, next)).toEqual({ outcome: 'refused' });
  });

  it('a session that has ended can neither begin nor confirm a second factor', async () => {
    const browser = await at.user();
    const { secret } = await beginSecondFactor(at.accounts, browser);
    const { visitor } = browser;
    await at.accounts.signOut(visitor);
    expect(await at.accounts.beginSecondFactor(visitor, PASSWORD)).toEqual({ outcome: 'refused' });
    const code = codeOf(secret, at.clock.now());
    expect(await at.accounts.confirmSecondFactor(visitor, code)).toEqual({ outcome: 'refused' });
  });

  it('confirming another second factor ends the session that began with the earlier one', async () => {
    const { browser } = await withSecondFactor();
    const before = browser.visitor.cookies;
    expect((await at.accounts.removeSecondFactor(browser.visitor, PASSWORD)).outcome).toBe('removed');
    expect(await at.accounts.identify(before)).not.toBeNull();
    await addSecondFactor(at, browser);
    expect(await at.accounts.identify(before)).toBeNull();
    expect(await at.accounts.identify(browser.visitor.cookies)).not.toBeNull();
  });

  it('each backup code signs in once', async () => {
    const { backupCodes } = await withSecondFactor();
    const [code = ''] = backupCodes;
    const first = await challenged();
    expect((await at.accounts.enterSecondFactor(first.visitor, code)).outcome).toBe('signed_in');
    const second = await challenged();
    expect((await at.accounts.enterSecondFactor(second.visitor, code)).outcome).toBe('refused');
    expect((await at.accounts.enterSecondFactor(second.visitor, backupCodes[1] ?? '')).outcome).toBe('signed_in');
  });

  it('five wrong codes in a quarter of an hour, across all sign-ins, lock out new devices', async () => {
    const { browser: known, backupCodes } = await withSecondFactor();
    known.keep(await at.accounts.signOut(known.visitor));
    for (let n = 0; n < 5; n++) {
      const browser = await challenged();
      expect((await at.accounts.enterSecondFactor(browser.visitor, '000000')).outcome).toBe('refused');
    }
    const [code = ''] = backupCodes;
    const stranger = await challenged();
    expect((await at.accounts.enterSecondFactor(stranger.visitor, code)).outcome).toBe('throttled');

    await at.signIn(known);
    expect((await at.accounts.enterSecondFactor(known.visitor, code)).outcome).toBe('signed_in');
  });

  it('five wrong codes on a device that signed in before lock out no other such device', async () => {
    const { browser: one, backupCodes } = await withSecondFactor();
    const [first = '', second = ''] = backupCodes;
    const other = await challenged();
    other.keep(await at.accounts.enterSecondFactor(other.visitor, first));
    for (const browser of [one, other]) {
      browser.keep(await at.accounts.signOut(browser.visitor));
      await at.signIn(browser);
    }
    for (let n = 0; n < 5; n++) await at.accounts.enterSecondFactor(one.visitor, '000000');
    expect((await at.accounts.enterSecondFactor(one.visitor, second)).outcome).toBe('throttled');
    expect((await at.accounts.enterSecondFactor(other.visitor, second)).outcome).toBe('signed_in');
  });

  it('right codes do not count', async () => {
    const { backupCodes } = await withSecondFactor();
    for (const code of backupCodes.slice(0, 8)) {
      const browser = await challenged();
      expect((await at.accounts.enterSecondFactor(browser.visitor, code)).outcome).toBe('signed_in');
    }
  });

  it('a code without the password before it is refused', async () => {
    const { secret } = await withSecondFactor();
    expect(await at.accounts.enterSecondFactor(newBrowser().visitor, nextCodeOf(secret, at.clock.now()))).toEqual({
      outcome: 'refused',
    });
    const forged = { cookies: '__Secure-countersign.two_factor=2fa-x.y', clientAddress: '192.0.2.1' };
    expect(await at.accounts.enterSecondFactor(forged, nextCodeOf(secret, at.clock.now()))).toEqual({
      outcome: 'refused',
    });
  });

  it('required after a one-time link too', async () => {
    const { secret } = await withSecondFactor();
    const link = await at.linkFor(EMAIL);
    const browser = newBrowser();
    const password = 'copper lantern 42 tide';
    const answer = browser.keep(
      await at.accounts.acceptInvitation(browser.visitor, { token: tokenOf(link), password }),
    );
    expect(answer.outcome).toBe('second_factor_needed');
    expect(await at.accounts.identify(browser.visitor.cookies)).toBeNull();
    expect(
      (await at.accounts.enterSecondFactor(browser.visitor, nextCodeOf(secret, at.clock.now()))).outcome,
    ).toBe('signed_in');
  });

  it('removed with the password', async () => {
    const { browser } = await withSecondFactor();
    expect((await at.accounts.removeSecondFactor(browser.visitor, 'wrong password 1')).outcome).toBe('refused');
    expect((await at.accounts.removeSecondFactor(newBrowser().visitor, PASSWORD)).outcome).toBe('refused');
    expect((await at.accounts.removeSecondFactor(browser.visitor, PASSWORD)).outcome).toBe('removed');
    expect(await at.accounts.hasSecondFactor(browser.visitor)).toBe(false);
    const again = await at.signIn(newBrowser());
    expect(again.outcome).toBe('signed_in');
  });

  it('a session that began without the second factor cannot remove it', async () => {
    const { browser } = await withSecondFactor();
    await runIn(at.database, 'update staff_sessions set with_second_factor = false');
    expect(await at.accounts.removeSecondFactor(browser.visitor, PASSWORD)).toEqual({ outcome: 'refused' });
    expect(await at.accounts.hasSecondFactor(browser.visitor)).toBe(true);
  });

  it('ten wrong passwords in a session lock the removal, also with the right password', async () => {
    const { browser } = await withSecondFactor();
    const remove = (password: string) => at.accounts.removeSecondFactor(browser.visitor, password);
    for (let n = 0; n < 10; n++) expect((await remove('wrong password 1')).outcome).toBe('refused');
    expect(await remove(PASSWORD)).toEqual({ outcome: 'throttled', retryAfterSeconds: 15 * 60 });
    expect(await at.accounts.hasSecondFactor(browser.visitor)).toBe(true);
  });

  it('an operator resets it, which ends every session', async () => {
    const { browser } = await withSecondFactor();
    const id = await at.idOf(EMAIL);
    expect(await at.accounts.resetSecondFactor(id)).toMatchObject({ id, email: EMAIL });
    expect(await at.accounts.identify(browser.visitor.cookies)).toBeNull();
    const again = await at.signIn(browser);
    expect(again.outcome).toBe('signed_in');
    expect((await at.accounts.beginSecondFactor(browser.visitor, PASSWORD)).outcome).toBe('begun');
    expect(await at.accounts.resetSecondFactor('no-such-user')).toBeNull();
  });

  it('an older key anywhere in the ring opens it', async () => {
    const { secret } = await withSecondFactor();
    const rotated = await givenAccounts(at.database, {
      secretKeys: [Buffer.alloc(32, 8), Buffer.alloc(32, 9), KEY],
    });
    const browser = await challenged(rotated.accounts);
    expect(
      (await rotated.accounts.enterSecondFactor(browser.visitor, nextCodeOf(secret, at.clock.now()))).outcome,
    ).toBe('signed_in');
    await rotated.accounts.close();
  });

  it('after re-sealing, the newest key alone opens it', async () => {
    const { secret, backupCodes } = await withSecondFactor();
    const [older, newest] = [KEY, Buffer.alloc(32, 8)];
    await expect(resealSecondFactors({ database: at.database, secretKeys: [newest] })).rejects.toThrow(
      '1 second factor is sealed by a secret that SECRET_KEYS does not contain; all others are done',
    );
    const secretKeys = [newest, older];
    expect(await countOlderSecondFactors({ database: at.database, secretKeys })).toBe(1);
    expect(await resealSecondFactors({ database: at.database, secretKeys })).toEqual({ resealed: 1 });
    expect(await countOlderSecondFactors({ database: at.database, secretKeys })).toBe(0);
    expect(await resealSecondFactors({ database: at.database, secretKeys })).toEqual({ resealed: 0 });
    const rotated = await givenAccounts(at.database, { secretKeys: [newest] });
    for (const code of [nextCodeOf(secret, at.clock.now()), backupCodes[0] ?? '']) {
      const browser = await challenged(rotated.accounts);
      expect((await rotated.accounts.enterSecondFactor(browser.visitor, code)).outcome).toBe('signed_in');
    }
    await rotated.accounts.close();
  });

  it('a second factor whose backup codes alone have the newest key is counted and re-sealed', async () => {
    const { backupCodes } = await withSecondFactor();
    const [older, newest] = [KEY, Buffer.alloc(32, 8)];
    const secretKeys = [newest, older];
    const rotated = await givenAccounts(at.database, { secretKeys });
    const browser = await challenged(rotated.accounts);
    await rotated.accounts.enterSecondFactor(browser.visitor, backupCodes[0] ?? '');
    await rotated.accounts.close();

    expect(await countOlderSecondFactors({ database: at.database, secretKeys })).toBe(1);
    expect(await resealSecondFactors({ database: at.database, secretKeys })).toEqual({ resealed: 1 });
    expect(await countOlderSecondFactors({ database: at.database, secretKeys: [newest] })).toBe(0);
  });

  it('second factors of a lost secret stay unchanged, and those of a missing one are refused', async () => {
    await withSecondFactor();
    await addSecondFactor(at, await at.user({ email: 'bob@example.com' }));
    const [lost, newest] = [KEY, Buffer.alloc(32, 8)];
    const { database } = at;
    await expect(resealSecondFactors({ database, secretKeys: [newest] })).rejects.toThrow(
      '2 second factors are sealed by a secret that SECRET_KEYS does not contain; all others are done',
    );
    const [secret] = await secretsOfSecondFactors({ database, secretKeys: [lost] });
    const lostSecrets = [secret?.name ?? ''];
    const before = await everythingIn(database);
    expect(await resealSecondFactors({ database, secretKeys: [newest], lostSecrets })).toEqual({ resealed: 0 });
    expect(await everythingIn(database)).toBe(before);

    // The backup codes of one second factor need a secret that is missing, but not declared lost.
    const codes = "'$ba$1$00'";
    await runIn(
      database,
      `update staff_two_factors set backup_codes = ${codes} where id = (select min(id) from staff_two_factors)`,
    );
    await expect(resealSecondFactors({ database, secretKeys: [newest], lostSecrets })).rejects.toThrow(
      '1 second factor is sealed',
    );
  });

  it('the secrets that sealed second factors are listed, each once, with whether the ring has them', async () => {
    const [older, newest] = [KEY, Buffer.alloc(32, 8)];
    const listed = (...secretKeys: Uint8Array[]) => secretsOfSecondFactors({ database: at.database, secretKeys });
    expect(await listed(older)).toEqual([]);

    await withSecondFactor();
    expect(await listed(newest, older)).toEqual([{ name: expect.stringMatching(/^\d+$/), isKnown: true }]);
    expect(await listed(newest)).toEqual([{ ...(await listed(older))[0], isKnown: false }]);

    await resealSecondFactors({ database: at.database, secretKeys: [newest, older] });
    expect(await listed(newest)).toEqual([{ name: expect.stringMatching(/^\d+$/), isKnown: true }]);

    await runIn(at.database, "update staff_two_factors set backup_codes = 'not sealed'");
    expect(await listed(newest)).toHaveLength(1);
  });

  it('a server without the newest secret answers SERVICE_UNAVAILABLE for codes, locks out no one and says why', async () => {
    const { secret, backupCodes } = await withSecondFactor();
    const [older, newest] = [KEY, Buffer.alloc(32, 8)];
    const browser = await challenged();
    await resealSecondFactors({ database: at.database, secretKeys: [newest, older] });
    const unavailable = { code: 'SERVICE_UNAVAILABLE', cause: { name: 'AccountsFault', code: 'UNKNOWN_KEY' } };
    const [backupCode = ''] = backupCodes;
    for (const code of [
      nextCodeOf(secret, at.clock.now()),
      backupCode,
      '000001',
      '000002',
      '000003',
      '000004',
      '000005',
    ]) {
      const entered = at.accounts.enterSecondFactor(browser.visitor, code);
      await expect(entered).rejects.toMatchObject(unavailable);
    }
    const again = at.signIn(newBrowser());
    await expect(again).rejects.toMatchObject(unavailable);

    const restarted = await givenAccounts(at.database, { secretKeys: [newest, older] });
    const entered = await restarted.accounts.enterSecondFactor(browser.visitor, backupCode);
    expect(entered.outcome).toBe('signed_in');
    await restarted.accounts.close();
  });

  it('a server without the newest secret answers SERVICE_UNAVAILABLE for a device that is set up', async () => {
    const browser = await at.user();
    const begun = await beginSecondFactor(at.accounts, browser);
    await resealSecondFactors({ database: at.database, secretKeys: [Buffer.alloc(32, 8), KEY] });
    await expect(
      at.accounts.confirmSecondFactor(browser.visitor, codeOf(begun.secret, at.clock.now())),
    ).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { code: 'UNKNOWN_KEY' },
    });
    // A device that is not set up yet is not needed to sign in.
    expect((await at.signIn(newBrowser())).outcome).toBe('signed_in');
  });

  it('the database holds no value that opens an account', async () => {
    const { browser, secret, backupCodes, uri } = await withSecondFactor();
    const waiting = await challenged();
    const link = await at.accounts.invite(await at.idOf(EMAIL));
    const kept = await everythingIn(at.database);
    const valueIn = (cookies = '') =>
      decodeURIComponent(cookies.slice(cookies.indexOf('=') + 1)).split('.')[0] ?? '';
    const secrets = [
      PASSWORD,
      secret,
      new URL(uri).searchParams.get('secret'),
      ...backupCodes,
      valueIn(browser.visitor.cookies),
      valueIn(waiting.visitor.cookies),
      tokenOf(link ?? { invitationPath: '' }),
    ];
    for (const each of secrets) {
      expect(each).toMatch(/.{8,}/);
      expect(kept).not.toContain(each);
    }
  });
});
