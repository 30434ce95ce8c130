import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AccountLog,
  accountActions,
  callerWith,
  emptyLog,
  OPERATOR,
  OWNER,
  sessionOf,
  VISITOR,
} from '../../test-support/account-actions.ts';
import { singleSignOnWith } from '../../test-support/identity-provider.ts';
import { NOW } from '../../test-support/verifications.ts';
import type { Accounts } from '../staff/accounts.ts';
import type { MailRecipient } from '../staff/mail-recipient.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { StaffSession } from '../staff/sign-in.ts';
import type { SignInOutcome } from '../staff/sign-in-outcome.ts';
import type { AccountActions } from './account.ts';
import type { AccountMail } from './account-records.ts';
import type { Caller } from './caller.ts';

const INPUT = { email: OWNER.email, password: 'violet anchor 7 gravel' };
const JOIN = { token: 'token', password: INPUT.password };
const SIGNED_IN: SignInOutcome = {
  outcome: 'signed_in',
  setCookies: ['session=abc; Path=/; HttpOnly', 'challenge=; Max-Age=0', 'device=d; Path=/'],
};

let begun: StaffSession | null;
let cookies: (string | undefined)[];
let calls: string[];
let now: Date;
let log: AccountLog;

beforeEach(() => {
  [begun, cookies, calls, now, log] = [sessionOf(OWNER), [], [], NOW, emptyLog()];
});

function account(
  change: Partial<Accounts>,
  more: {
    readonly caller?: Caller;
    readonly staff?: Partial<ManageStaff> | undefined;
    readonly mail?: AccountMail;
  } = {},
): AccountActions {
  const accounts: Partial<Accounts> = {
    identify: async (header) => {
      cookies.push(header);
      return begun;
    },
    invitationOf: async () => ({ email: OWNER.email, name: OWNER.name }),
    signOut: async () => ({ setCookies: [] }),
    ...change,
  };
  return accountActions({ accounts, now: () => now, log, ...more });
}

describe('the line of a sign-in', () => {
  it('the line of a sign-in has the user of the session that the new cookies open; deleted cookies are left out', async () => {
    await account({ signIn: async () => SIGNED_IN }).signIn(VISITOR, INPUT);
    expect(cookies).toEqual(['session=abc; device=d']);
    expect(log.ran).toMatchObject([{ actor: { kind: 'team_member', id: 'ann' }, clientId: 'client-1' }]);
  });

  it('the line of a sign-in has no client for an operator', async () => {
    begun = sessionOf(OPERATOR);
    await account({ signIn: async () => SIGNED_IN }).signIn(VISITOR, INPUT);
    expect(log.ran).toMatchObject([{ actor: { kind: 'operator', id: 'ola' }, clientId: null }]);
  });

  it('the line of a sign-in that was refused names no account without the port for accounts', async () => {
    await account({ signIn: async () => ({ outcome: 'refused' }) }).signIn(VISITOR, INPUT);
    expect(log.refused).toMatchObject([[{ targetId: null, clientId: null }, 'CREDENTIALS_REFUSED']]);
  });

  it('the line of a sign-in that failed is written although the account cannot be looked up either', async () => {
    const down = () => Promise.reject(new Error('no database'));
    const signingIn = account({ signIn: down }, { staff: { findByEmail: down } }).signIn(VISITOR, INPUT);
    await expect(signingIn).rejects.toThrow('no database');
    expect(log.notDone).toMatchObject([[{ action: 'account.sign_in', targetId: null }, new Error('no database')]]);
  });
});

describe('joining', () => {
  const staff = { findByEmail: async () => OWNER };

  it('waits after too many attempts, without asking again', async () => {
    const acceptInvitation: Accounts['acceptInvitation'] = async () => {
      calls.push('accept');
      return { outcome: 'throttled', retryAfterSeconds: 60 };
    };
    const { acceptInvitation: join } = account({ acceptInvitation });
    expect(await join(VISITOR, JOIN)).toEqual({ outcome: 'throttled', retryAfterSeconds: 60 });
    now = new Date(NOW.getTime() + 20_000);
    expect(await join(VISITOR, JOIN)).toEqual({ outcome: 'throttled', retryAfterSeconds: 40 });
    expect(calls).toEqual(['accept']);
    now = new Date(NOW.getTime() + 60_000);
    await join(VISITOR, JOIN);
    expect(calls).toEqual(['accept', 'accept']);
    expect(log.refused.map(([, code]) => code)).toEqual(Array.from({ length: 3 }, () => 'RATE_LIMIT_EXCEEDED'));
  });

  it('begins no wait after any other outcome', async () => {
    const acceptInvitation: Accounts['acceptInvitation'] = async () => {
      calls.push('accept');
      return { outcome: 'password_refused', reason: 'too_short' };
    };
    const { acceptInvitation: join } = account({ acceptInvitation });
    await join(VISITOR, JOIN);
    await join(VISITOR, JOIN);
    expect(calls).toHaveLength(2);
  });

  it('joining is refused as a sign-in of that account if the session has ended', async () => {
    begun = null;
    const { acceptInvitation } = account({ acceptInvitation: async () => SIGNED_IN }, { staff });
    expect(await acceptInvitation(VISITOR, JOIN)).toEqual({ outcome: 'refused' });
    expect(log.refused).toMatchObject([
      [{ action: 'account.sign_in', targetId: 'ann', clientId: 'client-1' }, 'CREDENTIALS_REFUSED'],
    ]);
  });
});

it('signing out is recorded with the client of the user, and without a session not at all', async () => {
  await account({}, { caller: callerWith(sessionOf(OWNER)) }).signOut(VISITOR);
  expect(log.ran).toMatchObject([{ action: 'account.sign_out', clientId: 'client-1' }]);
  await account({}).signOut(VISITOR);
  expect(log.ran).toHaveLength(1);
});

/** Mails with links that open this. */
function mailWith(read: MailRecipient | null): AccountMail {
  return {
    recipients: {
      findRecipient: async () => null,
      keepLocale: async (userId, locale) => void calls.push(`${userId} reads ${locale}`),
    },
    links: { make: () => null, read: async () => read },
    mails: { isOn: true, queue: async (kind, userId) => void calls.push(`${kind} ${userId}`) },
    ids: { next: () => 'unknown' },
  };
}

const RECIPIENT: MailRecipient = {
  user: OWNER,
  locale: null,
  hasUnverifiedEmail: false,
  passwordMark: 'mark',
  passwordSetAt: NOW,
  secondFactor: null,
};

it('the language of the page is kept for mails at a sign-in, and nothing where the page has none', async () => {
  const { signIn } = account({ signIn: async () => SIGNED_IN }, { mail: mailWith(null) });
  await signIn(VISITOR, INPUT);
  expect(calls).toEqual([]);
  await signIn({ ...VISITOR, locale: 'de' }, INPUT);
  expect(calls).toEqual(['ann reads de']);
});

it.each<[what: string, mayUsePassword: boolean, more: object]>([
  ['may use one', true, {}],
  ['signs in at a provider only', false, { mayUsePassword: false }],
])('a mailed link to a new password shows a user who %s', async (_, mayUsePassword, more) => {
  const singleSignOn = singleSignOnWith({ mayUsePassword: async () => mayUsePassword });
  const { invitationOf } = account({ singleSignOn }, { mail: mailWith(RECIPIENT) });
  const { email, name } = OWNER;
  expect(await invitationOf('token')).toStrictEqual({ email, name, isReset: true, ...more });
});

describe('a link that removes a lost second factor', () => {
  it.each([
    ['in a service that sends no mails', undefined],
    ['that was used', mailWith(null)],
    ['of a user whose second factor was removed meanwhile', mailWith(RECIPIENT)],
  ])('a link that removes a lost second factor, %s, is refused without an attempt', async (_, mail) => {
    const { removeLostFactor } = account({}, mail && { mail });
    expect(await removeLostFactor(VISITOR, JOIN)).toEqual({ outcome: 'refused' });
    expect(log.refused).toMatchObject([
      [{ action: 'account.reset_second_factor', targetId: null, clientId: null }, 'LINK_INVALID'],
    ]);
  });

  it('a link that removes a lost second factor shows nothing in a service that sends no mails', async () => {
    expect(await account({}).lostFactorOf('token')).toBeNull();
  });
});

it('a new password is queued for no user where accounts cannot be looked up', async () => {
  const { requestPasswordReset } = account({ countResetRequest: async () => null }, { mail: mailWith(null) });
  expect(await requestPasswordReset(VISITOR, { email: OWNER.email })).toEqual({ outcome: 'requested' });
  expect(calls).toEqual(['user.password_reset unknown']);
});
