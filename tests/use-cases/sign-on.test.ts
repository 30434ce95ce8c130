import type {
  Accounts,
  Invitation,
  ProviderPolicy,
  SignOnPurpose,
  SingleSignOn,
  User,
  VerifiedIdentity,
  Visitor,
} from '@countersign/domain/staff';
import {
  createCountingIds,
  createFixedClock,
  createMemoryAccounts,
  createMemoryMailer,
  type MemoryAccounts,
  type MemoryMailer,
} from '@countersign/memory';
import { sendDue } from '@countersign/test-support/service/mails';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { ADDRESS, auditSummary, givenStaff, givenTeam, linesOf } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it, vi } from 'vitest';

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

const VISITOR: Visitor = { cookies: undefined, clientAddress: ADDRESS };
const PASSWORD = { email: 'member0@example.com', password: 'violet anchor 7 gravel' };

const RULES: ProviderPolicy['rules'] = [
  { claim: 'groups', value: 'reviewers', role: 'reviewer' },
  { claim: 'groups', value: 'operators', role: 'operator' },
];

let service: Service;
let rita: User;
let accounts: MemoryAccounts;
let mailer: MemoryMailer;

beforeEach(async () => {
  const clock = createFixedClock('2026-03-01T10:00:00.000Z');
  accounts = createMemoryAccounts({ clock, ids: createCountingIds() });
  const { staff } = accounts;
  mailer = createMemoryMailer();
  service = { ...givenService({ clock, staff, recipients: staff, mailer }), clock, staff };
  rita = await givenStaff(service, { role: 'reviewer' });
  accounts.add(rita, PASSWORD.password);
});

/** The accounts with a provider that answers with this identity. */
function withProvider(
  identity: VerifiedIdentity,
  purpose: SignOnPurpose,
  changes: Partial<SingleSignOn> = {},
  rules: ProviderPolicy['rules'] = RULES,
): Accounts {
  const singleSignOn: SingleSignOn = {
    policies: [
      {
        id: 'acme',
        issuer: IDENTITY.issuer,
        name: 'Acme',
        users: 'provisioned',
        trustsEmail: true,
        rules,
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
  const signIn = (
    identity: VerifiedIdentity,
    changes: Partial<SingleSignOn> = {},
    rules?: ProviderPolicy['rules'],
  ) =>
    service.countersign
      .as({ kind: 'anonymous', from: ADDRESS })
      .account(withProvider(identity, { kind: 'sign_in' }, changes, rules))
      .finishSignOn(VISITOR, { providerId: 'acme', query: '' });

  it('connects the user with the e-mail address, in any case', async () => {
    const outcome = await signIn({ ...IDENTITY, email: rita.email.toUpperCase() });
    expect(outcome?.outcome).toBe('signed_in');
    expect(await service.staff.identities.issuersOf(rita.id)).toEqual([IDENTITY.issuer]);
  });

  it('signing in at a provider ends the password of a role that may have none, and no other', async () => {
    await service.staff.identities.connect(rita.id, IDENTITY, { kind: 'email' });
    const hasPassword = async () => (await accounts.signIn(VISITOR, PASSWORD)).outcome === 'signed_in';
    expect(await signIn(IDENTITY, { passwordsOff: ['operator'] })).toMatchObject({ outcome: 'signed_in' });
    expect(await auditSummary(service)).toEqual(['account.sign_in allowed']);
    expect(await hasPassword()).toBe(true);
    expect(await signIn(IDENTITY, { passwordsOff: ['reviewer'] })).toMatchObject({ outcome: 'signed_in' });
    expect(await hasPassword()).toBe(false);
  });

  it('signing in at a provider without a role of its rules withdraws access', async () => {
    await service.staff.identities.connect(rita.id, IDENTITY, { kind: 'email' });
    const outcome = await signIn({ ...IDENTITY, claims: {} });
    expect(outcome).toMatchObject({ outcome: 'not_signed_on', reason: 'no_access' });
    expect(await service.staff.identities.issuersOf(rita.id)).toEqual([]);
    expect(await auditSummary(service)).toEqual([
      'account.withdraw_access allowed',
      'account.sign_in refused NOT_ALLOWED',
    ]);
  });

  it('signing in at a provider opens no account that has another identity there', async () => {
    await service.staff.identities.connect(rita.id, { ...IDENTITY, subject: 'before' }, { kind: 'email' });
    const outcome = await signIn({ ...IDENTITY, email: rita.email });
    expect(outcome).toMatchObject({ outcome: 'not_signed_on', reason: 'taken' });
    expect(await auditSummary(service)).toEqual([
      'account.connect_provider allowed',
      'account.connect_provider refused USER_EXISTS',
    ]);
  });

  it('signing in at a provider may leave a team without an owner', async () => {
    const { owner, clientId } = await givenTeam(service);
    await service.staff.identities.connect(owner.id, IDENTITY, { kind: 'email' });
    const agents = { claim: 'groups', value: 'reviewers', role: 'client', clientId, teamRole: 'agent' } as const;
    expect(await signIn(IDENTITY, {}, [agents])).toMatchObject({ outcome: 'signed_in' });
    expect(await service.staff.find(owner.id)).toMatchObject({ teamRole: 'agent' });
  });

  describe('a new user', () => {
    const ADA = { ...IDENTITY, email: 'ada@example.com' };
    const ruleOf = (clientId: string) =>
      ({ claim: 'groups', value: 'reviewers', role: 'client', clientId, teamRole: 'agent' }) as const;

    it('a new user of a rule with a client joins its team, as the entry says', async () => {
      const { clientId } = await givenTeam(service);
      expect(await signIn(ADA, {}, [ruleOf(clientId)])).toMatchObject({ outcome: 'signed_in' });
      const user = await service.staff.findByEmail(ADA.email);
      expect(user).toMatchObject({ role: 'client', clientId, teamRole: 'agent' });
      const [, made] = await linesOf(service);
      expect(made).toMatchObject({ action: 'account.provision', clientId, targetId: user?.id });
    });

    it('a new user of staff has no client', async () => {
      await signIn(ADA);
      const user = await service.staff.findByEmail(ADA.email);
      const [, made] = await linesOf(service);
      expect(made).toMatchObject({ action: 'account.provision', clientId: null, targetId: user?.id });
    });

    it('a new user is not created for a client that does not exist', async () => {
      const outcome = await signIn(ADA, {}, [ruleOf('00000000-0000-7000-8000-000000000099')]);
      expect(outcome).toMatchObject({ outcome: 'not_signed_on', reason: 'no_access' });
      expect(await service.staff.findByEmail(ADA.email)).toBeNull();
      expect(await auditSummary(service)).toEqual(['account.sign_in refused NOT_ALLOWED']);
    });

    it('a new user whose address was taken meanwhile does not sign in', async () => {
      vi.spyOn(service.staff.identities, 'provision').mockResolvedValue({ outcome: 'exists' });
      expect(await signIn(ADA)).toMatchObject({ outcome: 'not_signed_on', reason: 'no_account' });
      expect(await auditSummary(service)).toEqual([
        'account.provision allowed',
        'account.provision refused USER_EXISTS',
      ]);
    });
  });

  it('signing in at a provider does not connect the owner of an address to the user whom another provider gave it unverified', async () => {
    const email = 'ada@example.com';
    const { provision, issuersOf } = service.staff.identities;
    const key = { issuer: 'https://other.example', subject: 'mallory' };
    const made = await provision({ email, role: 'reviewer' }, key, { emailVerified: false });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    expect(await signIn({ ...IDENTITY, email })).toMatchObject({ outcome: 'not_signed_on', reason: 'no_account' });
    expect(await issuersOf(made.user.id)).toEqual([key.issuer]);
  });

  it('keeps whether the provider verified the address of a new user', async () => {
    const { findByEmail, identities } = service.staff;
    for (const emailVerified of [true, false]) {
      const subject = `verified ${emailVerified}`;
      const email = `${emailVerified}@example.com`;
      await signIn({ ...IDENTITY, subject, email, emailVerified });
      const user = await findByEmail(email);
      if (user === null) throw new Error('not created');
      expect(await identities.hasUnverifiedEmail(user.id)).toBe(!emailVerified);
    }
  });

  it.each(['\u212Aim@example.com', 'kım@example.com', 'kim', `${'k'.repeat(300)}@example.com`])(
    'an address that no user can have finds and creates none: %s',
    async (email) => {
      const made = await service.staff.create({ email: 'kim@example.com', role: 'reviewer' });
      if (made.outcome !== 'created') throw new Error(made.outcome);
      expect(await signIn({ ...IDENTITY, email })).toMatchObject({
        outcome: 'not_signed_on',
        reason: 'no_account',
      });
      expect(await service.staff.identities.issuersOf(made.user.id)).toEqual([]);
      expect(await service.staff.list()).toHaveLength(2);
    },
  );
});

describe('joining at a provider', () => {
  /** @param invitation what the link shows; default what it does */
  const join = (token: string, identity = IDENTITY, invitation?: Invitation) =>
    service.countersign
      .as({ kind: 'anonymous', from: ADDRESS })
      .account({
        ...withProvider(identity, { kind: 'join', token }),
        ...(invitation && { invitationOf: async () => invitation }),
      })
      .finishSignOn(VISITOR, { providerId: 'acme', query: '' });

  const issuersOf = (user: User) => service.staff.identities.issuersOf(user.id);

  async function invited(): Promise<{ bob: User; token: string }> {
    const made = await service.staff.create({ email: 'bob@example.com', name: 'Bob', role: 'reviewer' });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    return { bob: made.user, token: made.invitationPath.split('/').at(-1) ?? '' };
  }

  it('joining at a provider connects the user of the link once, in the role that the claims give', async () => {
    const { bob, token } = await invited();
    expect(await join(token, { ...IDENTITY, claims: { groups: ['operators'] } })).toMatchObject({
      outcome: 'signed_in',
    });
    expect(await issuersOf(bob)).toEqual([IDENTITY.issuer]);
    expect((await service.staff.find(bob.id))?.role).toBe('operator');
    expect(await join(token)).toMatchObject({ outcome: 'not_signed_on', reason: 'link_ended' });
    expect((await linesOf(service)).map(({ action, outcome, targetId }) => [action, outcome, targetId])).toEqual([
      ['account.join', 'allowed', bob.id],
      ['account.change_role', 'allowed', bob.id],
      ['account.sign_in', 'allowed', null],
      ['account.join', 'refused', null],
    ]);
  });

  it.each<[what: string, invitation: Invitation | undefined]>([
    ['an unknown link', undefined],
    ['the link of a user who was removed meanwhile', { email: 'gone@example.com', name: '' }],
    ['a withheld link', { email: 'member0@example.com', name: '', withheldFor: 'client' }],
  ])('%s opens nothing, and the entry names no user', async (_, invitation) => {
    expect(await join('unknown', IDENTITY, invitation)).toMatchObject({
      outcome: 'not_signed_on',
      reason: 'link_ended',
    });
    expect(await linesOf(service)).toMatchObject([
      { action: 'account.join', outcome: 'refused', targetId: null, detail: { code: 'LINK_INVALID' } },
    ]);
  });

  it('a link that another request used meanwhile connects nothing', async () => {
    const outcome = await join('used', IDENTITY, { email: rita.email, name: rita.name });
    expect(outcome).toMatchObject({ outcome: 'not_signed_on', reason: 'link_ended' });
    expect(await issuersOf(rita)).toEqual([]);
    expect(await auditSummary(service)).toEqual(['account.join allowed', 'account.join refused LINK_INVALID']);
  });

  it.each([
    ['an identity of another user', IDENTITY, 'taken', 'USER_EXISTS'],
    ['a second identity at the provider', { ...IDENTITY, subject: 'second' }, 'taken', 'USER_EXISTS'],
    ['an identity without a role', { ...IDENTITY, subject: 'bob', claims: {} }, 'no_access', 'NOT_ALLOWED'],
  ])('%s is not connected, and leaves the link as it was', async (what, identity, reason, code) => {
    const { bob, token } = await invited();
    // Whether the user has another identity there shows only when it is connected.
    const entries = [...(what.startsWith('a second') ? ['account.join allowed'] : []), 'account.join refused'];
    const before = { ...IDENTITY, subject: 'before' };
    await service.staff.identities.connect(rita.id, IDENTITY, { kind: 'email' });
    if (what.startsWith('a second')) await service.staff.identities.connect(bob.id, before, { kind: 'email' });
    expect(await join(token, identity)).toMatchObject({ outcome: 'not_signed_on', reason });
    const lines = await linesOf(service);
    expect(lines.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(entries);
    expect(lines.at(-1)).toMatchObject({ targetId: bob.id, detail: { code } });
    const own = what.startsWith('a second') ? before : { ...IDENTITY, subject: 'bob' };
    expect(await join(token, own)).toMatchObject({ outcome: 'signed_in' });
  });

  it('joining at a provider again restores access that it withdrew', async () => {
    const { bob, token } = await invited();
    await service.staff.identities.connect(bob.id, IDENTITY, { kind: 'email' });
    await service.staff.identities.withdraw(bob.id);
    const link = await service.staff.invite(bob.id);
    expect(await join(link?.invitationPath.split('/').at(-1) ?? token)).toMatchObject({ outcome: 'signed_in' });
    expect(await service.staff.identities.find(IDENTITY)).toMatchObject({ withdrawnAt: null });
  });

  it('joining at a provider by a mailed link works until the password changes', async () => {
    const account = service.countersign.as({ kind: 'anonymous', from: ADDRESS }).account(accounts);
    await account.requestPasswordReset(VISITOR, { email: rita.email });
    const [mail] = await sendDue(mailer, service);
    const token = String(mail?.values.url).split('/').at(-1) ?? '';
    expect(await join(token)).toMatchObject({ outcome: 'signed_in' });
    expect(await issuersOf(rita)).toEqual([IDENTITY.issuer]);
    expect(await join(token)).toMatchObject({ outcome: 'not_signed_on', reason: 'link_ended' });
  });
});

describe('an answer that opens no session', () => {
  const finish = (changes: Partial<SingleSignOn>) =>
    service.countersign
      .as({ kind: 'anonymous', from: ADDRESS })
      .account(withProvider({ ...IDENTITY, email: rita.email }, { kind: 'sign_in' }, changes))
      .finishSignOn(VISITOR, { providerId: 'acme', query: '' });

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

  it('an ID token that fails a check is not called cancelled, and its fault is reported', async () => {
    const cause = new Error('aud');
    const refused = { outcome: 'refused', purpose: { kind: 'sign_in' }, setCookies: [] } as const;
    expect(await finish({ finish: async () => ({ ...refused, check: 'token', cause }) })).toMatchObject({
      outcome: 'not_signed_on',
      reason: 'not_genuine',
    });
    expect(service.faults).toEqual([cause]);
    expect(await auditSummary(service)).toEqual(['account.sign_in refused CREDENTIALS_REFUSED']);
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

describe('the providers of a signed-in user', () => {
  async function signedIn(
    changes: Partial<SingleSignOn> = {},
    { identity = IDENTITY, isConfirmed = true, userId = rita.id } = {},
  ) {
    const begin: SingleSignOn['begin'] = async () => ({ outcome: 'redirect', location: 'x', setCookies: [] });
    const given = withProvider(identity, { kind: 'connect', userId }, { begin, ...changes });
    const cookies = accounts.signedIn(rita.id, { confirmedAt: isConfirmed ? service.clock.now() : null });
    const session = await accounts.identify(cookies);
    if (session === null) throw new Error('the session has ended');
    const visitor = { cookies, clientAddress: ADDRESS };
    const account = service.countersign.as({ kind: 'user', session, from: ADDRESS }).account(given);
    const purpose: SignOnPurpose = { kind: 'connect', userId };
    return {
      cookies,
      list: () => account.ownProviders(),
      begin: () => account.beginSignOn(visitor, { providerId: 'acme', purpose, returnTo: null }),
      finish: () => account.finishSignOn(visitor, { providerId: 'acme', query: '' }),
      disconnect: (providerId = 'acme') => account.disconnectProvider(visitor, providerId),
    };
  }

  const isConnected = async () => (await service.staff.identities.issuersOf(rita.id)).length > 0;

  it('the providers of a signed-in user are connected and disconnected with entries, and the session ends', async () => {
    const at = await signedIn();
    expect(await at.list()).toEqual([{ id: 'acme', name: 'Acme', isConnected: false }]);
    expect((await at.begin())?.outcome).toBe('redirect');
    expect((await at.finish())?.outcome).toBe('connected');
    expect(await at.list()).toEqual([{ id: 'acme', name: 'Acme', isConnected: true }]);
    expect(await accounts.identify(at.cookies)).not.toBeNull();
    expect((await at.disconnect()).outcome).toBe('disconnected');
    expect(await isConnected()).toBe(false);
    expect(await accounts.identify(at.cookies)).toBeNull();
    expect(await auditSummary(service)).toEqual([
      'account.connect_provider allowed',
      'account.disconnect_provider allowed',
    ]);
  });

  it('the providers of a signed-in user are not connected before the identity is confirmed, or for another user', async () => {
    const [unconfirmed, other] = [
      await signedIn({}, { isConfirmed: false }),
      await signedIn({}, { userId: 'other' }),
    ];
    expect(await unconfirmed.begin()).toEqual({ outcome: 'confirmation_needed' });
    expect(await other.begin()).toEqual({ outcome: 'confirmation_needed' });
    expect(await other.finish()).toMatchObject({ reason: 'not_accepted', purpose: 'connect' });
    expect(await isConnected()).toBe(false);
    expect(await auditSummary(service)).toEqual(['account.connect_provider refused CREDENTIALS_REFUSED']);
  });

  it("the provider's rules apply: another role is stored, no role connects and withdraws nothing", async () => {
    const none = await signedIn({}, { identity: { ...IDENTITY, claims: { groups: [] } } });
    expect(await none.finish()).toMatchObject({ reason: 'no_access' });
    expect(await isConnected()).toBe(false);
    const another = await signedIn({}, { identity: { ...IDENTITY, claims: { groups: ['operators'] } } });
    expect((await another.finish())?.outcome).toBe('connected');
    expect((await service.staff.find(rita.id))?.role).toBe('operator');
    expect(await auditSummary(service)).toEqual([
      'account.connect_provider refused NOT_ALLOWED',
      'account.connect_provider allowed',
      'account.change_role allowed',
    ]);
  });

  it('an account of another user is not connected', async () => {
    const bob = await givenStaff(service, { role: 'reviewer' });
    await service.staff.identities.connect(bob.id, IDENTITY, { kind: 'email' });
    expect(await (await signedIn()).finish()).toMatchObject({ reason: 'taken' });
    expect(await auditSummary(service)).toEqual([
      'account.connect_provider allowed',
      'account.connect_provider refused USER_EXISTS',
    ]);
  });

  it('the last way to sign in stays', async () => {
    await service.staff.identities.connect(rita.id, IDENTITY, { kind: 'email' });
    const at = await signedIn({ passwordsOff: ['reviewer'] });
    expect(await at.disconnect()).toEqual({ outcome: 'last_way' });
    expect(await isConnected()).toBe(true);
    expect(await accounts.identify(at.cookies)).not.toBeNull();
    expect(await auditSummary(service)).toEqual([
      'account.disconnect_provider allowed',
      'account.disconnect_provider refused LAST_WAY_TO_SIGN_IN',
    ]);
  });

  it.each<[what: string, isConfirmed: boolean, providerId: string, code: string]>([
    ['an identity that was not confirmed again', false, 'acme', 'NOT_ALLOWED'],
    ['an unknown provider', true, 'unknown', 'NOT_FOUND'],
  ])('%s: nothing is disconnected', async (_, isConfirmed, providerId, code) => {
    await service.staff.identities.connect(rita.id, IDENTITY, { kind: 'email' });
    const at = await signedIn({}, { isConfirmed });
    expect(await at.disconnect(providerId)).toEqual({ outcome: 'refused' });
    expect(await isConnected()).toBe(true);
    expect(await auditSummary(service)).toEqual([`account.disconnect_provider refused ${code}`]);
  });
});
