import { CountersignError } from '@countersign/domain';
import type { AccountActions } from '@countersign/domain/actions';
import type { Accounts, User, Visitor } from '@countersign/domain/staff';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryAccounts, createMemoryStorage, MEMORY_CODE, type MemoryAccounts } from '@countersign/memory';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { ADDRESS, auditSummary, givenStaff, givenTeam, linesOf } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const PASSWORD = 'violet anchor 7 gravel';
const WRONG = 'wrong password 1';
const ANONYMOUS: Visitor = { cookies: undefined, clientAddress: ADDRESS };

let service: Service;
let ann: User;
let accounts: MemoryAccounts;
let append: Storage['audit']['append'];

beforeEach(async () => {
  const memory = createMemoryStorage();
  append = memory.audit.append;
  const audit: Storage['audit'] = { ...memory.audit, append: (...entries) => append(...entries) };
  service = givenService({ storage: { ...memory, audit } });
  const { clientId } = await givenTeam(service);
  ann = await givenStaff(service, { role: 'client', clientId, teamRole: 'viewer' });
  let made = 0;
  accounts = createMemoryAccounts({ clock: service.clock, ids: { next: () => `secret-${++made}` } });
  accounts.add(ann, PASSWORD);
});

const anonymous = (as: Accounts = accounts): AccountActions =>
  service.countersign.as({ kind: 'anonymous', from: ADDRESS }).account(as);

/** Signs Ann in without an audit entry. */
async function signedIn(): Promise<{ visitor: Visitor; account: AccountActions }> {
  const visitor = { ...ANONYMOUS, cookies: accounts.signedIn(ann.id) };
  const session = await accounts.identify(visitor.cookies);
  if (session === null) throw new Error('the session has ended');
  const account = service.countersign.as({ kind: 'user', session, from: ADDRESS }).account(accounts);
  return { visitor, account };
}

/** Gives Ann a second factor. Returns the visitor who has entered her password and still has to enter the code. */
async function givenChallenge(): Promise<Visitor> {
  accounts.staff.setUpSecondFactor(ann.id);
  const answer = await anonymous().signIn(ANONYMOUS, { email: ann.email, password: PASSWORD });
  if (answer.outcome !== 'second_factor_needed') throw new Error(answer.outcome);
  return { ...ANONYMOUS, cookies: answer.setCookies[0]?.split(';')[0] };
}

const full = () => Promise.reject(new Error('the disk is full'));

describe('signing in', () => {
  it('signing in is recorded with the user after it succeeded', async () => {
    const { outcome } = await anonymous().signIn(ANONYMOUS, { email: ann.email, password: PASSWORD });
    expect(outcome).toBe('signed_in');
    expect(await linesOf(service)).toMatchObject([
      {
        actor: { kind: 'team_member', id: ann.id },
        from: ADDRESS,
        action: 'account.sign_in',
        outcome: 'allowed',
        clientId: ann.clientId,
        targetId: null,
        detail: { withSecondFactor: false },
      },
    ]);
  });

  it('signing in with a second factor is recorded after the right code, and not before', async () => {
    const visitor = await givenChallenge();
    expect(await linesOf(service)).toEqual([]);
    expect(await anonymous().enterSecondFactor(visitor, '000000')).toEqual({ outcome: 'refused' });
    expect((await anonymous().enterSecondFactor(visitor, MEMORY_CODE)).outcome).toBe('signed_in');
    expect(await linesOf(service)).toMatchObject([
      { actor: { kind: 'anonymous', id: null }, outcome: 'refused', detail: { withSecondFactor: true } },
      { actor: { kind: 'team_member', id: ann.id }, outcome: 'allowed', detail: { withSecondFactor: true } },
    ]);
  });

  it('begins no session if the line cannot be written', async () => {
    append = full;
    const input = { email: ann.email, password: PASSWORD };
    await expect(anonymous().signIn(ANONYMOUS, input)).rejects.toThrow('the disk is full');
    expect(accounts.sessionsOf(ann.id)).toBe(0);
    const visitor = await givenChallenge();
    await expect(anonymous().enterSecondFactor(visitor, MEMORY_CODE)).rejects.toThrow('the disk is full');
    expect(accounts.visitors, 'each was begun').toEqual([ANONYMOUS, ANONYMOUS, visitor]);
    expect(accounts.sessionsOf(ann.id)).toBe(0);
  });

  it('sends no cookies if the session cannot be ended either, and reports the fault', async () => {
    append = full;
    const broken = { ...accounts, signOut: () => Promise.reject(new Error('no database')) };
    const input = { email: ann.email, password: PASSWORD };
    await expect(anonymous(broken).signIn(ANONYMOUS, input)).rejects.toThrow('the disk is full');
    expect(service.faults).toEqual([new Error('no database')]);
  });

  it('leaves a failed line if the accounts cannot be reached', async () => {
    const down = () => Promise.reject(new Error('no database'));
    const account = anonymous({ ...accounts, signIn: down, enterSecondFactor: down });
    await expect(account.signIn(ANONYMOUS, { email: ann.email, password: PASSWORD })).rejects.toThrow(
      'no database',
    );
    await expect(account.enterSecondFactor(ANONYMOUS, MEMORY_CODE)).rejects.toThrow('no database');
    expect(await linesOf(service)).toMatchObject([
      { action: 'account.sign_in', outcome: 'failed', targetId: ann.id, detail: { code: 'INTERNAL_ERROR' } },
      { action: 'account.sign_in', outcome: 'failed', targetId: null, detail: { code: 'INTERNAL_ERROR' } },
    ]);
  });

  it('joining leaves a failed line if the invitation cannot be read', async () => {
    const account = anonymous({ ...accounts, invitationOf: () => Promise.reject(new Error('no database')) });
    const joining = account.acceptInvitation(ANONYMOUS, { token: 'any', password: PASSWORD });
    await expect(joining).rejects.toThrow('no database');
    expect(await linesOf(service)).toMatchObject([
      { action: 'account.join', outcome: 'failed', targetId: null, detail: { code: 'INTERNAL_ERROR' } },
    ]);
  });

  it('a sign-in is refused if the session ended before its line was written', async () => {
    const ending: Accounts = {
      ...accounts,
      async signIn(...given) {
        const answer = await accounts.signIn(...given);
        await accounts.staff.resetSecondFactor(ann.id);
        return answer;
      },
    };
    const input = { email: ann.email, password: PASSWORD };
    expect(await anonymous(ending).signIn(ANONYMOUS, input)).toEqual({ outcome: 'refused' });
    expect(await auditSummary(service)).toEqual(['account.sign_in refused CREDENTIALS_REFUSED']);
  });

  it('signing in that fails is recorded with the id of the account, if it exists, and never with the e-mail address', async () => {
    for (const email of [ann.email, 'stranger@example.com']) {
      expect(await anonymous().signIn(ANONYMOUS, { email, password: WRONG })).toEqual({ outcome: 'refused' });
    }
    accounts.throttle(60);
    expect(await anonymous().signIn(ANONYMOUS, { email: ann.email, password: WRONG })).toMatchObject({
      outcome: 'throttled',
    });
    const lines = await linesOf(service);
    expect(await auditSummary(service)).toEqual([
      'account.sign_in refused CREDENTIALS_REFUSED',
      'account.sign_in refused CREDENTIALS_REFUSED',
      'account.sign_in refused RATE_LIMIT_EXCEEDED',
    ]);
    expect(lines.map(({ actor, targetId, clientId }) => [actor.kind, targetId, clientId])).toEqual([
      ['anonymous', ann.id, ann.clientId],
      ['anonymous', null, null],
      ['anonymous', ann.id, ann.clientId],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/@|wrong password/);
  });

  it('signing in that fails again and again leaves one line and a summary', async () => {
    for (let count = 0; count < 40; count += 1)
      await anonymous().signIn(ANONYMOUS, { email: 'x@y.example', password: WRONG });
    await service.countersign.summariseRefusals();
    expect(await linesOf(service)).toMatchObject([
      { action: 'account.sign_in', outcome: 'refused', detail: { code: 'CREDENTIALS_REFUSED' } },
      { action: 'account.sign_in', outcome: 'refused', detail: { code: 'CREDENTIALS_REFUSED', count: 39 } },
    ]);
    await anonymous().signIn(ANONYMOUS, { email: ann.email, password: PASSWORD });
    expect((await auditSummary(service)).at(-1)).toBe('account.sign_in allowed');
  });
});

describe('a one-time link', () => {
  it('a one-time link is recorded before it is used, and then the sign-in', async () => {
    const token = await accounts.invite(ann.id);
    const input = { token, password: PASSWORD };
    expect((await anonymous().acceptInvitation(ANONYMOUS, input)).outcome).toBe('signed_in');
    expect(await linesOf(service)).toMatchObject([
      { action: 'account.join', outcome: 'allowed', actor: { kind: 'anonymous' }, targetId: ann.id, detail: {} },
      {
        action: 'account.sign_in',
        outcome: 'allowed',
        actor: { kind: 'team_member', id: ann.id },
        targetId: null,
      },
    ]);
    expect(JSON.stringify(await linesOf(service))).not.toContain(token);
  });

  it('a one-time link does not sign in a user with a second factor before the code', async () => {
    accounts.staff.setUpSecondFactor(ann.id);
    const input = { token: await accounts.invite(ann.id), password: PASSWORD };
    expect((await anonymous().acceptInvitation(ANONYMOUS, input)).outcome).toBe('second_factor_needed');
    expect(await auditSummary(service)).toEqual(['account.join allowed']);
  });

  it('checks the new password against the name of the client', async () => {
    const names: (string | undefined)[] = [];
    const checking: Accounts = {
      ...accounts,
      acceptInvitation(visitor, input) {
        names.push(input.clientName);
        return accounts.acceptInvitation(visitor, input);
      },
    };
    const operator = await givenStaff(service, { role: 'operator' });
    accounts.add(operator, PASSWORD);
    for (const { id } of [ann, operator]) {
      const token = await accounts.invite(id);
      await anonymous(checking).acceptInvitation(ANONYMOUS, { token, password: PASSWORD });
    }
    expect(names).toEqual(['Acme', undefined]);
  });

  it('a one-time link is not used if the line cannot be written', async () => {
    append = full;
    const token = await accounts.invite(ann.id);
    const input = { token, password: PASSWORD };
    await expect(anonymous().acceptInvitation(ANONYMOUS, input)).rejects.toThrow('the disk is full');
    expect(accounts.visitors).toEqual([]);
    expect(await accounts.invitationOf(token)).not.toBeNull();
  });

  it('a one-time link is recorded as refused: unknown link, bad password, too many attempts', async () => {
    const token = await accounts.invite(ann.id);
    const unknown = await anonymous().acceptInvitation(ANONYMOUS, { token: 'x', password: PASSWORD });
    expect(unknown).toEqual({ outcome: 'refused' });
    const short = await anonymous().acceptInvitation(ANONYMOUS, { token, password: 'short' });
    expect(short).toEqual({ outcome: 'password_refused', reason: 'too_short' });
    accounts.throttle(60);
    await anonymous().acceptInvitation(ANONYMOUS, { token, password: PASSWORD });
    expect(await auditSummary(service)).toEqual([
      'account.join refused LINK_INVALID',
      'account.join allowed',
      'account.join refused PASSWORD_REFUSED',
      'account.join allowed',
      'account.join refused RATE_LIMIT_EXCEEDED',
    ]);
    expect((await linesOf(service)).map(({ detail }) => detail.of)).toEqual([
      undefined,
      undefined,
      2,
      undefined,
      4,
    ]);
  });
});

describe('a signed-in user', () => {
  type Ask = (account: AccountActions, visitor: Visitor, secret: string) => Promise<{ readonly outcome: string }>;

  const acts: [action: string, right: string, ask: Ask][] = [
    ['account.add_second_factor', MEMORY_CODE, (account, ...args) => account.confirmSecondFactor(...args)],
    ['account.remove_second_factor', PASSWORD, (account, ...args) => account.removeSecondFactor(...args)],
  ];

  it.each(acts)('%s is recorded before it runs, and then its refusal', async (action, right, ask) => {
    const { visitor, account } = await signedIn();
    expect((await ask(account, visitor, right)).outcome).toMatch(/^(?:confirmed|signed_in|removed)$/);
    expect((await ask(account, visitor, WRONG)).outcome).toBe('refused');
    accounts.throttle(60);
    expect((await ask(account, visitor, right)).outcome).toBe('throttled');
    expect(await auditSummary(service)).toEqual([
      `${action} allowed`,
      `${action} allowed`,
      `${action} refused CREDENTIALS_REFUSED`,
      `${action} allowed`,
      `${action} refused RATE_LIMIT_EXCEEDED`,
    ]);
    for (const { actor, from } of await linesOf(service)) {
      expect({ actor, from }).toEqual({ actor: { kind: 'team_member', id: ann.id }, from: ADDRESS });
    }
  });

  it.each(acts)(
    '%s does not run if the line cannot be written, nor for anonymous callers',
    async (action, right, ask) => {
      const { visitor, account } = await signedIn();
      expect((await ask(anonymous(), visitor, right)).outcome).toBe('refused');
      expect(await auditSummary(service)).toEqual([`${action} refused NOT_ALLOWED`]);
      append = full;
      await expect(ask(account, visitor, right)).rejects.toThrow('the disk is full');
      expect(accounts.visitors).toEqual([]);
    },
  );

  it('confirmIdentity is recorded after the right password, and wrong ones are counted', async () => {
    const { visitor, account } = await signedIn();
    for (let n = 0; n < 40; n += 1) await account.confirmIdentity(visitor, WRONG);
    expect((await account.confirmIdentity(visitor, PASSWORD)).outcome).toBe('confirmed');
    await service.countersign.summariseRefusals();
    const refused = { outcome: 'refused', detail: { code: 'CREDENTIALS_REFUSED' } };
    expect(await linesOf(service)).toMatchObject([
      refused,
      { action: 'account.confirm_identity', outcome: 'allowed', actor: { id: ann.id }, from: ADDRESS, detail: {} },
      { ...refused, detail: { ...refused.detail, count: 39 } },
    ]);
  });

  it('confirmIdentity leaves no line while the identity is confirmed, and does not prolong it', async () => {
    const confirmAgain = async () => {
      const { cookies = '' } = confirmed;
      const session = await accounts.identify(cookies);
      if (session === null) throw new Error('the session has ended');
      const account = service.countersign.as({ kind: 'user', session, from: ADDRESS }).account(accounts);
      expect((await account.confirmIdentity(confirmed, PASSWORD)).outcome).toBe('confirmed');
      return (await accounts.identify(cookies))?.confirmedAt;
    };
    const { visitor: confirmed } = await signedIn();
    const first = service.clock.now();
    for (let n = 0; n < 50; n += 1) expect(await confirmAgain()).toEqual(first);
    expect(await auditSummary(service)).toEqual(['account.confirm_identity allowed']);
    service.clock.advance(10 * 60_000);
    expect(await confirmAgain()).toEqual(service.clock.now());
    expect(await auditSummary(service)).toHaveLength(2);
  });

  it('confirmIdentity confirms nothing if the line cannot be written: the session ends', async () => {
    const { visitor, account } = await signedIn();
    expect((await anonymous().confirmIdentity(visitor, PASSWORD)).outcome).toBe('refused');
    expect(await auditSummary(service)).toEqual(['account.confirm_identity refused NOT_ALLOWED']);
    append = full;
    await expect(account.confirmIdentity(visitor, PASSWORD)).rejects.toThrow('the disk is full');
    expect(await accounts.identify(visitor.cookies)).toBeNull();
  });

  it('a fault of the accounts leaves a failed line', async () => {
    const { visitor } = await signedIn();
    const session = await accounts.identify(visitor.cookies);
    if (session === null) throw new Error('the session has ended');
    const fault = new CountersignError('SERVICE_UNAVAILABLE', 'no database');
    const broken = { ...accounts, removeSecondFactor: () => Promise.reject(fault) };
    const account = service.countersign.as({ kind: 'user', session, from: ADDRESS }).account(broken);
    await expect(account.removeSecondFactor(visitor, PASSWORD)).rejects.toThrow('no database');
    expect(await auditSummary(service)).toEqual([
      'account.remove_second_factor allowed',
      'account.remove_second_factor failed SERVICE_UNAVAILABLE',
    ]);
  });

  it('a signed-in user who must wait after wrong passwords leaves no line for each further attempt', async () => {
    const { visitor, account } = await signedIn();
    accounts.throttle(90);
    for (let n = 0; n < 50; n += 1) {
      expect((await account.confirmIdentity(visitor, WRONG)).outcome).toBe('throttled');
      expect((await account.removeSecondFactor(visitor, WRONG)).outcome).toBe('throttled');
    }
    expect(accounts.visitors).toHaveLength(2);
    await service.countersign.summariseRefusals();
    expect((await linesOf(service)).map(({ outcome, detail }) => [outcome, detail.count])).toEqual([
      ['refused', undefined],
      ['allowed', undefined],
      ['refused', undefined],
      ['refused', undefined],
      ['refused', 49],
      ['refused', 48],
    ]);
    service.clock.advance(89_001);
    expect(await account.confirmIdentity(visitor, WRONG)).toEqual({ outcome: 'throttled', retryAfterSeconds: 1 });
    expect(accounts.visitors).toHaveLength(2);
    service.clock.advance(1_000);
    await account.confirmIdentity(visitor, WRONG);
    expect(accounts.visitors).toHaveLength(3);
  });

  it('beginSecondFactor is recorded only when it is refused', async () => {
    const { visitor, account } = await signedIn();
    expect((await account.beginSecondFactor(visitor, PASSWORD)).outcome).toBe('begun');
    expect(await linesOf(service)).toEqual([]);
    expect((await account.beginSecondFactor(visitor, WRONG)).outcome).toBe('refused');
    expect(await auditSummary(service)).toEqual(['account.add_second_factor refused CREDENTIALS_REFUSED']);
  });

  it('signOut is recorded before it runs; for anonymous callers it leaves no line', async () => {
    const { visitor, account } = await signedIn();
    await anonymous().signOut(ANONYMOUS);
    expect(await linesOf(service)).toEqual([]);
    await account.signOut(visitor);
    expect(accounts.sessionsOf(ann.id)).toBe(0);
    expect(await linesOf(service)).toMatchObject([
      { action: 'account.sign_out', outcome: 'allowed', actor: { kind: 'team_member', id: ann.id } },
    ]);
  });
});
