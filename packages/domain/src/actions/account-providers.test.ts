import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AccountLog,
  ANONYMOUS,
  accountActions,
  callerWith,
  emptyLog,
  OPERATOR,
  OWNER,
  sessionOf,
  VISITOR,
} from '../../test-support/account-actions.ts';
import { ANSWER, POLICY, singleSignOnWith, verified } from '../../test-support/identity-provider.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW } from '../../test-support/verifications.ts';
import type { SignOnPurpose, SingleSignOn } from '../staff/identity-provider.ts';
import type { ConnectedUser, UserIdentities } from '../staff/user-identities.ts';
import type { Caller } from './caller.ts';

const OTHER_POLICY = { ...POLICY, id: 'other', name: 'Other', issuer: 'https://other.example' };
const SIGNED_IN = callerWith(sessionOf(OPERATOR, { confirmedAt: NOW }));
const OUT = { setCookies: ['session=; Max-Age=0'] };

let log: AccountLog;
beforeEach(() => {
  log = emptyLog();
});

/** The actions of a caller in a service with two providers. Without identities, it cannot look users up. */
function account(
  caller: Caller,
  identities: Partial<UserIdentities> | undefined,
  operations: Partial<SingleSignOn> = {},
) {
  const singleSignOn = singleSignOnWith({ policies: [POLICY, OTHER_POLICY], ...operations });
  const staff = identities && { identities: portWith<UserIdentities>(identities) };
  return accountActions({ accounts: { singleSignOn, signOut: async () => OUT }, staff, caller, log });
}

describe('ownProviders', () => {
  const issuersOf: UserIdentities['issuersOf'] = async (userId) => (userId === OPERATOR.id ? [POLICY.issuer] : []);
  const connectedOf = async (caller: Caller, identities: Partial<UserIdentities> | undefined) =>
    (await account(caller, identities).ownProviders()).map(({ id, isConnected }) => [id, isConnected]);

  it('ownProviders says of each provider whether the user is connected', async () => {
    expect(await connectedOf(SIGNED_IN, { issuersOf })).toEqual([
      ['acme', true],
      ['other', false],
    ]);
  });

  it.each<[what: string, caller: Caller, identities: Partial<UserIdentities> | undefined]>([
    ['a visitor without a session', ANONYMOUS, { issuersOf }],
    ['a user who cannot be looked up', SIGNED_IN, undefined],
  ])('ownProviders shows %s no connection', async (_, caller, identities) => {
    expect(await connectedOf(caller, identities)).toEqual([
      ['acme', false],
      ['other', false],
    ]);
  });

  it('ownProviders is empty in a service without providers', async () => {
    expect(await accountActions({ accounts: {}, caller: SIGNED_IN, log }).ownProviders()).toEqual([]);
  });
});

describe('disconnectProvider', () => {
  it('disconnectProvider accepts every provider as another way to sign in, and ends the session', async () => {
    const accepted: unknown[] = [];
    const disconnectOne: UserIdentities['disconnectOne'] = async (...given) => {
      accepted.push(given);
      return { outcome: 'disconnected' };
    };
    const { disconnectProvider } = account(SIGNED_IN, { disconnectOne });
    expect(await disconnectProvider(VISITOR, 'acme')).toEqual({ outcome: 'disconnected', ...OUT });
    const issuers = [POLICY.issuer, OTHER_POLICY.issuer];
    expect(accepted).toEqual([[OPERATOR.id, POLICY.issuer, { passwords: true, issuers }]]);
  });

  it.each<[what: string, caller: Caller, identities: Partial<UserIdentities> | undefined, code: string]>([
    ['a visitor without a session', ANONYMOUS, {}, 'NOT_ALLOWED'],
    ['a user who cannot be looked up', SIGNED_IN, undefined, 'NOT_FOUND'],
    [
      'a user who is not connected',
      SIGNED_IN,
      { disconnectOne: async () => ({ outcome: 'not_found' }) },
      'NOT_FOUND',
    ],
  ])('disconnectProvider refuses %s', async (_, caller, identities, code) => {
    const { disconnectProvider } = account(caller, identities);
    expect(await disconnectProvider(VISITOR, 'acme')).toEqual({ outcome: 'refused' });
    expect(log.refused).toMatchObject([[{ action: 'account.disconnect_provider' }, code]]);
  });
});

/** Finishes what the visitor was sent to the provider for. */
const finish = (
  purpose: SignOnPurpose,
  caller: Caller,
  identities: Partial<UserIdentities>,
  operations: Partial<SingleSignOn> = {},
) =>
  account(caller, identities, { finish: async () => verified({ purpose }), ...operations }).finishSignOn(
    VISITOR,
    ANSWER,
  );

describe('confirming the identity', () => {
  const OWN: ConnectedUser = { user: OPERATOR, withdrawnAt: null };
  const confirm = (caller: Caller, found: ConnectedUser | null, operations?: Partial<SingleSignOn>) =>
    finish({ kind: 'confirm' }, caller, { find: async () => found }, operations);

  it.each<[what: string, caller: Caller, found: ConnectedUser | null]>([
    ['without a session, with an identity of a user', ANONYMOUS, OWN],
    ['without a session, with an unknown identity', ANONYMOUS, null],
    ['with an unknown identity', SIGNED_IN, null],
    ['with the identity of another user', SIGNED_IN, { user: OWNER, withdrawnAt: null }],
    ['with an identity whose access was withdrawn', SIGNED_IN, { user: OPERATOR, withdrawnAt: NOW }],
  ])('confirming the identity %s is refused', async (_, caller, found) => {
    expect(await confirm(caller, found)).toMatchObject({ outcome: 'not_signed_on', reason: 'not_accepted' });
    expect(log.ran).toEqual([]);
    expect(log.refused).toMatchObject([[{ action: 'account.confirm_identity' }, 'CREDENTIALS_REFUSED']]);
  });

  it('confirming the identity in a session that has ended is refused and not recorded as done', async () => {
    const confirmSession: SingleSignOn['confirmSession'] = async () => ({ outcome: 'refused' });
    expect(await confirm(SIGNED_IN, OWN, { confirmSession })).toMatchObject({ reason: 'not_accepted' });
    expect(log.ran).toEqual([]);
    expect(log.refused).toMatchObject([[{ action: 'account.confirm_identity' }, 'CREDENTIALS_REFUSED']]);
  });
});

describe('connecting a provider', () => {
  const connect = (caller: Caller, outcome: 'connected' | 'refused' = 'connected') =>
    finish({ kind: 'connect', userId: OPERATOR.id }, caller, { connect: async () => ({ outcome }) });

  it('connecting a provider is recorded with its user and sets the cookies of the finished request', async () => {
    expect(await connect(SIGNED_IN)).toEqual({
      outcome: 'connected',
      returnTo: '/queue',
      setCookies: ['sign-on=; Max-Age=0'],
    });
    expect(log.ran).toMatchObject([
      { action: 'account.connect_provider', targetId: OPERATOR.id, clientId: null, detail: { provider: 'acme' } },
    ]);
  });

  it('connecting a provider after the session has ended is refused without an attempt', async () => {
    expect(await connect(ANONYMOUS)).toMatchObject({ outcome: 'not_signed_on', reason: 'not_accepted' });
    expect(log.ran).toEqual([]);
    expect(log.refused).toMatchObject([[{ action: 'account.connect_provider' }, 'CREDENTIALS_REFUSED']]);
  });

  it('connecting a provider to a user who was removed meanwhile names the change', async () => {
    expect(await connect(SIGNED_IN, 'refused')).toMatchObject({ outcome: 'not_signed_on', reason: 'changed' });
  });
});
