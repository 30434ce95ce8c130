import type { AccountActions } from '@countersign/domain/actions';
import type { Accounts, PasskeyPurpose, Passkeys, User, Visitor } from '@countersign/domain/staff';
import { createMemoryAccounts, type MemoryAccounts } from '@countersign/memory';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { ADDRESS, auditSummary, givenStaff, linesOf } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const PASSWORD = 'violet anchor 7 gravel';
const ANONYMOUS: Visitor = { cookies: undefined, clientAddress: ADDRESS };
const RESPONSE = '{}';

let service: Service;
let rita: User;
let accounts: MemoryAccounts;

beforeEach(async () => {
  service = givenService();
  rita = await givenStaff(service, { role: 'reviewer' });
  let made = 0;
  accounts = createMemoryAccounts({ clock: service.clock, ids: { next: () => `secret-${++made}` } });
  accounts.add(rita, PASSWORD);
  accounts.staff.setUpSecondFactor(rita.id);
});

/** The accounts with a passkey of Rita's that is always right. */
function withPasskeys(changes: Partial<Passkeys> = {}, hasPassword = true): Accounts {
  const passkey = { id: 'passkey-1', name: 'Laptop', createdAt: service.clock.now(), usedAt: null };
  const request = { options: '{}', setCookies: [] };
  const passkeys: Passkeys = {
    list: async () => [passkey],
    begin: async () => request,
    finish: async (_, { purpose }) => ({
      outcome: 'verified',
      purpose,
      user: rita,
      passkeyId: passkey.id,
      hasPassword,
      counter: { from: 1, to: 2 },
    }),
    startSession: async (_, { user }) => ({
      outcome: 'signed_in',
      setCookies: [accounts.signedIn(user.id, { withSecondFactor: true })],
    }),
    beginAdding: async () => request,
    finishAdding: async () => ({ outcome: 'added', passkey, setCookies: [] }),
    remove: async (_, id) => id === passkey.id,
    ...changes,
  };
  return { ...accounts, passkeys };
}

/** As a service that signs reviewers in at a provider only. */
function withoutPasswords(given: Accounts): Accounts {
  const unused = () => Promise.reject(new Error('not used'));
  return {
    ...given,
    singleSignOn: {
      policies: [],
      passwordsOff: ['reviewer'],
      mayUsePassword: async ({ role }) => role !== 'reviewer',
      begin: unused,
      finish: unused,
      startSession: unused,
      confirmSession: unused,
    },
  };
}

const enter = (given: Accounts, purpose: PasskeyPurpose = 'sign_in') =>
  service.countersign
    .as({ kind: 'anonymous', from: ADDRESS })
    .account(given)
    .enterPasskey(ANONYMOUS, { purpose, response: RESPONSE });

describe('signing in with a passkey', () => {
  it('signing in with a passkey is recorded with the user, as a sign-in with two factors', async () => {
    expect((await enter(withPasskeys())).outcome).toBe('signed_in');
    expect(await linesOf(service)).toMatchObject([
      {
        actor: { kind: 'reviewer', id: rita.id },
        action: 'account.sign_in',
        outcome: 'allowed',
        detail: { withSecondFactor: true, passkey: true },
      },
    ]);
  });

  it.each<[what: string, given: () => Accounts]>([
    ['a user without a password', () => withPasskeys({}, false)],
    ['a role without passwords', () => withoutPasswords(withPasskeys())],
  ])('%s: refused in place of the password, accepted in place of the code', async (_, given) => {
    expect(await enter(given())).toEqual({ outcome: 'refused' });
    expect((await enter(given(), 'second_factor')).outcome).toBe('signed_in');
    expect(await linesOf(service)).toMatchObject([
      { action: 'account.sign_in', outcome: 'refused', targetId: rita.id, detail: { check: 'passkey' } },
      { action: 'account.sign_in', outcome: 'allowed' },
    ]);
  });

  it.each<[what: string, changes: Partial<Passkeys>, code: string]>([
    [
      'a counter that went back',
      { finish: async () => ({ outcome: 'refused', check: 'counter', user: rita }) },
      'CREDENTIALS_REFUSED',
    ],
    [
      'too many attempts',
      { finish: async () => ({ outcome: 'throttled', retryAfterSeconds: 9 }) },
      'RATE_LIMIT_EXCEEDED',
    ],
    [
      'a passkey that was removed meanwhile',
      { startSession: async () => ({ outcome: 'refused' }) },
      'CREDENTIALS_REFUSED',
    ],
  ])('%s: refused, with an entry', async (_, changes, code) => {
    await enter(withPasskeys(changes));
    expect(await auditSummary(service)).toEqual([`account.sign_in refused ${code}`]);
  });

  it('a fault leaves a failed entry', async () => {
    const finish = () => Promise.reject(new Error('no database'));
    await expect(enter(withPasskeys({ finish }))).rejects.toThrow('no database');
    expect(await auditSummary(service)).toEqual(['account.sign_in failed INTERNAL_ERROR']);
  });

  it('a service without passkeys refuses', async () => {
    expect(await enter(accounts)).toEqual({ outcome: 'refused' });
  });
});

describe('the passkeys of a user', () => {
  interface State {
    readonly withSecondFactor?: boolean;
    readonly isConfirmed?: boolean;
  }

  async function signedIn(given: Accounts, { withSecondFactor = true, isConfirmed = true }: State = {}) {
    const confirmedAt = isConfirmed ? service.clock.now() : null;
    const cookies = accounts.signedIn(rita.id, { withSecondFactor, confirmedAt });
    const session = await accounts.identify(cookies);
    if (session === null) throw new Error('the session has ended');
    const account: AccountActions = service.countersign
      .as({ kind: 'user', session, from: ADDRESS })
      .account(given);
    const visitor = { ...ANONYMOUS, cookies };
    return {
      access: () => account.passkeyAccess(visitor),
      begin: () => account.beginAddingPasskey(visitor),
      add: (name = 'Laptop') => account.addPasskey(visitor, { name, response: RESPONSE }),
      remove: (id: string) => account.removePasskey(visitor, id),
    };
  }

  it('the passkeys of a user are added and removed with entries', async () => {
    const at = await signedIn(withPasskeys());
    expect(await at.access()).toBe('allowed');
    expect(await at.begin()).toEqual({ options: '{}', setCookies: [] });
    expect((await at.add()).outcome).toBe('added');
    expect(await at.remove('passkey-1')).toEqual({ outcome: 'removed' });
    expect(await at.remove('unknown')).toEqual({ outcome: 'refused' });
    expect(await auditSummary(service)).toEqual([
      'account.add_passkey allowed',
      'account.remove_passkey allowed',
      'account.remove_passkey allowed',
      'account.remove_passkey refused NOT_FOUND',
    ]);
  });

  it.each<[what: string, state: State, access: string]>([
    ['a session without a second factor', { withSecondFactor: false }, 'second_factor_needed'],
    ['an identity that was not confirmed again', { isConfirmed: false }, 'confirmation_needed'],
  ])('%s: refused, with entries', async (_, state, access) => {
    const at = await signedIn(withPasskeys(), state);
    expect(await at.access()).toBe(access);
    expect(await at.begin()).toBeNull();
    expect(await at.add()).toEqual({ outcome: 'refused' });
    expect(await at.remove('passkey-1')).toEqual({ outcome: 'refused' });
    expect(await auditSummary(service)).toEqual([
      'account.add_passkey refused NOT_ALLOWED',
      'account.remove_passkey refused NOT_ALLOWED',
    ]);
  });

  it('a name is trimmed and cut, and too many and wrong answers are recorded', async () => {
    const names: string[] = [];
    const finishAdding: Passkeys['finishAdding'] = async (_, { name }) => {
      names.push(name);
      return { outcome: names.length === 1 ? 'too_many' : 'throttled', retryAfterSeconds: 60 };
    };
    const at = await signedIn(withPasskeys({ finishAdding }));
    expect((await at.add(` ${'ä'.repeat(70)} `)).outcome).toBe('too_many');
    expect((await at.add()).outcome).toBe('throttled');
    expect((await at.add()).outcome).toBe('throttled');
    expect(names).toEqual(['ä'.repeat(60), 'Laptop']);
    expect(await auditSummary(service)).toEqual([
      'account.add_passkey allowed',
      'account.add_passkey refused TOO_MANY_PASSKEYS',
      'account.add_passkey allowed',
      'account.add_passkey refused RATE_LIMIT_EXCEEDED',
      'account.add_passkey refused RATE_LIMIT_EXCEEDED',
    ]);
  });
});
