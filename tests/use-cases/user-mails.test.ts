import type { MailContent } from '@countersign/domain/mail';
import type { User, Visitor } from '@countersign/domain/staff';
import {
  createFixedClock,
  createMemoryAccounts,
  createMemoryMailer,
  createMemoryStorage,
  MEMORY_CODE,
} from '@countersign/memory';
import { NO_BACKLOG, queuedMails, sendDue } from '@countersign/test-support/service/mails';
import { operationsOf } from '@countersign/test-support/service/operations';
import { givenService } from '@countersign/test-support/service/service';
import { ADDRESS, auditSummary, operationsAs } from '@countersign/test-support/service/team';
import { describe, expect, it } from 'vitest';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PASSWORD = 'violet anchor 7 gravel';
const NEW = 'granite umbrella 4 lemur';
const VISITOR: Visitor = { cookies: undefined, clientAddress: ADDRESS, locale: 'de' };
const ENDED = { outcome: 'refused' };

/** A service with accounts, a client and its team, that sends mail unless `sendsMail` is false. */
async function given({ sendsMail = true, storage = createMemoryStorage() } = {}) {
  const mailer = createMemoryMailer();
  const clock = createFixedClock('2026-03-01T10:00:00.000Z');
  let made = 0;
  const ids = { next: () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}` };
  const accounts = createMemoryAccounts({ clock, ids });
  const { staff } = accounts;
  const ports = { storage, clock, ids, staff, recipients: staff, ...(sendsMail && { mailer }) };
  const service = givenService(ports);
  const { countersign } = service;
  const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
  const account = countersign.as({ kind: 'anonymous', from: ADDRESS }).account(accounts);

  async function add(name: string, user: Pick<User, 'role' | 'teamRole'>): Promise<User> {
    const clientId = user.role === 'client' ? client.id : null;
    const added = { ...user, id: ids.next(), name, email: `${name}@example.org`, clientId };
    accounts.add(added, PASSWORD);
    return added;
  }

  const owner = await add('owner', { role: 'client', teamRole: 'owner' });
  const operator = await add('operator', { role: 'operator', teamRole: null });
  const at = { ...service, clock };
  return {
    ...at,
    add,
    accounts,
    account,
    mailer,
    owner,
    operator,
    clientId: client.id,
    as: (user: User) => operationsAs(at, user),
    /** Invites Ada into the team, as its owner does. */
    invite: (more: { email?: string; name?: string; teamRole?: 'owner' } = {}) =>
      operationsAs(at, owner).team.invite({ email: 'ada@example.org', teamRole: 'agent', ...more }),
    commandLine: operationsOf(countersign.as({ kind: 'command_line' })),
    reset: (email: string) => account.requestPasswordReset(VISITOR, { email }),
    accept: (token: string, password = NEW) => account.acceptInvitation(VISITOR, { token, password }),
    signIn: (email: string, password = PASSWORD) => account.signIn(VISITOR, { email, password }),
    /** Sends what is due without a fault, and returns it. */
    async sent() {
      const mails = await sendDue(mailer, service);
      expect(service.faults).toEqual([]);
      return mails;
    },
  };
}

type Given = Awaited<ReturnType<typeof given>>;

/** Returns the one mail that is due. */
async function oneMail(at: Given): Promise<MailContent<'user.invitation'>> {
  const [mail, ...more] = await at.sent();
  expect(more).toEqual([]);
  if (!mail?.kind.startsWith('user.')) throw new Error('no mail to a user');
  return mail as MailContent<'user.invitation'>;
}

const tokenIn = ({ values: { url } }: Pick<MailContent<'user.invitation'>, 'values'>) =>
  url.split('/').at(-1) ?? '';

const mailedToken = async (at: Given) => tokenIn(await oneMail(at));

describe('a forgotten password', () => {
  it('is replaced by a link that is mailed to the person, once, for an hour', async () => {
    const at = await given();
    const before = at.accounts.signedIn(at.owner.id);
    expect(await at.reset(' OWNER@example.org ')).toEqual({ outcome: 'requested' });

    const mail = await oneMail(at);
    expect(mail).toMatchObject({
      kind: 'user.password_reset',
      to: 'owner@example.org',
      locale: null,
      values: { clientName: 'Acme', linkExpiresAt: new Date(at.clock.now().getTime() + HOUR_MS) },
    });
    const token = tokenIn(mail);
    expect(mail.values.url).toBe(`https://verify.example/account/welcome/${token}`);
    expect(await at.account.invitationOf(token)).toEqual({ email: at.owner.email, name: 'owner', isReset: true });

    expect(await at.accept(token)).toMatchObject({
      outcome: 'signed_in',
    });
    expect(await at.accounts.identify(before)).toBeNull();
    expect(await at.signIn('owner@example.org')).toEqual({ outcome: 'refused' });
    expect(await at.account.invitationOf(token)).toBeNull();
    expect(await at.accept(token, PASSWORD)).toEqual(ENDED);
    expect(await auditSummary(at)).toEqual([
      'account.reset_password allowed',
      'account.sign_in allowed',
      'account.sign_in refused CREDENTIALS_REFUSED',
      'account.join refused LINK_INVALID',
    ]);
  });

  it('leaves the second factor required', async () => {
    const at = await given();
    at.accounts.staff.setUpSecondFactor(at.owner.id);
    await at.reset(at.owner.email);
    const token = await mailedToken(at);
    const outcome = await at.accept(token);
    if (outcome.outcome !== 'second_factor_needed') throw new Error(outcome.outcome);
    const cookies = outcome.setCookies[0]?.split(';')[0];
    expect(await at.accounts.identify(cookies)).toBeNull();
    const entered = await at.account.enterSecondFactor({ ...VISITOR, cookies }, MEMORY_CODE);
    expect(entered.outcome).toBe('signed_in');
  });

  it('gets the same answer and the same row in the queue if the address has no account, and no mail', async () => {
    const at = await given();
    const outcomes = [await at.reset(at.owner.email), await at.reset('unknown@example.org')];
    expect(outcomes).toEqual([{ outcome: 'requested' }, { outcome: 'requested' }]);
    const { now } = at.clock;
    const rows = await queuedMails(at);
    expect(rows.map(({ id: _, userId, ...row }) => ({ ...row, hasUser: userId !== null }))).toEqual(
      Array.from({ length: 2 }, () => ({
        kind: 'user.password_reset',
        clientId: null,
        verificationId: null,
        targetId: null,
        plannedAt: now(),
        dueAt: now(),
        attempts: 0,
        heldUntil: null,
        hasUser: true,
      })),
    );
    expect(JSON.stringify(rows)).not.toContain('@');
    expect((await at.sent()).map(({ to }) => to)).toEqual([at.owner.email]);
    expect(await at.countersign.mails.backlog()).toEqual(NO_BACKLOG);
  });

  it('leaves a link that a wrong password did not use up; a new password ends every link', async () => {
    const at = await given();
    await at.reset(at.owner.email);
    const first = await mailedToken(at);
    at.clock.advance(MINUTE_MS);
    await at.reset(at.owner.email);
    const second = await mailedToken(at);
    const short = await at.accept(first, 'short');
    expect(short).toEqual({ outcome: 'password_refused', reason: 'too_short' });
    expect((await at.accept(first)).outcome).toBe('signed_in');
    expect(await at.accept(second, PASSWORD)).toEqual(ENDED);
  });

  it('sends nothing once the password was set', async () => {
    const at = await given();
    await at.reset(at.owner.email);
    at.clock.advance(1);
    at.accounts.staff.join(at.owner.id);
    expect(await at.sent()).toEqual([]);
  });

  it('sends nothing to a user who was removed, and their link opens nothing', async () => {
    const at = await given();
    const { user } = await at.invite({ teamRole: 'owner' });
    await at.accept(await mailedToken(at), PASSWORD);
    await at.reset('ada@example.org');
    const token = await mailedToken(at);
    await at.reset('ada@example.org');
    await at.as(at.owner).team.remove(user.id);
    expect(await at.sent()).toEqual([]);
    expect(await at.account.invitationOf(token)).toBeNull();
  });

  it('is the invitation again for a user who has not joined', async () => {
    const at = await given();
    await at.invite();
    await at.sent();
    await at.reset('ada@example.org');
    const mail = await oneMail(at);
    expect(mail.kind).toBe('user.invitation');
    expect(await at.account.invitationOf(tokenIn(mail))).toMatchObject({ isReset: false });
  });

  it('of a user whose address the provider did not verify mails no link, until an operator makes one', async () => {
    const at = await given();
    const { identities } = at.accounts.staff;
    const provision = async (subject: string, emailVerified: boolean) => {
      const key = { issuer: 'https://login.example', subject };
      const input = { email: `${subject}@example.org`, role: 'reviewer' } as const;
      const made = await identities.provision(input, key, { emailVerified });
      if (made.outcome !== 'created') throw new Error(made.outcome);
      return made.user;
    };
    const [ada, bob] = [await provision('ada', false), await provision('bob', true)];
    for (const { email } of [ada, bob]) expect(await at.reset(email)).toEqual({ outcome: 'requested' });
    expect(await oneMail(at)).toMatchObject({ kind: 'user.password_reset', to: bob.email });

    await at.as(at.operator).users.invite(ada.id);
    expect(await oneMail(at)).toMatchObject({ kind: 'user.password_reset', to: ada.email });
    await at.reset(ada.email);
    expect(await oneMail(at)).toMatchObject({ kind: 'user.password_reset', to: ada.email });
  });

  it('is refused when requested too often', async () => {
    const at = await given();
    at.accounts.throttle(60);
    expect(await at.reset(at.owner.email)).toEqual({ outcome: 'throttled', retryAfterSeconds: 60 });
    expect(await at.sent()).toEqual([]);
  });
});

describe('a mailed link', () => {
  it.each<[what: string, change: (token: string, at: Given) => string | Promise<string>]>([
    ['with another signature', (token) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['without a signature', (token) => token.slice(0, token.lastIndexOf('.') + 1)],
    [
      'with a later end',
      (token) =>
        token.replace(/\.(\w+)\./, (_, end: string) => `.${(Number.parseInt(end, 36) + 1).toString(36)}.`),
    ],
    ['of another user', (token, { operator, owner }) => token.replace(owner.id, operator.id)],
    ['of no user', (token, { owner }) => token.replace(owner.id, 'unknown')],
    [
      'for something else',
      async (_, at) => {
        at.accounts.staff.setUpSecondFactor(at.owner.id);
        await at.as(at.operator).users.resetSecondFactor(at.owner.id);
        return await mailedToken(at);
      },
    ],
    [
      'that has expired',
      (token, { clock }) => {
        clock.advance(HOUR_MS);
        return token;
      },
    ],
    ['that is empty', () => ''],
    ['that is long', () => 'x'.repeat(10_000)],
  ])('%s opens nothing', async (_, change) => {
    const at = await given();
    await at.reset(at.owner.email);
    const token = await change(await mailedToken(at), at);
    expect(await at.account.invitationOf(token)).toBeNull();
    expect(await at.accept(token)).toEqual(ENDED);
    expect((await at.signIn(at.owner.email)).outcome).not.toBe('refused');
  });
});

describe('an invitation', () => {
  it('is mailed in the language of the user who invites, and not shown', async () => {
    const at = await given();
    await at.signIn(at.owner.email);
    const link = await at.invite({ name: 'Ada' });
    expect(link).toMatchObject({ invitationPath: null, existingId: null });

    const mail = await oneMail(at);
    expect(mail).toMatchObject({
      kind: 'user.invitation',
      to: 'ada@example.org',
      locale: 'de',
      values: { clientName: 'Acme', linkExpiresAt: new Date(at.clock.now().getTime() + 24 * HOUR_MS) },
    });
    const token = tokenIn(mail);
    expect(await at.account.invitationOf(token)).toEqual({ email: mail.to, name: 'Ada', isReset: false });
    const visitor = { ...VISITOR, locale: 'en' };
    expect((await at.account.acceptInvitation(visitor, { token, password: PASSWORD })).outcome).toBe('signed_in');
    expect(await at.account.acceptInvitation(visitor, { token, password: NEW })).toEqual(ENDED);
    expect((await at.accounts.staff.findRecipient(link.user.id))?.locale).toBe('en');
  });

  it('that was used does not work again after an operator disconnected the providers; a new one does', async () => {
    const at = await given();
    const { user } = await at.invite();
    const used = await mailedToken(at);
    const { identities } = at.accounts.staff;
    const key = { issuer: 'https://login.example', subject: 'ada' };
    expect((await identities.connect(user.id, key, { kind: 'mark', mark: null })).outcome).toBe('connected');
    expect(await at.account.invitationOf(used)).toBeNull();

    await at.as(at.operator).users.disconnectProviders(user.id);
    expect(await at.account.invitationOf(used)).toBeNull();
    expect(await at.accept(used)).toEqual(ENDED);

    await at.as(at.owner).team.renewInvitation(user.id);
    const token = await mailedToken(at);
    expect((await at.accept(token)).outcome).toBe('signed_in');
  });

  it('of an operator names no client', async () => {
    const at = await given();
    await at.as(at.operator).users.create({ email: 'rita@example.org', role: 'reviewer' });
    expect(await oneMail(at)).toMatchObject({ to: 'rita@example.org', values: { clientName: null } });
  });

  it('is renewed by mail, and sent again as an invitation by an operator', async () => {
    const at = await given();
    const { user } = await at.invite();
    const first = await mailedToken(at);
    at.clock.advance(24 * HOUR_MS);
    expect(await at.account.invitationOf(first)).toBeNull();
    expect(await at.as(at.owner).team.renewInvitation(user.id)).toMatchObject({ user, invitationPath: null });
    expect(await oneMail(at)).toMatchObject({ kind: 'user.invitation', to: user.email });
    expect(await at.as(at.operator).users.invite(user.id)).toMatchObject({ user, invitationPath: null });
    expect(await oneMail(at)).toMatchObject({ kind: 'user.invitation', to: user.email });
  });

  it('of one team to one address: 6 a day, and the others wait', async () => {
    const at = await given();
    for (let n = 0; n < 9; n += 1) {
      const { user } = await at.invite();
      expect(await at.sent()).toHaveLength(n < 6 ? 1 : 0);
      await at.as(at.owner).team.remove(user.id);
    }
    await at.invite();
    expect(await at.sent()).toEqual([]);

    at.clock.advance(24 * HOUR_MS);
    expect(await oneMail(at)).toMatchObject({ kind: 'user.invitation', to: 'ada@example.org' });
  });

  it('of one team to many tags of a mailbox, asked for again by anyone, holds back no password of its owner', async () => {
    const at = await given();
    const { email } = await at.add('ada', { role: 'reviewer', teamRole: null });
    const tags = [1, 2, 3, 4, 5].map((n) => `ada+${n}@example.org`);
    for (const tag of tags) await at.invite({ email: tag });
    expect(await at.sent()).toHaveLength(5);
    for (const tag of tags) for (let n = 0; n < 3; n += 1) await at.reset(tag);
    expect(await at.sent()).toHaveLength(1);

    await at.reset(email);
    expect(await oneMail(at)).toMatchObject({ kind: 'user.password_reset', to: email });
  });

  it('to an address that has an account elsewhere sends no mail', async () => {
    const at = await given();
    const { email } = at.operator;
    const link = await at.invite({ email, name: 'Ada' });
    expect(link).toMatchObject({ invitationPath: null, existingId: at.operator.id });
    expect(await at.sent()).toEqual([]);
    at.clock.advance(10 * MINUTE_MS);
    expect(await at.sent()).toEqual([]);
    expect(await at.countersign.mails.backlog()).toEqual(NO_BACKLOG);
  });

  it('is queued before the user is created: a process that ends in between leaves neither user nor mail', async () => {
    const at = await given();
    at.accounts.staff.create = () => Promise.reject(new Error('killed'));
    await expect(at.invite()).rejects.toThrow('killed');
    expect((await at.countersign.mails.backlog()).waiting).toBe(1);
    at.clock.advance(10 * MINUTE_MS);
    expect(await at.sent()).toEqual([]);
    expect((await at.countersign.mails.backlog()).waiting).toBe(0);
  });

  it('waits for a user who is created after the queue was read', async () => {
    const at = await given();
    const { create } = at.accounts.staff;
    at.accounts.staff.create = async (...input) => {
      expect(await at.sent()).toEqual([]);
      return create(...input);
    };
    await at.invite();
    at.clock.advance(9_999);
    expect(await at.sent()).toEqual([]);
    at.clock.advance(1);
    expect(await oneMail(at)).toMatchObject({ kind: 'user.invitation', to: 'ada@example.org' });
  });

  it('that cannot be queued creates no user', async () => {
    const storage = createMemoryStorage();
    const add = () => Promise.reject(new Error('the disk is full'));
    const at = await given({ storage: { ...storage, mails: { ...storage.mails, add } } });
    const before = await at.accounts.staff.list();
    await expect(at.invite()).rejects.toThrow('the disk is full');
    expect(await at.accounts.staff.list()).toEqual(before);
  });
});

describe('a lost second factor', () => {
  async function givenLoss() {
    const at = await given();
    at.accounts.staff.setUpSecondFactor(at.owner.id);
    const session = at.accounts.signedIn(at.owner.id, { withSecondFactor: true });
    const reset = await at.as(at.operator).users.resetSecondFactor(at.owner.id);
    expect(reset).toEqual({ user: at.owner, isMailed: true });
    const hasFactor = async () => (await at.accounts.staff.findRecipient(at.owner.id))?.secondFactor !== null;
    return { ...at, session, hasFactor };
  }

  it('is removed by the person, with the mailed link and the password', async () => {
    const at = await givenLoss();
    expect(await at.hasFactor()).toBe(true);
    expect(await at.accounts.identify(at.session)).not.toBeNull();
    const mail = await oneMail(at);
    expect(mail.kind).toBe('user.second_factor_reset');
    const token = tokenIn(mail);
    expect(mail.values.url).toBe(`https://verify.example/account/lost-device/${token}`);
    expect(await at.account.lostFactorOf(token)).toEqual({ email: at.owner.email, name: 'owner' });

    const wrong = await at.account.removeLostFactor(VISITOR, { token, password: NEW });
    expect(wrong).toEqual({ outcome: 'refused' });
    expect(await at.hasFactor()).toBe(true);
    const right = await at.account.removeLostFactor(VISITOR, { token, password: PASSWORD });
    expect(right).toEqual({ outcome: 'removed' });
    expect(await at.hasFactor()).toBe(false);
    expect(await at.accounts.identify(at.session)).toBeNull();
    expect((await at.signIn(at.owner.email)).outcome).toBe('signed_in');
    expect(await at.account.lostFactorOf(token)).toBeNull();
    expect(await at.account.removeLostFactor(VISITOR, { token, password: PASSWORD })).toEqual(ENDED);
    expect(await auditSummary(at)).toEqual([
      'users.reset_second_factor allowed',
      'account.reset_second_factor allowed',
      'account.reset_second_factor refused CREDENTIALS_REFUSED',
      'account.reset_second_factor allowed',
      'account.sign_in allowed',
      'account.reset_second_factor refused LINK_INVALID',
    ]);
  });

  it('stays with a link to a new password, and after a day', async () => {
    const at = await givenLoss();
    const token = await mailedToken(at);
    await at.reset(at.owner.email);
    const other = await mailedToken(at);
    expect(await at.account.removeLostFactor(VISITOR, { token: other, password: PASSWORD })).toEqual(ENDED);
    at.clock.advance(24 * HOUR_MS);
    expect(await at.account.lostFactorOf(token)).toBeNull();
    expect(await at.account.removeLostFactor(VISITOR, { token, password: PASSWORD })).toEqual(ENDED);
    expect(await at.hasFactor()).toBe(true);
  });

  it('that was replaced ends the link, and the mail of a reset from before is not sent', async () => {
    const replace = ({ accounts, owner, clock }: Awaited<ReturnType<typeof givenLoss>>) => {
      accounts.staff.removeSecondFactor(owner.id);
      clock.advance(1_000);
      accounts.staff.setUpSecondFactor(owner.id);
    };
    const early = await givenLoss();
    const token = await mailedToken(early);
    replace(early);
    expect(await early.account.removeLostFactor(VISITOR, { token, password: PASSWORD })).toEqual(ENDED);

    const late = await givenLoss();
    replace(late);
    expect(await late.sent()).toEqual([]);
    expect(await late.hasFactor()).toBe(true);
    await late.as(late.operator).users.resetSecondFactor(late.owner.id);
    expect((await oneMail(late)).kind).toBe('user.second_factor_reset');
  });

  it('sends nothing to a user without a second factor', async () => {
    const at = await given();
    await at.as(at.operator).users.resetSecondFactor(at.owner.id);
    expect(await at.sent()).toEqual([]);
  });
});

describe('without a mailer', () => {
  it('the link of an invitation to an address that has an account elsewhere opens, and sets no password', async () => {
    const at = await given({ sendsMail: false });
    const { email } = at.operator;
    const link = await at.invite({ email, name: 'Ada' });
    const token = link.invitationPath?.split('/').at(-1) ?? '';
    expect(await at.account.invitationOf(token)).toMatchObject({ email, name: 'Ada' });
    expect(await at.accept(token)).toEqual(ENDED);
    expect((await at.signIn(email)).outcome).toBe('signed_in');
    const lines = await at.storage.audit.read(0, 100);
    // Nothing names the account elsewhere.
    const { clientId } = at;
    expect(lines.filter(({ action }) => action === 'account.join')).toMatchObject([
      { outcome: 'allowed', clientId, targetId: null },
      { outcome: 'refused', clientId, targetId: null, detail: { code: 'CREDENTIALS_REFUSED' } },
    ]);
  });

  it('links are shown, the second factor is removed immediately, and nothing is queued', async () => {
    const at = await given({ sendsMail: false });
    expect(at.countersign.mails.sendsToUsers).toBe(false);
    at.accounts.staff.setUpSecondFactor(at.owner.id);
    const { invitationPath } = await at.invite();
    expect(invitationPath).toMatch(/^\/account\/welcome\/[^/]+$/);
    const reset = await at.as(at.operator).users.resetSecondFactor(at.owner.id);
    expect(reset).toEqual({ user: at.owner, isMailed: false });
    expect((await at.accounts.staff.findRecipient(at.owner.id))?.secondFactor).toBeNull();
    await expect(at.reset(at.owner.email)).rejects.toThrow('this service sends no mails to users');
    expect(await at.countersign.mails.backlog()).toEqual(NO_BACKLOG);
  });
});
