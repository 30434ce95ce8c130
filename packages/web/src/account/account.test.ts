import { createMemoryMailer, MEMORY_CODE, MEMORY_SECOND_FACTOR } from '@countersign/memory';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, type GivenConsole, givenConsole, OLGA, PASSWORD, RITA } from '../../test-support/console.ts';

let given: GivenConsole;

beforeEach(async () => {
  given = await givenConsole();
});

const email = (who: string) => `${who}@example.org`;

/** Posts as a browser does that has just these cookies. */
const post = (path: string, fields: Record<string, string | string[]>, cookie = '') =>
  given.post(path, fields, null, { Cookie: cookie });

const signIn = (who: string, fields: Record<string, string> = {}) =>
  post('/account/sign-in', { email: email(who), password: PASSWORD, ...fields });

const cookieOf = (headers: Headers) => headers.getSetCookie()[0]?.split(';')[0] ?? '';

describe('signing in', () => {
  it('redirects each role to its area', async () => {
    for (const [who, home] of [
      [RITA, '/kyc/review'],
      [OLGA, '/kyc/admin'],
      [CLARA, '/kyc/dashboard'],
    ] as const) {
      const { status, headers } = await signIn(who);
      expect(status).toBe(303);
      expect(headers.get('Location')).toBe('/kyc/account');
      const Cookie = cookieOf(headers);
      const next = await given.get('/account', null, { Cookie });
      expect(next.headers.get('Location')).toBe(home);
      const security = await given.get('/account/security', null, { Cookie });
      expect(security.text).toContain(`<ul><li><a href="${home}" class="item"`);
    }
  });

  it('returns to the requested page', async () => {
    const page = await given.get('/account/sign-in?returnTo=%2Freview%3Ftype%3Dkyb', null);
    expect(page.text).toContain('name="returnTo" value="/review?type=kyb"');
    const { headers } = await signIn(RITA, { returnTo: '/review?type=kyb' });
    expect(headers.get('Location')).toBe('/kyc/review?type=kyb');
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    'review',
    '"><script>',
  ])('never leads elsewhere: %j', async (returnTo) => {
    const page = await given.get(`/account/sign-in?returnTo=${encodeURIComponent(returnTo)}`, null);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('name="returnTo" value="h');
    // Only the language switch, which returns to this page.
    expect(page.text.match(/name="returnTo" value="[^"]*"/g)).toEqual([
      expect.stringMatching(/^name="returnTo" value="\/account\/sign-in\?/),
    ]);
    expect((await signIn(RITA, { returnTo })).headers.get('Location')).toBe('/kyc/account');
  });

  it('names every empty field together', async () => {
    const { status, words } = await post('/account/sign-in', { email: ' ', password: '' });

    expect(status).toBe(422);
    expect(words).toContain('Enter your e-mail address');
    expect(words).toContain('Enter your password');
  });

  it('signing in has one message for an unknown e-mail and a wrong password, and keeps the e-mail', async () => {
    const unknown = await post('/account/sign-in', { email: 'nobody@example.org', password: PASSWORD });
    const wrong = await post('/account/sign-in', { email: email(RITA), password: 'wrong' });
    for (const { status, words } of [unknown, wrong]) {
      expect(status).toBe(422);
      expect(words).toContain('The e-mail address or the password is wrong.');
    }
    expect(wrong.text.replaceAll(email(RITA), 'X')).toBe(unknown.text.replaceAll('nobody@example.org', 'X'));
    expect(wrong.text).toContain(`value="${email(RITA)}"`);
    expect(wrong.text).not.toContain('value="wrong"');
  });

  it('takes the password as it was typed, spaces and all', async () => {
    expect((await signIn(RITA, { password: ` ${PASSWORD}` })).status).toBe(422);
  });

  it('asks for what is missing, without an attempt', async () => {
    expect((await signIn(RITA, { email: '' })).words).toContain('Enter your e-mail address');
    expect((await signIn(RITA, { password: '' })).words).toContain('Enter your password');
    expect(given.accounts.visitors).toEqual([]);
  });

  it('says in minutes how long to wait after too many attempts, and to programs in seconds', async () => {
    given.accounts.throttle(90);
    const { status, headers, words } = await signIn(RITA);
    expect(status).toBe(429);
    expect(headers.get('Retry-After')).toBe('90');
    expect(words).toContain('Try again in 2 minutes.');
    expect(given.accounts.visitors[0]?.clientAddress).toBe('192.0.2.1');
  });

  it('lets password managers know what each field is', async () => {
    const { text } = await given.get('/account/sign-in', null);
    expect(text).toMatch(/name="email"[^>]*autocomplete="username"/);
    expect(text).toMatch(/name="password"[^>]*autocomplete="current-password"/);
    const second = await given.get('/account/second-factor', null);
    expect(second.text).toMatch(/name="code"[^>]*autocomplete="one-time-code"/);
  });

  it('refuses forms of other sites', async () => {
    const forged = { 'Sec-Fetch-Site': 'cross-site' };
    for (const path of [
      'sign-in',
      'second-factor',
      'welcome/token-1',
      'security/begin',
      'security/remove',
      'confirm',
      'sign-out',
    ]) {
      expect((await given.post(`/account/${path}`, {}, RITA, forged)).status).toBe(403);
    }
    expect(given.accounts.visitors).toEqual([]);
  });
});

describe('the second factor of signing in', () => {
  beforeEach(() => given.accounts.staff.setUpSecondFactor(RITA));

  it('comes after the password, and takes a backup code as well', async () => {
    for (const code of [MEMORY_CODE, MEMORY_SECOND_FACTOR.backupCodes[0]]) {
      const half = await signIn(RITA, { returnTo: '/review/keys' });
      expect(half.headers.get('Location')).toBe('/kyc/account/second-factor?returnTo=%2Freview%2Fkeys');
      const Cookie = cookieOf(half.headers);
      expect((await given.get('/review', null, { Cookie })).status).toBe(303);

      const whole = await post('/account/second-factor', { code, returnTo: '/review/keys' }, Cookie);
      expect(whole.headers.get('Location')).toBe('/kyc/review/keys');
      expect((await given.get('/review/keys', null, { Cookie: cookieOf(whole.headers) })).status).toBe(200);
    }
  });

  it('refuses a wrong code, none, and too many', async () => {
    const Cookie = cookieOf((await signIn(RITA)).headers);
    const wrong = await post('/account/second-factor', { code: '000000', returnTo: '/review' }, Cookie);
    expect(wrong.status).toBe(422);
    expect(wrong.words).toContain('The code is wrong.');
    expect(wrong.text).toContain('name="returnTo" value="/review"');
    expect((await post('/account/second-factor', { code: ' ' }, Cookie)).words).toContain('Enter a code');
    given.accounts.throttle(61);
    expect((await post('/account/second-factor', { code: MEMORY_CODE }, Cookie)).status).toBe(429);
  });
});

describe('a one-time link', () => {
  const NEW = 'a brand new password';

  it('may be prefetched: only the form uses it up', async () => {
    const token = await given.accounts.invite(RITA);
    for (let count = 0; count < 3; count += 1) {
      const { status, words } = await given.get(`/account/welcome/${token}`, null);
      expect(status).toBe(200);
      expect(words).toContain('Welcome, Rita Ora');
      expect(words).toContain(email(RITA));
    }
    const fields = { password: NEW, repeat: NEW };
    const done = await post(`/account/welcome/${token}`, fields);
    expect(done.headers.get('Location')).toBe('/kyc/account');
    expect((await given.get('/review', null, { Cookie: cookieOf(done.headers) })).status).toBe(200);
    expect((await signIn(RITA, { password: NEW })).status).toBe(303);
    expect((await post(`/account/welcome/${token}`, fields)).status).toBe(410);
  });

  it('explains a refused password, and still works', async () => {
    const token = await given.accounts.invite(RITA);
    const short = await post(`/account/welcome/${token}`, { password: 'short', repeat: 'short' });
    expect(short.status).toBe(422);
    expect(short.words).toContain('at least 12 characters');
    for (const repeat of ['', 'another one', NEW]) {
      const { words } = await post(`/account/welcome/${token}`, { password: 'short', repeat });
      expect(words, repeat).toContain('at least 12 characters');
      expect(words, repeat).not.toContain('do not match');
    }
    const differs = await post(`/account/welcome/${token}`, { password: NEW, repeat: `${NEW}!` });
    expect(differs.words).toContain('The two passwords do not match');
    expect(differs.text).not.toContain(NEW);
    expect(differs.text).toMatch(/name="password"[^>]*autocomplete="new-password"/);
    expect((await given.get(`/account/welcome/${token}`, null)).status).toBe(200);
  });

  it('says if the link no longer works', async () => {
    const { status, words } = await given.get('/account/welcome/%3Cscript%3E', null);
    expect(status).toBe(410);
    expect(words).toContain('This link no longer works');
  });
});

describe('setting up a second factor', () => {
  const whole = {
    uri: MEMORY_SECOND_FACTOR.uri,
    secret: MEMORY_SECOND_FACTOR.secret,
    backupCodes: [...MEMORY_SECOND_FACTOR.backupCodes],
  };

  it('shows the QR code, the secret and the backup codes once, and turns it on with a code', async () => {
    const cookie = given.accounts.signedIn(RITA);
    expect((await given.get('/account/security', null, { Cookie: cookie })).words).toContain(
      'You have not set up a second factor',
    );
    const begun = await post('/account/security/begin', { password: PASSWORD }, cookie);
    expect(begun.status).toBe(200);
    expect(begun.headers.get('Cache-Control')).toBe('no-store');
    expect(begun.text).toMatch(/<svg[^>]*role="img"[^>]*aria-label="QR code/);
    expect(begun.words).toContain('JBSW Y3DP EHPK 3PXP');
    for (const code of MEMORY_SECOND_FACTOR.backupCodes) expect(begun.words).toContain(code);

    const done = await post('/account/security/confirm', { ...whole, saved: 'true', code: '123 456' }, cookie);
    expect(done.headers.get('Location')).toBe('/kyc/account/security?done=added');
    const after = await given.get('/account/security?done=added', null, { Cookie: cookieOf(done.headers) });
    expect(after.words).toContain('The second factor is on.');
    expect(after.words).toContain('You are asked for a code at each sign-in.');
    for (const secret of [MEMORY_SECOND_FACTOR.secret, ...MEMORY_SECOND_FACTOR.backupCodes])
      expect(after.text).not.toContain(secret);
  });

  it('stays on the page until the codes are saved and the code is right', async () => {
    const cookie = given.accounts.signedIn(RITA);
    const unsaved = await post('/account/security/confirm', { ...whole, code: MEMORY_CODE }, cookie);
    expect(unsaved.status).toBe(422);
    expect(unsaved.words).toContain('Save the backup codes first');
    expect(unsaved.words).toContain(MEMORY_SECOND_FACTOR.backupCodes[1]);
    const wrong = await post('/account/security/confirm', { ...whole, saved: 'true', code: '000000' }, cookie);
    expect(wrong.words).toContain('The code is wrong.');
    expect(wrong.text).toMatch(/name="saved"[^>]*checked/);
    expect((await post('/account/security/confirm', { ...whole, saved: 'true' }, cookie)).words).toContain(
      'Enter the code',
    );
  });

  it('setting up a second factor does not show forged set-up values', async () => {
    const cookie = given.accounts.signedIn(RITA);
    for (const forged of [
      { ...whole, uri: 'https://evil.example' },
      // More bytes than a QR code holds answered 500.
      { ...whole, uri: `otpauth://totp/${'漢'.repeat(999)}` },
      { ...whole, uri: `otpauth://totp/${'x'.repeat(1_001)}` },
      { ...whole, secret: '<b>' },
      { ...whole, backupCodes: [] },
    ]) {
      const { headers } = await post(
        '/account/security/confirm',
        { ...forged, saved: 'true', code: MEMORY_CODE },
        cookie,
      );
      expect(headers.get('Location')).toBe('/kyc/account/security?done=expired');
    }
  });

  it('asks for the password, to begin and to remove', async () => {
    const cookie = given.accounts.signedIn(RITA);
    for (const path of ['begin', 'remove']) {
      expect((await post(`/account/security/${path}`, {}, cookie)).words).toContain('Enter your password');
      const wrong = await post(`/account/security/${path}`, { password: 'x' }, cookie);
      expect(wrong.status).toBe(422);
      expect(wrong.words).toContain('The password is wrong');
    }
    given.accounts.throttle(30);
    expect((await post('/account/security/begin', { password: PASSWORD }, cookie)).status).toBe(429);
  });

  it('removes it', async () => {
    given.accounts.staff.setUpSecondFactor(RITA);
    const session = given.accounts.signedIn(RITA, { withSecondFactor: true });
    const done = await post('/account/security/remove', { password: PASSWORD }, session);
    expect(done.headers.get('Location')).toBe('/kyc/account/security?done=removed');
    expect((await signIn(RITA)).headers.get('Location')).toBe('/kyc/account');
  });

  it('requires a session', async () => {
    const { headers } = await given.get('/account/security', null);
    expect(headers.get('Location')).toBe('/kyc/account/sign-in?returnTo=%2Faccount%2Fsecurity');
    expect((await post('/account/security/begin', { password: PASSWORD })).status).toBe(303);
    expect((await given.get('/account', null)).headers.get('Location')).toBe('/kyc/account/sign-in');
  });

  it('says why the user was redirected here', async () => {
    const Cookie = given.accounts.signedIn(RITA);
    const { words } = await given.get('/account/security?needed=1', null, { Cookie });
    expect(words).toContain('Your role requires a second factor.');
  });
});

describe('signing out', () => {
  it('ends the session immediately', async () => {
    const Cookie = given.accounts.signedIn(RITA);
    expect((await given.get('/review', null, { Cookie })).status).toBe(200);
    const { status, headers } = await post('/account/sign-out', {}, Cookie);
    expect(status).toBe(303);
    expect(headers.get('Location')).toBe('/kyc/account/sign-in');
    expect((await given.get('/review', null, { Cookie })).status).toBe(303);
  });

  it('signing out is not done by following a link', async () => {
    expect((await given.get('/account/sign-out')).status).toBe(404);
  });
});

describe('in German', () => {
  it('every page has its texts', async () => {
    const german = { 'Accept-Language': 'de' };
    expect((await given.get('/account/sign-in', null, german)).words).toContain('Passwort vergessen?');
    expect((await given.get('/account/security', CLARA, german)).words).toContain('Angemeldet als Clara Client');
    expect((await given.get('/account/confirm', CLARA, german)).words).toContain(
      'Bestätigen Sie, dass Sie es sind',
    );
  });
});

describe('a forgotten password', () => {
  it('a forgotten password without a mail server: no link to the page, and no page', async () => {
    const { text, words } = await given.get('/account/sign-in', null);
    expect(text).not.toContain('forgot-password');
    expect(words).toContain('An operator can give you a new one-time link.');
    expect((await given.get('/account/forgot-password', null)).status).toBe(404);
    expect((await post('/account/forgot-password', { email: email(RITA) })).status).toBe(404);
  });

  it('a forgotten password with a mail server: an empty address is named, and a refused request says how long to wait', async () => {
    const mailing = await givenConsole({}, {}, { mailer: createMemoryMailer() });
    const send = (typed: string) => mailing.post('/account/forgot-password', { email: typed }, null);
    expect((await mailing.get('/account/sign-in', null)).text).toContain('/account/forgot-password');
    const empty = await send(' ');
    expect(empty.status).toBe(422);
    expect(empty.words).toContain('Enter your e-mail address');
    const sent = await send(email(RITA));
    expect([sent.status, sent.headers.get('Location')]).toEqual([303, '/kyc/account/sign-in?done=requested']);
    mailing.accounts.throttle(90);
    const refused = await send(email(RITA));
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '90']);
    expect(refused.words).toContain('Too many attempts. Try again in 2 minutes.');
  });
});

describe.each([
  ['welcome', 'account.join'],
  ['lost-device', 'account.reset_second_factor'],
])('%s', (page, action) => {
  it.each([
    ['without', 'ask an operator or an owner of your team for a new link'],
    ['with', 'request a new link'],
  ])('%s a mail server: a forged link gets one page, and its form leaves one entry', async (server, advice) => {
    const mails = server === 'with';
    for (const token of ['x', `${RITA}.zzzzzzzz.abc`, '%00', 'x'.repeat(3_000)]) {
      // A service of its own: further refusals of the same visitor are counted in one entry.
      const service = await givenConsole({}, {}, mails ? { mailer: createMemoryMailer() } : {});
      const entries = () => service.ports.storage.audit.read(0, 1_000);
      const path = `/account/${page}/${token}`;
      const shown = await service.get(path, null);
      expect(await entries()).toEqual([]);
      const sent = await service.post(path, { password: PASSWORD }, null);
      expect([shown.status, sent.status]).toEqual([410, 410]);
      for (const { words, text } of [shown, sent]) {
        expect(words).toContain('This link no longer works');
        expect(words).toContain(advice);
        expect(text.includes('/kyc/account/forgot-password')).toBe(mails);
      }
      expect(await entries()).toMatchObject([
        { action, outcome: 'refused', targetId: null, detail: { code: 'LINK_INVALID' } },
      ]);
      expect(service.faults).toEqual([]);
    }
  });
});
