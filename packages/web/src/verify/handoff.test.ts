import { HAND_OVER_LIFETIME_MS, MAX_HAND_OVERS } from '@countersign/domain';
import { renewVerificationLink } from '@countersign/domain/actions';
import { describe, expect, it } from 'vitest';
import { BASE, ORIGIN } from '../../test-support/subject-site.ts';
import { givenSubjectAtDocument, submitWithoutPages } from '../../test-support/upload-steps.ts';
import { type GivenSubject, givenSubject } from '../../test-support/upload-subject.ts';
import { drawQr } from '../site/qr-code.tsx';

const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate', 'Accept-Language': 'en' };

/** Presses the button of the phone page, and keeps the cookie of the code. */
async function showCode(
  given: GivenSubject,
  cookie = given.cookie,
): Promise<{ answer: Response; Cookie: string }> {
  const answer = await given.app.request(`/verify/${given.id}/phone`, {
    method: 'POST',
    headers: { ...NAVIGATION, Cookie: cookie, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' },
  });
  const set = answer.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  return { answer, Cookie: [cookie, ...set].join('; ') };
}

const linkOn = (page: string): string => /id="phone-link"[^>]* value="([^"]+)"/.exec(page)?.[1] ?? 'no link';

/** Shows a code and reads the page. */
async function givenCode(given: GivenSubject) {
  const { Cookie } = await showCode(given);
  const page = await (await given.get('phone', { Cookie })).text();
  const link = linkOn(page);
  return { Cookie, page, link, path: link.slice((ORIGIN + BASE).length) };
}

describe('the page that hands over to the phone', () => {
  it('issues no code before it is asked for one, and then redirects to the page with it', async () => {
    const given = await givenSubject();
    const empty = await (await given.get('phone')).text();
    expect(empty).toContain('Show the code');
    expect(empty).not.toContain('<svg class="qr-code"');

    const { answer } = await showCode(given);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe(`${BASE}/verify/${given.id}/phone`);
    expect(answer.headers.get('Set-Cookie')).toMatch(
      new RegExp(
        `^hand-over=[0-9a-f]{32}; Max-Age=3600; Path=${BASE}/verify/${given.id}/phone; HttpOnly; Secure; SameSite=Lax$`,
      ),
    );
  });

  it('shows the code as a QR code and as a link, and never the permanent link', async () => {
    const given = await givenSubject();
    const { page, link } = await givenCode(given);
    expect(link).toMatch(new RegExp(`^${ORIGIN}${BASE}/verify/${given.id}/continue/[0-9a-f]{32}$`));
    expect(page).toContain(`d="${drawQr(link).path}"`);
    expect(page).toMatch(/<svg[^>]* role="img" aria-label="QR code to continue on your phone"/);
    expect(page).toContain('fill="#fff"');
    expect(page).toContain('work once, for another 10 minutes');
    expect(page).toContain('are personal');
    expect(page).not.toContain(await given.reference());
  });

  it('shows the same code when the page is loaded or asked for again while it works', async () => {
    const given = await givenSubject();
    const { Cookie, link } = await givenCode(given);
    given.clock.advance(HAND_OVER_LIFETIME_MS - 1);
    expect(linkOn(await (await given.get('phone', { Cookie })).text())).toBe(link);
    expect((await showCode(given, Cookie)).answer.headers.getSetCookie()).toEqual([]);
  });

  it('says that the code has ended, and shows a new one on request', async () => {
    const given = await givenSubject();
    const { Cookie, link } = await givenCode(given);
    given.clock.advance(HAND_OVER_LIFETIME_MS);
    const page = await (await given.get('phone', { Cookie })).text();
    expect(page).toContain('The code no longer works.');
    expect(page).toContain('New code');
    expect(page).not.toContain('<svg class="qr-code"');
    const next = await showCode(given, Cookie);
    const shown = linkOn(
      await (
        await given.get('phone', { Cookie: next.Cookie.split('; ').slice(-1).concat(given.cookie).join('; ') })
      ).text(),
    );
    expect(shown).not.toBe(link);
    expect(shown).toContain('/continue/');
  });

  it('a code that another device replaced has ended', async () => {
    const given = await givenSubject();
    const { Cookie } = await givenCode(given);
    await showCode(given);
    expect(await (await given.get('phone', { Cookie })).text()).toContain('The code no longer works.');
  });

  it('says when the next code can be had after the limit, and that one can continue here', async () => {
    const given = await givenSubject();
    for (let n = 0; n < MAX_HAND_OVERS; n += 1) await showCode(given);
    given.clock.advance(20 * 60_000);
    const { answer, Cookie } = await showCode(given);
    expect(answer.status).toBe(303);
    const page = await (await given.get('phone', { Cookie })).text();
    expect(page).toContain('You have had 5 codes within an hour. You can get another one in 40 minutes.');
    expect(page).toContain('Continue on this computer');

    const direct = await given.post('phone', {});
    expect(direct.status).toBe(429);
    expect(await direct.text()).toContain('in 40 minutes');
  });

  it('polls the progress with htmx, and has a button without JavaScript', async () => {
    const given = await givenSubject();
    const page = await (await given.get('phone')).text();
    expect(page).toContain(`hx-get="/countersign/verify/${given.id}/phone/progress?shown=none"`);
    expect(page).toMatch(/<script src="[^"]+\/htmx\.js"/);
    expect(page).toMatch(/<script type="module" src="[^"]+\/handoff\.js"/);
    expect(page).toMatch(
      /<form method="get" action="[^"]+\/phone">\s*<div class="buttons"><button type="submit" class="secondary">Check progress/,
    );
  });

  it('the page that hands over to the phone is translated to German', async () => {
    const given = await givenSubject();
    const page = await (await given.get('phone', { 'Accept-Language': 'de' })).text();
    expect(page).toContain('Auf dem Smartphone weitermachen');
    expect(page).toContain('Code anzeigen');
  });

  it.each(['GET', 'POST'])('%s: redirects to the status page after the submission', async (method) => {
    const given = await givenSubjectAtDocument();
    await submitWithoutPages(given);
    const answer = method === 'GET' ? await given.get('phone') : await given.post('phone', {});
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe(`/countersign/verify/${given.id}`);
  });
});

describe('the progress on the phone', () => {
  it('the progress on the phone is answered as part of a page, and reading it changes nothing', async () => {
    const given = await givenSubject();
    const before = await given.read();
    expect(await (await given.get('phone/progress')).text()).toContain('Not started yet');
    expect(await given.read()).toEqual(before);
  });

  it('loads the page again once the code that it shows was used or has ended', async () => {
    const given = await givenSubject();
    const { Cookie, page, path } = await givenCode(given);
    expect(page).toContain('phone/progress?shown=open"');
    const poll = () => given.get('phone/progress?shown=open', { Cookie });
    expect((await poll()).headers.get('HX-Redirect')).toBeNull();

    await useCode(given, path);
    expect((await poll()).headers.get('HX-Redirect')).toBe(`${BASE}/verify/${given.id}/phone`);
    const used = await (await given.get('phone', { Cookie })).text();
    expect(used).toContain('The code was used.');
    expect(used).toContain('phone/progress?shown=used"');
    expect((await given.get('phone/progress?shown=used', { Cookie })).headers.get('HX-Redirect')).toBeNull();
  });

  it('names the current step', async () => {
    const given = await givenSubjectAtDocument();
    const answer = await given.get('phone/progress');
    const part = await answer.text();
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(part).toContain('1 of 6 ');
    expect(part).toMatch(/Now: \S/);
    expect(part).not.toContain('<html');
  });

  it('sends the browser to the confirmation after the submission', async () => {
    const given = await givenSubjectAtDocument();
    await submitWithoutPages(given);
    const answer = await given.get('phone/progress');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('HX-Redirect')).toBe(`/countersign/verify/${given.id}`);
  });

  it('counts toward the rate limit of the subject', async () => {
    const given = await givenSubject();
    // Opening the link was the first request.
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async () => (await given.get('phone/progress')).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(299);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

/** Presses the button on the page of a code, in a browser without cookies. */
function useCode(given: GivenSubject, path: string): Promise<Response> {
  return Promise.resolve(
    given.app.request(path, {
      method: 'POST',
      headers: { ...NAVIGATION, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' },
    }),
  );
}

describe('the address of a hand-over code', () => {
  const openCode = (given: GivenSubject, path: string, headers: Record<string, string> = {}) =>
    given.app.request(path, { headers: { ...NAVIGATION, ...headers } });

  it('names the client and asks whether to continue; reading it uses nothing up and begins no session', async () => {
    const given = await givenSubject();
    const { path } = await givenCode(given);
    for (const agent of ['Mozilla/5.0', 'WhatsApp/2.23']) {
      const answer = await openCode(given, path, { 'User-Agent': agent });
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.headers.get('Referrer-Policy')).toBe('same-origin');
      const page = await answer.text();
      expect(page).toContain('Acme Bank asks you to verify your identity');
      expect(page).toContain('This link works once, for another 10 minutes');
      expect(page).toContain('class="encrypted"');
      expect(page).toMatch(/<form method="post" action="[^"]+\/continue\/[0-9a-f]{32}">/);
    }
    expect((await useCode(given, path)).status).toBe(303);
  });

  it('begins the session as the link does, and leads to an address without the code', async () => {
    const given = await givenSubject();
    const { path } = await givenCode(given);
    const answer = await useCode(given, path);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe(`${BASE}/verify/${given.id}`);
    const ofLink = await given.app.request(`/verify/${await given.reference()}`);
    const attributes = (response: Response) => response.headers.get('Set-Cookie')?.replace(/=[^;]+/, '=');
    expect(attributes(answer)).toBe(attributes(ofLink));

    const Cookie = answer.headers.get('Set-Cookie')?.split(';')[0] ?? '';
    expect((await given.app.request(`/verify/${given.id}`, { headers: { Cookie } })).status).toBe(200);
  });

  it('two uses at once: one begins a session and the other is refused', async () => {
    const given = await givenSubject();
    const { path } = await givenCode(given);
    const statuses = (await Promise.all([useCode(given, path), useCode(given, path)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, 410]);
  });

  it('a form of another site uses no code', async () => {
    const given = await givenSubject();
    const { path } = await givenCode(given);
    const forged = await given.app.request(path, { method: 'POST', headers: { Origin: 'https://evil.example' } });
    expect(forged.status).toBe(403);
    expect((await useCode(given, path)).status).toBe(303);
  });

  const renewed = async ({ countersign, id }: GivenSubject) => {
    await countersign.as({ kind: 'command_line' }).run(renewVerificationLink, { verificationId: id });
  };

  it.each<[string, (given: GivenSubject, path: string) => unknown, string]>([
    ['used twice', (given, path) => useCode(given, path), 'This code was already used'],
    ['expired', ({ clock }) => clock.advance(HAND_OVER_LIFETIME_MS), 'This code does not work'],
    ['replaced by a later one', (given) => showCode(given), 'This code does not work'],
    ['of a renewed link', renewed, 'replaced by a newer one'],
    ['of a withdrawn verification', withdraw, 'There is nothing left to do here'],
  ])('%s: 410 with a page that names neither client nor verification, and no session', async (_, end, text) => {
    const given = await givenSubject();
    const { path } = await givenCode(given);
    await end(given, path);
    for (const answer of [await openCode(given, path), await useCode(given, path)]) {
      expect(answer.status).toBe(410);
      expect(answer.headers.getSetCookie()).toEqual([]);
      const page = await answer.text();
      expect(page).toContain(text);
      expect(page).not.toContain('Acme');
    }
  });

  it.each([
    ['wrong', (path: string) => path.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['too short', (path: string) => path.slice(0, -1)],
    ['in upper case', (path: string) => path.replace(/[0-9a-f]+$/, (code) => `${code.toUpperCase()}A`)],
    ['of an unknown verification', (path: string) => path.replace(/verify\/[^/]+/, 'verify/unknown')],
    ['no text', (path: string) => path.replace(/[0-9a-f]+$/, '%00')],
  ])('%s: answered as an expired one, and counted by address', async (_, change) => {
    const given = await givenSubject();
    const { path } = await givenCode(given);
    const answer = await openCode(given, change(path));
    expect(answer.status).toBe(410);
    expect(await answer.text()).toContain('This code does not work');
    expect((await useCode(given, change(path))).status).toBe(410);
    const { remaining } = await given.countersign.rateLimits.forInvalidLink('192.0.2.1');
    expect(remaining).toBe(97);
    expect((await useCode(given, path)).status).toBe(303);
  });

  it('guessed too often: 429 for the address, and the right code still works', async () => {
    const given = await givenSubject();
    const { path } = await givenCode(given);
    const wrong = `${path.slice(0, -32)}${'0'.repeat(32)}`;
    for (let tries = 0; tries < 100; tries += 1) expect((await openCode(given, wrong)).status).toBe(410);
    expect((await useCode(given, wrong)).status).toBe(429);
    expect((await useCode(given, path)).status).toBe(303);
  });

  it('opened too often: 429, and it is not used up', async () => {
    const given = await givenSubject();
    const { path } = await givenCode(given);
    for (let n = 0; n < 300; n += 1) await given.countersign.rateLimits.forSubject(given.id);
    expect((await openCode(given, path)).status).toBe(429);
    expect((await useCode(given, path)).status).toBe(429);
    given.clock.advance(60_000);
    expect((await useCode(given, path)).status).toBe(303);
  });

  it('no access log has the code: its requests are reported with the template of their route', async () => {
    const given = await givenSubject();
    const { path } = await givenCode(given);
    await openCode(given, path);
    await useCode(given, path);
    expect(given.routes.slice(-2)).toEqual([
      'GET /verify/{id}/continue/{code}',
      'POST /verify/{id}/continue/{code}',
    ]);
    expect(given.routes.join('\n')).not.toContain(path.slice(-32));
  });

  it('shows the question in the language of the verification', async () => {
    const given = await givenSubject({ creation: { locale: 'de' } });
    const { path } = await givenCode(given);
    const page = await (await openCode(given, path)).text();
    expect(page).toContain('Auf diesem Gerät weitermachen');
    expect(page).toContain('lang="de"');
  });
});

async function withdraw({ countersign, id, clientId }: GivenSubject): Promise<void> {
  const key = await countersign.apiKeys.issue(clientId, { permissions: ['*'] });
  const principal = await countersign.authenticate(key.value, { countRequest: false });
  await countersign.verifications.withdraw(principal, id);
}
