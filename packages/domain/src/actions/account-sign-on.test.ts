import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AccountLog,
  accountActions,
  emptyLog,
  OPERATOR,
  sessionOf,
  VISITOR,
} from '../../test-support/account-actions.ts';
import { ANSWER, POLICY, singleSignOnWith, verified } from '../../test-support/identity-provider.ts';
import { portWith } from '../../test-support/port-with.ts';
import type { Accounts } from '../staff/accounts.ts';
import type { SignOnAnswer, SingleSignOn } from '../staff/identity-provider.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { UserIdentities } from '../staff/user-identities.ts';

const REQUEST = { providerId: POLICY.id, purpose: { kind: 'sign_in' }, returnTo: '/queue' } as const;
const SENT = { outcome: 'redirect', location: 'https://login.example/authorize', setCookies: [] } as const;
const COOKIE = 'sign-on=; Max-Age=0';
const CAUSE = new Error('no JSON');

let log: AccountLog;
beforeEach(() => {
  log = emptyLog();
});

/** The staff, with an operator who is connected to the provider. */
const STAFF: Partial<ManageStaff> = {
  findByEmail: async () => OPERATOR,
  identities: portWith<UserIdentities>({
    find: async () => ({ user: OPERATOR, withdrawnAt: null }),
    connect: async () => ({ outcome: 'connected' }),
  }),
};

/** The actions of an anonymous visitor. */
function account(operations: Partial<SingleSignOn>, accounts: Partial<Accounts> = {}) {
  const singleSignOn = singleSignOnWith(operations);
  return accountActions({ accounts: { singleSignOn, ...accounts }, staff: STAFF, log });
}

it.each<[what: string, given: Omit<Parameters<typeof accountActions>[0], 'log'>, providerId: string]>([
  ['an unknown provider', { accounts: { singleSignOn: singleSignOnWith({}) }, staff: STAFF }, 'unknown'],
  ['a service without providers', { accounts: {}, staff: STAFF }, 'acme'],
  ['a service that cannot look users up', { accounts: { singleSignOn: singleSignOnWith({}) } }, 'acme'],
])('%s: a sign-in neither begins nor ends', async (_, given, providerId) => {
  const { beginSignOn, finishSignOn } = accountActions({ ...given, log });
  expect(await beginSignOn(VISITOR, { ...REQUEST, providerId })).toBeUndefined();
  expect(await finishSignOn(VISITOR, { ...ANSWER, providerId })).toBeUndefined();
  expect(log).toEqual(emptyLog());
});

describe('beginSignOn', () => {
  it('beginSignOn sends a visitor without a session to the provider, and leaves no entry', async () => {
    expect(await account({ begin: async () => SENT }).beginSignOn(VISITOR, REQUEST)).toEqual(SENT);
    expect(log).toEqual(emptyLog());
  });

  it('beginSignOn connects no provider for a visitor without a session', async () => {
    const purpose = { kind: 'connect', userId: OPERATOR.id } as const;
    const { beginSignOn } = account({ begin: async () => SENT });
    expect(await beginSignOn(VISITOR, { ...REQUEST, purpose })).toEqual({ outcome: 'confirmation_needed' });
  });
});

describe('a provider that fails', () => {
  const failing = async () => ({ outcome: 'unavailable', reason: 'no_answer', cause: CAUSE }) as const;

  it.each<[call: string, run: () => Promise<unknown>]>([
    ['beginSignOn', () => account({ begin: failing }).beginSignOn(VISITOR, REQUEST)],
    ['finishSignOn', () => account({ finish: failing }).finishSignOn(VISITOR, ANSWER)],
  ])('%s reports the cause and does not show it', async (_, run) => {
    expect(await run()).toEqual({ outcome: 'unavailable', reason: 'no_answer' });
    expect(log.faults).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', cause: CAUSE }]);
  });
});

describe('finishSignOn', () => {
  const finishing = (answer: SignOnAnswer, operations: Partial<SingleSignOn> = {}, accounts?: Partial<Accounts>) =>
    account({ finish: async () => answer, ...operations }, accounts).finishSignOn(VISITOR, ANSWER);

  it.each<[what: string, check: 'token' | 'code', cause: Error | undefined, faults: Error[]]>([
    ['an ID token that names its fault', 'token', CAUSE, [CAUSE]],
    ['an ID token without a known fault', 'token', undefined, []],
    ['a code that the provider did not accept', 'code', CAUSE, []],
  ])('finishSignOn refuses %s, and reports faults of ID tokens alone', async (_, check, cause, faults) => {
    const refused = { outcome: 'refused', check, purpose: null, setCookies: [COOKIE], cause } as const;
    expect(await finishing(refused)).toEqual({
      outcome: 'not_signed_on',
      reason: check === 'token' ? 'not_genuine' : 'not_accepted',
      purpose: null,
      setCookies: [COOKIE],
    });
    expect(log.faults).toEqual(faults);
    expect(log.refused).toMatchObject([
      [{ action: 'account.sign_in', targetId: null, detail: { provider: 'acme', check } }, 'CREDENTIALS_REFUSED'],
    ]);
  });

  it('finishSignOn joins with a link: cookies of the request and of the session are set, and the path is kept', async () => {
    const purpose = { kind: 'join', token: 'token' } as const;
    const startSession: SingleSignOn['startSession'] = async () => ({
      outcome: 'signed_in',
      setCookies: ['session=abc'],
    });
    const joined = await finishing(
      verified({ purpose }),
      { startSession },
      {
        invitationOf: async () => ({ email: OPERATOR.email, name: OPERATOR.name }),
        identify: async () => sessionOf(OPERATOR),
      },
    );
    expect(joined).toEqual({ outcome: 'signed_in', setCookies: [COOKIE, 'session=abc'], returnTo: '/queue' });
    expect(log.ran).toMatchObject([
      { action: 'account.join', targetId: OPERATOR.id },
      { action: 'account.sign_in', actor: { kind: 'operator', id: OPERATOR.id } },
    ]);
  });

  it('finishSignOn deletes the cookie of the request although a session does not begin', async () => {
    const startSession: SingleSignOn['startSession'] = async () => ({ outcome: 'refused' });
    expect(await finishing(verified(), { startSession })).toEqual({
      outcome: 'not_signed_on',
      reason: 'changed',
      purpose: 'sign_in',
      setCookies: [COOKIE],
    });
  });

  it('finishSignOn passes on how long a user must wait', async () => {
    const throttled = { outcome: 'throttled', retryAfterSeconds: 60 } as const;
    expect(await finishing(verified(), { startSession: async () => throttled })).toEqual(throttled);
  });
});
