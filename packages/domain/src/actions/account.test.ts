import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import type { Attempt, AuditRecorder } from '../audit/audit-recorder.ts';
import type { Accounts } from '../staff/accounts.ts';
import type { MailRecipient } from '../staff/mail-recipient.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { StaffSession } from '../staff/sign-in.ts';
import type { SignInOutcome, Visitor } from '../staff/sign-in-outcome.ts';
import type { User } from '../staff/user.ts';
import { type AccountActions, createAccountActions } from './account.ts';
import type { AccountMail } from './account-records.ts';
import { type Caller, callerContext } from './caller.ts';
import { createThrottledSessions } from './throttled-sessions.ts';

const VISITOR: Visitor = { cookies: undefined, clientAddress: '192.0.2.1' };
const ANONYMOUS: Caller = { kind: 'anonymous', from: '192.0.2.1' };
const INPUT = { email: 'ada@example.org', password: 'violet anchor 7 gravel' };
const JOIN = { token: 'token', password: INPUT.password };
const SIGNED_IN: SignInOutcome = {
  outcome: 'signed_in',
  setCookies: ['session=abc; Path=/; HttpOnly', 'challenge=; Max-Age=0', 'device=d; Path=/'],
};

const OPERATOR: User = {
  id: 'ola',
  email: INPUT.email,
  name: 'Ola',
  role: 'operator',
  clientId: null,
  teamRole: null,
};
const OWNER: User = { ...OPERATOR, id: 'ann', role: 'client', clientId: 'client-1', teamRole: 'owner' };
const sessionOf = (user: User): StaffSession => ({
  user,
  signedInAt: NOW,
  withSecondFactor: false,
  confirmedAt: null,
});

let begun: StaffSession | null;
let cookies: (string | undefined)[];
let calls: string[];
let now: Date;
let allowed: Attempt[];
let refused: [Attempt, code: string][];
let notDone: Attempt[];

beforeEach(() => {
  [begun, cookies, calls, now] = [sessionOf(OWNER), [], [], NOW];
  [allowed, refused, notDone] = [[], [], []];
});

const recorder: AuditRecorder = {
  async act({ attempt, run, refusalOf }) {
    allowed.push(attempt);
    const result = await run();
    const code = refusalOf?.(result) ?? null;
    if (code !== null) refused.push([attempt, code]);
    return result;
  },
  refused: async (attempt, code) => void refused.push([attempt, code]),
  notDone: async (attempt) => void notDone.push(attempt),
};

function account(
  change: Partial<Accounts>,
  {
    caller = ANONYMOUS,
    staff,
    mail,
  }: { caller?: Caller; staff?: Partial<ManageStaff> | undefined; mail?: AccountMail } = {},
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
  const clock = { now: () => now };
  const clients = { find: async () => null };
  const ports = {
    clients,
    clock,
    recorder,
    throttledSessions: createThrottledSessions(clock, recorder),
    onFault: () => undefined,
  };
  return createAccountActions(
    { ...ports, mail, accounts: accounts as Accounts, staff: staff as ManageStaff | undefined },
    callerContext(caller),
  );
}

describe('the line of a sign-in', () => {
  it('the line of a sign-in has the user of the session that the new cookies open; deleted cookies are left out', async () => {
    await account({ signIn: async () => SIGNED_IN }).signIn(VISITOR, INPUT);
    expect(cookies).toEqual(['session=abc; device=d']);
    expect(allowed).toMatchObject([{ actor: { kind: 'team_member', id: 'ann' }, clientId: 'client-1' }]);
  });

  it('the line of a sign-in has no client for an operator', async () => {
    begun = sessionOf(OPERATOR);
    await account({ signIn: async () => SIGNED_IN }).signIn(VISITOR, INPUT);
    expect(allowed).toMatchObject([{ actor: { kind: 'operator', id: 'ola' }, clientId: null }]);
  });

  it('the line of a sign-in that was refused names no account without the port for accounts', async () => {
    await account({ signIn: async () => ({ outcome: 'refused' }) }).signIn(VISITOR, INPUT);
    expect(refused).toMatchObject([[{ targetId: null, clientId: null }, 'CREDENTIALS_REFUSED']]);
  });

  it('the line of a sign-in that failed is written although the account cannot be looked up either', async () => {
    const down = () => Promise.reject(new Error('no database'));
    const signingIn = account({ signIn: down }, { staff: { findByEmail: down } }).signIn(VISITOR, INPUT);
    await expect(signingIn).rejects.toThrow('no database');
    expect(notDone).toMatchObject([{ action: 'account.sign_in', targetId: null }]);
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
    expect(refused.map(([, code]) => code)).toEqual(Array.from({ length: 3 }, () => 'RATE_LIMIT_EXCEEDED'));
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
    expect(refused).toMatchObject([
      [{ action: 'account.sign_in', targetId: 'ann', clientId: 'client-1' }, 'CREDENTIALS_REFUSED'],
    ]);
  });
});

it('signing out is recorded with the client of the user, and without a session not at all', async () => {
  const caller: Caller = { kind: 'user', session: sessionOf(OWNER), from: '192.0.2.1' };
  await account({}, { caller }).signOut(VISITOR);
  expect(allowed).toMatchObject([{ action: 'account.sign_out', clientId: 'client-1' }]);
  await account({}).signOut(VISITOR);
  expect(allowed).toHaveLength(1);
});

/** Mails with links that open this. */
function mailWith(read: MailRecipient | null): AccountMail {
  return {
    recipients: { findRecipient: async () => null, keepLocale: async () => undefined },
    links: { make: () => null, read: async () => read },
    mails: { isOn: true, queue: async (kind, userId) => void calls.push(`${kind} ${userId}`) },
    ids: { next: () => 'unknown' },
  };
}

describe('a link that removes a lost second factor', () => {
  const RECIPIENT: MailRecipient = {
    user: OWNER,
    locale: null,
    hasUnverifiedEmail: false,
    passwordMark: 'mark',
    passwordSetAt: NOW,
    secondFactor: null,
  };

  it.each([
    ['in a service that sends no mails', undefined],
    ['that was used', mailWith(null)],
    ['of a user whose second factor was removed meanwhile', mailWith(RECIPIENT)],
  ])('a link that removes a lost second factor, %s, is refused without an attempt', async (_, mail) => {
    const { removeLostFactor } = account({}, mail && { mail });
    expect(await removeLostFactor(VISITOR, JOIN)).toEqual({ outcome: 'refused' });
    expect(refused).toMatchObject([
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
