import { MEMORY_CODE, MEMORY_SECOND_FACTOR } from '@countersign/memory';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  CLARA,
  type Fields,
  type GivenConsole,
  givenConsole,
  PASSWORD,
  RITA,
} from '../../test-support/console.ts';

const NEW = 'a brand new password';
const WRONG = 'wrong password 1';

let given: GivenConsole;
let fails: boolean;

beforeEach(async () => {
  given = await givenConsole();
  fails = false;
  const { audit } = given.ports.storage;
  const { append } = audit;
  Object.assign(audit, {
    append: (...entries: Parameters<typeof append>) =>
      fails ? Promise.reject(new Error('the disk is full')) : append(...entries),
  });
});

const email = (who: string) => `${who}@example.org`;
const audit = () => given.ports.storage.audit.read(0, 1_000);

/** Posts as a browser does that has just these cookies; gives the lines that it left, in a few words. */
async function post(path: string, fields: Fields, cookie = ''): Promise<Answer & { lines: string[] }> {
  const { length } = await audit();
  const answer = await given.post(`/account/${path}`, fields, null, { Cookie: cookie });
  const lines = (await audit())
    .slice(length)
    .map(({ actor, action, outcome, targetId, detail }) =>
      [actor.id ?? actor.kind, action, outcome, detail.code, targetId === null ? null : `about ${targetId}`]
        .filter((word) => typeof word === 'string')
        .join(' '),
    );
  return { ...answer, lines };
}

const cookieOf = ({ headers }: Answer) => headers.getSetCookie()[0]?.split(';')[0] ?? '';

describe('the audit log of actions on one’s own account', () => {
  it('signing in, of reviewers and of clients, and out', async () => {
    for (const who of [RITA, CLARA]) {
      const entered = await post('sign-in', { email: email(who), password: PASSWORD });
      expect(entered.lines).toEqual([`${who} account.sign_in allowed`]);
      const left = await post('sign-out', {}, cookieOf(entered));
      expect(left.lines).toEqual([`${who} account.sign_out allowed`]);
    }
    const [line] = await audit();
    expect(line).toMatchObject({ from: '192.0.2.1', detail: { withSecondFactor: false }, clientId: null });
    expect((await post('sign-out', {})).lines).toEqual([]);
  });

  it('failed attempts, but no empty forms', async () => {
    const refused = 'anonymous account.sign_in refused';
    expect((await post('sign-in', { email: email(RITA), password: WRONG })).lines).toEqual([
      `${refused} CREDENTIALS_REFUSED about ${RITA}`,
    ]);
    expect((await post('sign-in', { email: email('nobody'), password: WRONG })).lines).toEqual([
      `${refused} CREDENTIALS_REFUSED`,
    ]);
    for (const path of ['sign-in', 'second-factor']) {
      expect((await post(path, { email: ' ' })).lines).toEqual([
        'anonymous page.request refused INVALID_PARAMETERS',
      ]);
    }
    given.accounts.throttle(60);
    expect((await post('sign-in', { email: email(RITA), password: PASSWORD })).lines).toEqual([
      `${refused} RATE_LIMIT_EXCEEDED about ${RITA}`,
    ]);
  });

  it('a one-time link', async () => {
    const token = await given.accounts.invite(RITA);
    const accept = (password: string, repeat = password) => post(`welcome/${token}`, { password, repeat });
    expect((await accept(NEW, WRONG)).lines).toEqual([]);
    expect((await accept('short')).lines).toEqual([]);
    expect((await accept(NEW)).lines).toEqual([
      `anonymous account.join allowed about ${RITA}`,
      `${RITA} account.sign_in allowed`,
    ]);
    expect((await accept(NEW)).lines).toEqual(['anonymous account.join refused LINK_INVALID']);
  });

  it('a second factor: set up, asked for, removed', async () => {
    const cookie = given.accounts.signedIn(RITA);
    const begin = (password: string) => post('security/begin', { password }, cookie);
    const whole = {
      uri: MEMORY_SECOND_FACTOR.uri,
      secret: MEMORY_SECOND_FACTOR.secret,
      backupCodes: [...MEMORY_SECOND_FACTOR.backupCodes],
      saved: 'true',
    };
    const confirm = (code: string) => post('security/confirm', { ...whole, code }, cookie);
    const added = `${RITA} account.add_second_factor`;
    expect((await begin(WRONG)).lines).toEqual([`${added} refused CREDENTIALS_REFUSED`]);
    expect((await begin(PASSWORD)).lines).toEqual([]);
    expect((await confirm('')).lines).toEqual([]);
    expect((await confirm('000000')).lines).toEqual([`${added} allowed`, `${added} refused CREDENTIALS_REFUSED`]);
    expect((await confirm(MEMORY_CODE)).lines).toEqual([`${added} allowed`]);

    const half = await post('sign-in', { email: email(RITA), password: PASSWORD });
    expect(half.lines).toEqual([]);
    expect((await post('second-factor', { code: '000000' }, cookieOf(half))).lines).toEqual([
      'anonymous account.sign_in refused CREDENTIALS_REFUSED',
    ]);
    const whole2 = await post('second-factor', { code: MEMORY_CODE }, cookieOf(half));
    expect(whole2.lines).toEqual([`${RITA} account.sign_in allowed`]);

    const removed = `${RITA} account.remove_second_factor`;
    const remove = (password: string) => post('security/remove', { password }, cookieOf(whole2));
    expect((await remove(WRONG)).lines).toEqual([`${removed} allowed`, `${removed} refused CREDENTIALS_REFUSED`]);
    expect((await remove(PASSWORD)).lines).toEqual([`${removed} allowed`]);
  });

  it('the password given again', async () => {
    const cookie = given.accounts.signedIn(CLARA);
    const confirm = (password: string) => post('confirm', { password }, cookie);
    const confirmed = `${CLARA} account.confirm_identity`;
    expect((await confirm('')).lines).toEqual([`${CLARA} page.request refused INVALID_PARAMETERS`]);
    expect((await confirm(WRONG)).lines).toEqual([`${confirmed} refused CREDENTIALS_REFUSED`]);
    expect((await confirm(PASSWORD)).lines).toEqual([`${confirmed} allowed`]);
    expect((await confirm(PASSWORD)).lines).toEqual([]);
  });

  it('a form of an ended session, and a form of another site', async () => {
    for (const path of ['security/begin', 'security/remove', 'confirm']) {
      expect((await post(path, { password: PASSWORD })).lines).toEqual([
        'anonymous page.request refused NOT_ALLOWED',
      ]);
    }
    await given.post('/account/welcome/secret-token', {}, CLARA, { 'Sec-Fetch-Site': 'cross-site' });
    expect((await audit()).at(-1)).toMatchObject({
      actor: { id: CLARA },
      outcome: 'refused',
      detail: { path: '/account/welcome/{token}', method: 'POST', reason: 'forged_origin' },
    });
  });

  it('a form that cannot be read: too large, or of another content type', async () => {
    const sent = { method: 'POST', headers: { 'Sec-Fetch-Site': 'same-origin' } };
    const body = new URLSearchParams({ email: email(RITA), password: 'x'.repeat(70_000) });
    expect((await given.ask('/account/sign-in', null, { ...sent, body })).status).toBe(413);
    await given.countersign.summariseRefusals();
    expect((await given.ask('/account/sign-in', null, { ...sent, body: 'password=x' })).status).toBe(415);
    const line = { outcome: 'refused', detail: { path: '/account/sign-in', reason: 'form_not_read' } };
    expect(await audit()).toMatchObject([line, line]);
  });

  it('the audit log of actions on one’s own account has no e-mail address, password, code or token', async () => {
    const token = await given.accounts.invite(RITA);
    await post(`welcome/${token}`, { password: NEW, repeat: NEW });
    await post('welcome/secret-token', { password: NEW, repeat: NEW });
    await post('sign-in', { email: email(RITA), password: WRONG });
    const entered = await post('sign-in', { email: email(RITA), password: NEW, returnTo: '/review?x=secret' });
    await post('confirm', { password: NEW }, cookieOf(entered));
    await post('second-factor', { code: '918273' });
    const log = JSON.stringify(await audit());
    for (const secret of ['@', NEW, WRONG, '918273', token, 'secret', cookieOf(entered)]) {
      expect(log).not.toContain(secret);
    }
  });
});

describe('where the log cannot be written', () => {
  it('no session begins and nothing changes', async () => {
    const token = await given.accounts.invite(CLARA);
    const cookie = given.accounts.signedIn(RITA);
    fails = true;
    for (const [path, fields] of [
      ['sign-in', { email: email(RITA), password: PASSWORD }],
      [`welcome/${token}`, { password: NEW, repeat: NEW }],
    ] as const) {
      const { status, headers } = await post(path, fields);
      expect(status).toBe(500);
      expect(headers.getSetCookie()).toEqual([]);
    }
    for (const path of ['sign-out', 'security/remove', 'confirm']) {
      expect((await post(path, { password: PASSWORD }, cookie)).status).toBe(500);
    }
    fails = false;
    // The session ends rather than be confirmed without a line.
    expect(await given.accounts.identify(cookie)).toBeNull();
    expect((await given.get(`/account/welcome/${token}`, null)).status).toBe(200);
    expect(await audit()).toEqual([]);
  });

  it('a failed attempt is refused as usual', async () => {
    fails = true;
    expect((await post('sign-in', { email: email(RITA), password: WRONG })).status).toBe(422);
  });
});
