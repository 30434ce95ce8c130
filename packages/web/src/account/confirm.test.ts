import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, type GivenConsole, givenConsole, PASSWORD } from '../../test-support/console.ts';

const WANTED = '/dashboard/keys/new?for=a%26b';

let given: GivenConsole;
let cookie: string;

beforeEach(async () => {
  given = await givenConsole();
  cookie = given.accounts.signedIn(CLARA);
});

const get = (path: string) => given.get(path, null, { Cookie: cookie });
const post = (fields: Record<string, string>, Cookie = cookie) =>
  given.post('/account/confirm', fields, null, { Cookie });
const confirmedAt = async () => (await given.accounts.identify(cookie))?.confirmedAt;

describe('confirming the password', () => {
  it('says why, for whom, and asks for the password alone', async () => {
    const { status, words, text } = await get(`/account/confirm?returnTo=${encodeURIComponent(WANTED)}`);
    expect(status).toBe(200);
    expect(words).toContain('Confirm that it is you');
    expect(words).toContain('change who has access');
    expect(words).toContain('Signed in as Clara Client, clara@example.org');
    expect(text).toMatch(/name="password"[^>]*autocomplete="current-password"/);
    expect(text).toContain('name="returnTo" value="/dashboard/keys/new?for=a%26b"');
    expect(await confirmedAt()).toBeNull();
  });

  it('redirects to the requested page, or to the home page', async () => {
    const { status, headers } = await post({ password: PASSWORD, returnTo: WANTED });
    expect(status).toBe(303);
    expect(headers.get('Location')).toBe(`/kyc${WANTED}`);
    // It confirms the browser that keeps it, not all that have the session.
    expect(headers.getSetCookie()).toEqual(['confirmation=given; HttpOnly']);
    expect(await confirmedAt()).toEqual(given.ports.clock.now());
    expect((await post({ password: PASSWORD })).headers.get('Location')).toBe('/kyc/account');
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '"><script>',
  ])('never leads elsewhere: %j', async (returnTo) => {
    const page = await get(`/account/confirm?returnTo=${encodeURIComponent(returnTo)}`);
    expect(page.status).toBe(200);
    // That of the language switch, which is this page itself.
    expect(page.text.match(/name="returnTo" value="[^"]*"/g)).toEqual([
      expect.stringMatching(/^name="returnTo" value="\/account\/confirm\?returnTo=[^"<>:]*"$/),
    ]);
    expect((await post({ password: PASSWORD, returnTo })).headers.get('Location')).toBe('/kyc/account');
  });

  it('comes back with what is wrong, and with where to go on to', async () => {
    const none = await post({ password: '', returnTo: WANTED });
    expect(none.status).toBe(422);
    expect(none.words).toContain('Enter your password');
    expect(given.accounts.visitors).toEqual([]);
    const wrong = await post({ password: ` ${PASSWORD}`, returnTo: WANTED });
    expect(wrong.status).toBe(422);
    expect(wrong.words).toContain('The password is wrong');
    expect(wrong.text).not.toContain(PASSWORD);
    expect(wrong.text).toContain('name="returnTo" value="/dashboard/keys/new?for=a%26b"');
    expect(await confirmedAt()).toBeNull();
  });

  it('says how long to wait after too many attempts', async () => {
    given.accounts.throttle(90);
    const { status, headers, words } = await post({ password: PASSWORD });
    expect(status).toBe(429);
    expect(headers.get('Retry-After')).toBe('90');
    expect(words).toContain('Try again in 2 minutes.');
    expect(await confirmedAt()).toBeNull();
  });

  it('requires a session: sign-in leads back to the form first', async () => {
    const back = `/kyc/account/sign-in?returnTo=${encodeURIComponent(`/account/confirm?returnTo=${encodeURIComponent(WANTED)}`)}`;
    const asked = await given.get(`/account/confirm?returnTo=${encodeURIComponent(WANTED)}`, null);
    expect(asked.headers.get('Location')).toBe(back);
    const sent = await post({ password: PASSWORD, returnTo: WANTED }, '');
    expect(sent.headers.get('Location')).toBe(back);

    const signedIn = await given.post(
      '/account/sign-in',
      {
        email: 'clara@example.org',
        password: PASSWORD,
        returnTo: new URL(back, 'https://x').searchParams.get('returnTo') ?? '',
      },
      null,
    );
    expect(signedIn.headers.get('Location')).toBe(`/kyc/account/confirm?returnTo=${encodeURIComponent(WANTED)}`);
  });
});
