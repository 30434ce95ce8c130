import type { Accounts, SignOnPurpose, SingleSignOn, User, VerifiedIdentity } from '@countersign/domain/staff';
import { createMemoryAccounts, type MemoryAccounts } from '@countersign/memory';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { ADDRESS, auditSummary, givenStaff } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const IDENTITY: VerifiedIdentity = {
  issuer: 'https://login.example',
  subject: 'rita',
  email: null,
  emailVerified: true,
  name: 'Rita',
  acr: null,
  amr: [],
  claims: { groups: ['reviewers'] },
};

let service: Service;
let rita: User;
let accounts: MemoryAccounts;

beforeEach(async () => {
  service = givenService();
  rita = await givenStaff(service, { role: 'reviewer' });
  let made = 0;
  accounts = createMemoryAccounts({ clock: service.clock, ids: { next: () => `secret-${++made}` } });
  accounts.add(rita, 'violet anchor 7 gravel');
});

/** The accounts with a provider that answers with this identity. */
function withProvider(
  identity: VerifiedIdentity,
  purpose: SignOnPurpose,
  changes: Partial<SingleSignOn> = {},
): Accounts {
  const singleSignOn: SingleSignOn = {
    policies: [
      {
        id: 'acme',
        name: 'Acme',
        users: 'provisioned',
        trustsEmail: true,
        rules: [
          { claim: 'groups', value: 'reviewers', role: 'reviewer' },
          { claim: 'groups', value: 'operators', role: 'operator' },
        ],
        secondFactor: { acr: [], amr: [] },
      },
    ],
    passwordsOff: [],
    mayUsePassword: async () => true,
    begin: () => Promise.reject(new Error('not used')),
    finish: async () => ({ outcome: 'verified', identity, purpose, returnTo: null, setCookies: [] }),
    startSession: async (_, { use }) =>
      (await service.staff.identities.recordUse(use))
        ? { outcome: 'signed_in', setCookies: [accounts.signedIn(use.userId)] }
        : { outcome: 'refused' },
    confirmSession: async ({ cookies }) =>
      (await accounts.identify(cookies)) === null
        ? { outcome: 'refused' }
        : { outcome: 'confirmed', setCookies: [] },
    ...changes,
  };
  return { ...accounts, singleSignOn };
}

describe('signing in at a provider', () => {
  const signIn = (identity: VerifiedIdentity, changes: Partial<SingleSignOn> = {}) =>
    service.countersign
      .as({ kind: 'anonymous', from: ADDRESS })
      .account(withProvider(identity, { kind: 'sign_in' }, changes))
      .finishSignOn({ cookies: undefined, clientAddress: ADDRESS }, { providerId: 'acme', query: '' });

  it('connects the user with the e-mail address, in any case', async () => {
    const outcome = await signIn({ ...IDENTITY, email: rita.email.toUpperCase() });
    expect(outcome?.outcome).toBe('signed_in');
    expect(await service.staff.identities.issuersOf(rita.id)).toEqual([IDENTITY.issuer]);
  });

  it.each(['\u212Aim@example.com', 'kım@example.com', 'kim', `${'k'.repeat(300)}@example.com`])(
    'an address that no user can have finds and creates none: %s',
    async (email) => {
      const made = await service.staff.create({ email: 'kim@example.com', role: 'reviewer' });
      if (made.outcome !== 'created') throw new Error(made.outcome);
      expect(await signIn({ ...IDENTITY, email })).toMatchObject({ reason: 'no_account' });
      expect(await service.staff.identities.issuersOf(made.user.id)).toEqual([]);
      expect(await service.staff.list()).toHaveLength(2);
    },
  );
});

describe('an answer that opens no session', () => {
  const finish = (changes: Partial<SingleSignOn>) =>
    service.countersign
      .as({ kind: 'anonymous', from: ADDRESS })
      .account(withProvider({ ...IDENTITY, email: rita.email }, { kind: 'sign_in' }, changes))
      .finishSignOn({ cookies: undefined, clientAddress: ADDRESS }, { providerId: 'acme', query: '' });

  it('a change of the user meanwhile is the reason, not a missing account', async () => {
    const outcome = await finish({ startSession: async () => ({ outcome: 'refused' }) });
    expect(outcome).toMatchObject({ outcome: 'not_signed_on', reason: 'changed', purpose: 'sign_in' });
    expect(await auditSummary(service)).toEqual([
      'account.connect_provider allowed',
      'account.sign_in refused CREDENTIALS_REFUSED',
    ]);
  });

  it('a cancelled confirmation says what it was for', async () => {
    const outcome = await finish({
      finish: async () => ({
        outcome: 'refused',
        check: 'provider_error',
        purpose: { kind: 'confirm' },
        setCookies: ['sign-on=; Max-Age=0'],
      }),
    });
    expect(outcome).toEqual({
      outcome: 'not_signed_on',
      reason: 'not_accepted',
      purpose: 'confirm',
      setCookies: ['sign-on=; Max-Age=0'],
    });
  });

  it.each(['no_answer', 'invalid_answer'] as const)(
    'a failure of the provider (%s) is recorded as failed',
    async (reason) => {
      const cause = new Error('no JSON');
      expect(await finish({ finish: async () => ({ outcome: 'unavailable', reason, cause }) })).toEqual({
        outcome: 'unavailable',
        reason,
      });
      expect(await auditSummary(service)).toEqual(['account.sign_in failed SERVICE_UNAVAILABLE']);
    },
  );
});

describe('confirming the identity at a provider', () => {
  async function confirm(claims: VerifiedIdentity['claims']) {
    await service.staff.identities.connect(rita.id, IDENTITY, { kind: 'email' });
    const cookies = accounts.signedIn(rita.id);
    const session = await accounts.identify(cookies);
    if (session === null) throw new Error('the session has ended');
    return service.countersign
      .as({ kind: 'user', session, from: ADDRESS })
      .account(withProvider({ ...IDENTITY, claims }, { kind: 'confirm' }))
      .finishSignOn({ cookies, clientAddress: ADDRESS }, { providerId: 'acme', query: '' });
  }

  it('confirms while the claims give the role', async () => {
    expect((await confirm({ groups: ['reviewers'] }))?.outcome).toBe('confirmed');
    expect(await auditSummary(service)).toEqual(['account.confirm_identity allowed']);
  });

  it('stores another role that the claims give', async () => {
    expect((await confirm({ groups: ['operators'] }))?.outcome).toBe('confirmed');
    expect((await service.staff.identities.find(IDENTITY))?.user.role).toBe('operator');
  });

  it('withdraws access and confirms nothing when the claims give no role', async () => {
    expect(await confirm({ groups: [] })).toMatchObject({ outcome: 'not_signed_on', reason: 'no_access' });
    expect(await service.staff.identities.issuersOf(rita.id)).toEqual([]);
    expect(await auditSummary(service)).toEqual([
      'account.withdraw_access allowed',
      'account.confirm_identity refused NOT_ALLOWED',
    ]);
  });
});
