import {
  type AccountActions,
  type AuditEntry,
  CountersignError,
  type Storage,
  type User,
  type Visitor,
} from '@countersign/domain';
import { createMemoryStorage } from '@countersign/memory';
import { ADDRESS, givenStaff, givenTeam, linesOf, toldBy } from '@countersign/test-support/service/desks';
import {
  RIGHT,
  type ScriptedAccounts,
  scriptedAccounts,
} from '@countersign/test-support/service/scripted-accounts';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

const WRONG = 'wrong password 1';
const NOBODY: Visitor = { cookies: undefined, clientAddress: ADDRESS };

let service: Service;
let ann: User;
let accounts: ScriptedAccounts;
let append: (entry: AuditEntry) => ReturnType<Storage['audit']['append']>;

beforeEach(async () => {
  const memory = createMemoryStorage();
  append = memory.audit.append;
  service = givenService({ storage: { ...memory, audit: { ...memory.audit, append: (entry) => append(entry) } } });
  const { clientId } = await givenTeam(service);
  ann = await givenStaff(service, { role: 'client', clientId, teamRole: 'viewer' });
  accounts = scriptedAccounts(ann, service.clock.now);
});

const nobody = (): AccountActions =>
  service.countersign.as({ kind: 'anonymous', from: ADDRESS }).account(accounts);

/** Somebody who has signed in, past the log. */
async function signedIn(): Promise<{ visitor: Visitor; desk: AccountActions }> {
  const outcome = await accounts.signIn(NOBODY, { email: ann.email, password: RIGHT.password });
  if (outcome.outcome !== 'signed_in') throw new Error(outcome.outcome);
  const visitor = { ...NOBODY, cookies: outcome.setCookies[0]?.split(';')[0] };
  const session = await accounts.identify(visitor.cookies);
  if (session === null) throw new Error('the session has ended');
  const desk = service.countersign.as({ kind: 'user', session, from: ADDRESS }).account(accounts);
  return { visitor, desk };
}

const full = () => Promise.reject(new Error('the disk is full'));

describe('signing in', () => {
  it('is told of with whoever it was, once it is known', async () => {
    const { outcome } = await nobody().signIn(NOBODY, { email: ann.email, password: RIGHT.password });
    expect(outcome).toBe('signed_in');
    expect(await linesOf(service)).toMatchObject([
      {
        actor: { kind: 'client', id: ann.id },
        from: ADDRESS,
        action: 'account.sign_in',
        outcome: 'allowed',
        clientId: ann.clientId,
        targetId: null,
        detail: { withSecondFactor: false },
      },
    ]);
  });

  it('with a second factor is told of when the code was right, and not before', async () => {
    accounts.script({ hasSecondFactor: true });
    const half = await nobody().signIn(NOBODY, { email: ann.email, password: RIGHT.password });
    expect(half.outcome).toBe('second_factor_needed');
    expect(await linesOf(service)).toEqual([]);
    expect(await nobody().enterSecondFactor(NOBODY, '000000')).toEqual({ outcome: 'refused' });
    expect((await nobody().enterSecondFactor(NOBODY, RIGHT.code)).outcome).toBe('signed_in');
    expect(await linesOf(service)).toMatchObject([
      { actor: { kind: 'nobody', id: null }, outcome: 'refused', detail: { withSecondFactor: true } },
      { actor: { kind: 'client', id: ann.id }, outcome: 'allowed', detail: { withSecondFactor: true } },
    ]);
  });

  it('is no session where the line cannot be written', async () => {
    append = full;
    const input = { email: ann.email, password: RIGHT.password };
    await expect(nobody().signIn(NOBODY, input)).rejects.toThrow('the disk is full');
    await expect(nobody().enterSecondFactor(NOBODY, RIGHT.code)).rejects.toThrow('the disk is full');
    expect(accounts.asked).toEqual(['signIn', 'signOut', 'enterSecondFactor', 'signOut']);
    expect(accounts.sessions()).toBe(0);
  });

  it('gives its cookies to nobody where the session cannot be ended either, and tells the fault', async () => {
    append = full;
    const broken = { ...accounts, signOut: () => Promise.reject(new Error('no database')) };
    const desk = service.countersign.as({ kind: 'anonymous', from: ADDRESS }).account(broken);
    const input = { email: ann.email, password: RIGHT.password };
    await expect(desk.signIn(NOBODY, input)).rejects.toThrow('the disk is full');
    expect(service.faults).toEqual([new Error('no database')]);
  });

  it('is refused where the session has ended before its line', async () => {
    accounts.script({ endsSessions: true });
    const input = { email: ann.email, password: RIGHT.password };
    expect(await nobody().signIn(NOBODY, input)).toEqual({ outcome: 'refused' });
    expect(await toldBy(service)).toEqual(['account.sign_in refused CREDENTIALS_REFUSED']);
  });

  it('in vain is told of with the account that was tried, where there is one, and never with the e-mail', async () => {
    for (const email of [ann.email, 'stranger@example.com']) {
      expect(await nobody().signIn(NOBODY, { email, password: WRONG })).toEqual({ outcome: 'refused' });
    }
    accounts.script({ throttled: true });
    expect(await nobody().signIn(NOBODY, { email: ann.email, password: WRONG })).toMatchObject({
      outcome: 'throttled',
    });
    const lines = await linesOf(service);
    expect(await toldBy(service)).toEqual([
      'account.sign_in refused CREDENTIALS_REFUSED',
      'account.sign_in refused CREDENTIALS_REFUSED',
      'account.sign_in refused RATE_LIMIT_EXCEEDED',
    ]);
    expect(lines.map(({ actor, targetId, clientId }) => [actor.kind, targetId, clientId])).toEqual([
      ['nobody', ann.id, ann.clientId],
      ['nobody', null, null],
      ['nobody', ann.id, ann.clientId],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/@|wrong password/);
  });

  it('in vain fills no log: 30 lines a minute of one address', async () => {
    for (let count = 0; count < 40; count += 1)
      await nobody().signIn(NOBODY, { email: 'x@y.example', password: WRONG });
    expect(await linesOf(service)).toHaveLength(30);
    await nobody().signIn(NOBODY, { email: ann.email, password: RIGHT.password });
    expect((await toldBy(service)).at(-1)).toBe('account.sign_in allowed');
  });
});

describe('a one-time link', () => {
  it('is told of before it is used up, and then who signed in with it', async () => {
    const input = { token: RIGHT.token, password: RIGHT.password };
    expect((await nobody().acceptInvitation(NOBODY, input)).outcome).toBe('signed_in');
    expect(await linesOf(service)).toMatchObject([
      { action: 'account.join', outcome: 'allowed', actor: { kind: 'nobody' }, targetId: ann.id, detail: {} },
      { action: 'account.sign_in', outcome: 'allowed', actor: { kind: 'client', id: ann.id }, targetId: null },
    ]);
    expect(JSON.stringify(await linesOf(service))).not.toContain(RIGHT.token);
  });

  it('signs nobody in who has a second factor, before the code', async () => {
    accounts.script({ hasSecondFactor: true });
    await nobody().acceptInvitation(NOBODY, { token: RIGHT.token, password: RIGHT.password });
    expect(await toldBy(service)).toEqual(['account.join allowed']);
  });

  it('is not used up where the line cannot be written', async () => {
    append = full;
    const input = { token: RIGHT.token, password: RIGHT.password };
    await expect(nobody().acceptInvitation(NOBODY, input)).rejects.toThrow('the disk is full');
    expect(accounts.asked).toEqual([]);
  });

  it('is told of as refused: an unknown one, a bad password, too many attempts', async () => {
    const unknown = await nobody().acceptInvitation(NOBODY, { token: 'x', password: RIGHT.password });
    expect(unknown).toEqual({ outcome: 'refused' });
    const short = await nobody().acceptInvitation(NOBODY, { token: RIGHT.token, password: 'short' });
    expect(short).toEqual({ outcome: 'password_refused', reason: 'too_short' });
    accounts.script({ throttled: true });
    await nobody().acceptInvitation(NOBODY, { token: RIGHT.token, password: RIGHT.password });
    expect(await toldBy(service)).toEqual([
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

describe('of whoever is signed in', () => {
  type Ask = (desk: AccountActions, visitor: Visitor, secret: string) => Promise<{ readonly outcome: string }>;

  const acts: [action: string, right: string, ask: Ask][] = [
    ['account.confirm_identity', RIGHT.password, (desk, ...args) => desk.confirmIdentity(...args)],
    ['account.add_second_factor', RIGHT.code, (desk, ...args) => desk.confirmSecondFactor(...args)],
    ['account.remove_second_factor', RIGHT.password, (desk, ...args) => desk.removeSecondFactor(...args)],
  ];

  it.each(acts)('%s is told of before it is done, and then what stood in the way', async (action, right, ask) => {
    const { visitor, desk } = await signedIn();
    expect((await ask(desk, visitor, right)).outcome).toMatch(/^(?:confirmed|signed_in|removed)$/);
    expect((await ask(desk, visitor, WRONG)).outcome).toBe('refused');
    accounts.script({ throttled: true });
    expect((await ask(desk, visitor, right)).outcome).toBe('throttled');
    expect(await toldBy(service)).toEqual([
      `${action} allowed`,
      `${action} allowed`,
      `${action} refused CREDENTIALS_REFUSED`,
      `${action} allowed`,
      `${action} refused RATE_LIMIT_EXCEEDED`,
    ]);
    for (const { actor, from } of await linesOf(service)) {
      expect({ actor, from }).toEqual({ actor: { kind: 'client', id: ann.id }, from: ADDRESS });
    }
  });

  it.each(acts)('%s is not done where the line cannot be written, nor for nobody', async (action, right, ask) => {
    const { visitor, desk } = await signedIn();
    const before = [...accounts.asked];
    expect((await ask(nobody(), visitor, right)).outcome).toBe('refused');
    expect(await toldBy(service)).toEqual([`${action} refused NOT_ALLOWED`]);
    append = full;
    await expect(ask(desk, visitor, right)).rejects.toThrow('the disk is full');
    expect(accounts.asked).toEqual(before);
  });

  it('a fault of the accounts is told of as one', async () => {
    const { visitor } = await signedIn();
    const session = await accounts.identify(visitor.cookies);
    if (session === null) throw new Error('the session has ended');
    const fault = new CountersignError('SERVICE_UNAVAILABLE', 'no database');
    const broken = { ...accounts, removeSecondFactor: () => Promise.reject(fault) };
    const desk = service.countersign.as({ kind: 'user', session, from: ADDRESS }).account(broken);
    await expect(desk.removeSecondFactor(visitor, RIGHT.password)).rejects.toThrow('no database');
    expect(await toldBy(service)).toEqual([
      'account.remove_second_factor allowed',
      'account.remove_second_factor failed SERVICE_UNAVAILABLE',
    ]);
  });

  it('a second factor that is begun is told of where it is refused: nothing holds before its code', async () => {
    const { visitor, desk } = await signedIn();
    expect((await desk.beginSecondFactor(visitor, RIGHT.password)).outcome).toBe('begun');
    expect(await linesOf(service)).toEqual([]);
    expect((await desk.beginSecondFactor(visitor, WRONG)).outcome).toBe('refused');
    expect(await toldBy(service)).toEqual(['account.add_second_factor refused CREDENTIALS_REFUSED']);
  });

  it('a sign-out is told of before it is done; whoever is not signed in ends nothing', async () => {
    const { visitor, desk } = await signedIn();
    await nobody().signOut(NOBODY);
    expect(await linesOf(service)).toEqual([]);
    await desk.signOut(visitor);
    expect(accounts.sessions()).toBe(0);
    expect(await linesOf(service)).toMatchObject([
      { action: 'account.sign_out', outcome: 'allowed', actor: { kind: 'client', id: ann.id } },
    ]);
  });
});
