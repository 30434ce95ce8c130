import { inflateRawSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { BASE_URL } from '../../test-support/cases.ts';
import { type Answer, aUser, CLARA, type Fields, RITA } from '../../test-support/console.ts';
import { type GivenDashboard, givenDashboard } from '../../test-support/dashboard.ts';
import { releasedCopyIn } from '../../test-support/released-copy.ts';

const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate' };
const ADDRESSES = '/dashboard/return-addresses';

let given: GivenDashboard;
beforeEach(async () => {
  given = await givenDashboard();
});

const sessionOf = (who: string | null): string =>
  who === null ? '' : given.accounts.signedIn(who, { confirmedAt: given.ports.clock.now() });

/** Posts a form as a browser does, and returns the answer with the cookie that keeps the form. */
async function send(path: string, fields: Fields, session: string, headers: Record<string, string> = NAVIGATION) {
  const answer = await given.post(path, fields, null, { Cookie: session, ...headers });
  const kept = answer.headers.getSetCookie().find((line) => line.startsWith('form-')) ?? '';
  return { ...answer, location: answer.headers.get('Location')?.slice('/kyc'.length) ?? '', kept };
}

const valueIn = (setCookie: string): string => setCookie.split(';')[0] ?? '';
/** What a cookie holds. The secrets of these tests do not encrypt. */
const contentOf = (setCookie: string): string =>
  inflateRawSync(Buffer.from(valueIn(setCookie).split(/[=.]/)[1] ?? '', 'base64url')).toString();

const follow = (path: string, session: string, kept: string): Promise<Answer> =>
  given.get(path, null, { Cookie: [session, valueIn(kept)].filter((cookie) => cookie !== '').join('; ') });

/** Expects a form to come back by a redirect, once, and returns the page. */
async function comesBack(path: string, fields: Fields, who: string | null, to = path) {
  const session = sessionOf(who);
  const { status, location, kept } = await send(path, fields, session);
  expect([status, location]).toEqual([303, to]);
  expect(kept).toMatch(
    new RegExp(`^form-[0-9a-f]{12}=[^;]+; Max-Age=300; Path=/kyc${to}; HttpOnly; Secure; SameSite=Strict$`),
  );
  const page = await follow(to, session, kept);
  expect(page.status).toBe(200);
  const cleared = page.headers.getSetCookie().find((line) => line.startsWith('form-'));
  expect(cleared).toMatch(new RegExp(`^${valueIn(kept).split('=')[0]}=; Max-Age=0; Path=/kyc${to};`));
  return { ...page, kept };
}

const titleOf = ({ text }: Answer): string => /<title>([^<]*)/.exec(text)?.[1] ?? '';

describe('a refused form is shown again once, by a redirect', () => {
  it('a refused form of an action is shown again once, by a redirect: with the message, what was typed, and the focus on the summary', async () => {
    const page = await comesBack(ADDRESSES, { returnAddresses: 'https://a.example/\nnonsense' }, CLARA);
    expect(titleOf(page)).toMatch(/^Error: /);
    expect(page.text).toMatch(/class="error-summary"[^>]* autofocus/);
    expect(page.words).toContain('“nonsense” cannot be a return address');
    expect(page.text).toContain('https://a.example/\nnonsense</textarea>');
    const again = await given.open(ADDRESSES);
    expect(titleOf(again)).not.toContain('Error');
    expect(again.text).not.toContain('nonsense');
  });

  it('a form of an action that is refused by its outcome is shown again once, by a redirect: with the notice and its link', async () => {
    const id = await given.pending({ subjectReference: 'user_1' });
    const fields = { subjectType: 'kyc', subjectReference: 'user_1', formId: 'a'.repeat(32) };
    const page = await comesBack('/dashboard/verifications/new', fields, CLARA);
    expect(titleOf(page)).toMatch(/^Error: /);
    expect(page.text).toContain(`href="/kyc/dashboard/verifications/${id}"`);
    // The same form id, so that a form that is sent twice creates once.
    expect(page.text).toContain(`name="formId" value="${'a'.repeat(32)}"`);
  });

  it('a preview is shown once, by a redirect: with no error', async () => {
    const page = await comesBack('/dashboard/face', { displayName: 'Acme Direct', preview: 'true' }, CLARA);
    expect(titleOf(page)).not.toContain('Error');
    expect(page.words.match(/Acme Direct/g)?.length).toBeGreaterThan(0);
    expect(page.text).toContain('value="Acme Direct"');
  });

  it('a refused sign-in is shown again once, by a redirect: with the address and the page to return to, without the password', async () => {
    const fields = { email: 'rita@example.org', password: 'not her password', returnTo: '/review?type=kyb' };
    const sent = await send('/account/sign-in', fields, '');
    expect([sent.status, sent.location]).toEqual([303, '/account/sign-in?returnTo=%2Freview%3Ftype%3Dkyb']);
    const page = await follow(sent.location, '', sent.kept);
    expect(titleOf(page)).toMatch(/^Error: /);
    expect(page.text).toContain('value="rita@example.org"');
    expect(page.text).toContain('name="returnTo" value="/review?type=kyb"');
    expect(contentOf(sent.kept)).toContain('rita@example.org');
    expect(contentOf(sent.kept)).not.toContain('not her password');
  });

  it('a refused form of the account that is posted to another address is shown again once, by a redirect', async () => {
    const page = await comesBack('/account/security/begin', { password: 'wrong' }, RITA, '/account/security');
    expect(page.words).toContain('The password is wrong');
  });

  it('a refused download of a copy is shown again once, by a redirect: with the message, without the code', async () => {
    const id = await given.submitted();
    const released = await given.send(`/dashboard/verifications/${id}/data-copy`);
    const { path } = releasedCopyIn(released, BASE_URL);
    const page = await comesBack(path, { code: 'WRONG-CODE' }, null);
    expect(page.words).toContain('The code is wrong');
    expect(contentOf(page.kept)).not.toContain('WRONG');
  });

  it('a refused form of a reviewer is shown again once, by a redirect: at the case, which is opened once', async () => {
    const id = await given.submitted();
    const { version } = await given.review.preview(id);
    const fields = { expectedVersion: String(version), 'reject.internalNote': 'Looks copied' };
    const page = await comesBack(`/review/${id}/reject`, fields, RITA, `/review/${id}`);
    expect(titleOf(page)).toMatch(/^Error: /);
    expect(page.words).toContain('Looks copied');
    expect(page.words).toContain('Choose at least one reason');
    const opened = (await given.audit()).filter(({ action }) => action === 'review.open');
    expect(opened).toHaveLength(1);
  });

  it('a decision that a reviewer must confirm is shown again once, by a redirect: at the case', async () => {
    const id = await given.submitted();
    const { version } = await given.review.preview(id);
    const path = `/review/${id}/approve`;
    const fields = { expectedVersion: String(version), 'approve.internalNote': 'Clear copies' };
    const page = await comesBack(path, fields, RITA, `/review/${id}`);
    expect(page.text).toContain('Clear copies</textarea>');
    expect(page.text).toMatch(/<details id="act-approve"[^>]* open/);
    const later = await given.get(path, RITA);
    expect([later.status, later.headers.get('Location')]).toEqual([303, `/kyc/review/${id}`]);

    const back = await comesBack(path, { ...fields, confirmed: 'no' }, RITA, `/review/${id}`);
    expect(back.text).toContain('Clear copies</textarea>');
    expect(titleOf(back)).not.toContain('Error');
  });
});

describe('a kept form', () => {
  const BAD = { returnAddresses: 'nonsense' };
  const shows = async (path: string, session: string, kept: string) =>
    (await follow(path, session, kept)).text.includes('nonsense');

  it('a kept form is for its sender, its page and five minutes, and cannot be forged', async () => {
    const session = sessionOf(CLARA);
    const { kept } = await send(ADDRESSES, BAD, session);
    const [name = '', value = ''] = valueIn(kept).split('=');
    given.accounts.add(aUser('olivia', { role: 'client', clientId: given.clientId, teamRole: 'owner' }), 'p');
    expect(await shows(ADDRESSES, sessionOf('olivia'), kept)).toBe(false);
    expect(await shows('/dashboard/face', session, kept)).toBe(false);
    expect(await shows(ADDRESSES, session, `${name}=x${value}`)).toBe(false);
    expect(await shows(ADDRESSES, session, `${name}=`)).toBe(false);
    expect(await shows(ADDRESSES, session, kept)).toBe(true);
    given.ports.clock.advance(5 * 60 * 1000);
    expect(await shows(ADDRESSES, sessionOf(CLARA), kept)).toBe(false);
    expect(given.faults).toEqual([]);
  });

  it('a kept form is kept by a browser without TLS too, which sends no Sec-Fetch-Mode', async () => {
    const Accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    expect((await send(ADDRESSES, BAD, sessionOf(CLARA), { Accept })).status).toBe(303);
  });

  it.each([
    ['fetch', { 'Sec-Fetch-Mode': 'cors', Accept: 'text/html' }],
    ['htmx', { 'HX-Request': 'true', Accept: 'text/html' }],
    ['a script', {}],
  ])('a kept form is not used by %s, which receives the status and the page directly', async (_, headers) => {
    const { status, words, kept } = await send(ADDRESSES, BAD, sessionOf(CLARA), headers);
    expect([status, kept]).toEqual([422, '']);
    expect(words).toContain('“nonsense” cannot be a return address');
  });

  it('a kept form is answered directly if it is too large for a cookie, at an address that a reload and Back can ask for', async () => {
    // Does not compress.
    const long = Array.from({ length: 200 }, (_, n) => given.ports.secrets.sha256(String(n))).join('');
    const answer = await send(ADDRESSES, { returnAddresses: long }, sessionOf(CLARA));
    expect([answer.status, answer.kept]).toEqual([422, '']);
    expect(answer.text).toContain(`data-reload="/kyc${ADDRESSES}"`);
    expect(answer.text).toMatch(/<script type="module" src="[^"]*answered[^"]*\.js">/);
    const page = await given.open(ADDRESSES);
    expect(page.text).not.toMatch(/data-reload|answered/);
  });
});
