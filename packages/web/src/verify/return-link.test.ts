import { shortReference } from '@countersign/domain';
import { withdrawVerification } from '@countersign/domain/actions';
import { reviewAs } from '@countersign/test-support/service/operations';
import { describe, expect, it } from 'vitest';
import { type GivenFlow, givenFlow, walk } from '../../test-support/flow.ts';
import type { PageElement } from '../../test-support/page-document.ts';
import type { Shown } from '../../test-support/subject-browser.ts';
import { BASE } from '../../test-support/subject-site.ts';

const creation = { returnUrl: 'https://acme.example/kyc/done?order=7&x=%22%3E', locale: 'de' };

/** The links that lead to another site. */
const outward = ({ document }: Shown): PageElement[] =>
  [...document.querySelectorAll('a')].filter((link) => /^[a-z]+:/i.test(link.getAttribute('href') ?? ''));

/** Sends a request as the proxy passes it on, and follows no redirect. */
const ask = async ({ app }: GivenFlow, address: string, cookie = ''): Promise<Response> =>
  app.request(address.slice(BASE.length), { headers: { Cookie: cookie } });

const sessionIn = ({ headers }: Response): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function seen({ read, id }: GivenFlow) {
  return { verificationId: id, version: (await read()).version };
}

async function submitted(more: Parameters<typeof givenFlow>[0] = { creation }): Promise<GivenFlow> {
  const given = await givenFlow(more);
  await walk(given, await given.start());
  return given;
}

describe('the way back', () => {
  it.each<[status: string, end: (given: GivenFlow) => Promise<unknown>]>([
    ['submitted', async () => undefined],
    ['approved', async (given) => reviewAs(given.countersign).approve(await seen(given))],
    [
      'rejected',
      async (given) =>
        reviewAs(given.countersign).reject(await seen(given), {
          reasonCodes: ['other'],
          message: 'See our letter',
        }),
    ],
  ])('%s: the last page offers a link with the id and the status', async (status, end) => {
    const given = await submitted();
    await end(given);
    const page = await given.browser.open(given.address());
    const [link, ...others] = outward(page);
    expect(others).toEqual([]);
    expect(link?.textContent).toBe('Zurück zu Acme Bank');
    expect(link?.getAttribute('href')).toBe(`${creation.returnUrl}&verificationId=${given.id}&status=${status}`);
    expect(link?.getAttribute('rel')).toBe('noreferrer');
    expect(page.document.querySelector('.reference')?.textContent).toBe(shortReference(given.id));
  });

  it('withdrawn before anything was submitted: the link has the status rejected', async () => {
    const given = await givenFlow({ creation });
    await given.start();
    await given.countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId: given.id });
    const [link] = outward(await given.browser.open(given.address()));
    expect(link?.getAttribute('href')).toContain(`&verificationId=${given.id}&status=rejected`);
  });

  it.each([
    ['pending', async () => undefined],
    [
      'action_needed',
      async (given: GivenFlow) => {
        await walk(given, await given.start());
        const items = [{ step: 'selfie', reasonCode: 'selfie_unclear', note: 'Too dark' }] as const;
        await reviewAs(given.countersign).askForAction(await seen(given), { items });
      },
    ],
  ])('%s: no page leads away while something is left to do', async (_, reach) => {
    const given = await givenFlow({ creation });
    await reach(given);
    expect(outward(await given.browser.open(await given.link()))).toEqual([]);
  });

  it('an address that the client took from its list is not offered any more', async () => {
    const given = await submitted();
    await given.countersign.clients.setReturnAddresses(given.clientId, ['https://acme.example/other']);
    expect(outward(await given.browser.open(given.address()))).toEqual([]);
  });

  it('a creation without returnUrl has no link', async () => {
    const given = await submitted({});
    expect(outward(await given.browser.open(given.address()))).toEqual([]);
  });

  it('no page redirects to the client, and no referrer leaves the site', async () => {
    const given = await submitted();
    const opening = await ask(given, await given.link());
    expect(opening.headers.get('Location')).toBe(given.address());
    const session = sessionIn(opening);
    for (const address of [given.address(), given.address('check'), given.address('phone')]) {
      const response = await ask(given, address, session);
      expect(response.headers.get('Location') ?? '').not.toContain('acme.example');
      expect(response.headers.get('Referrer-Policy')).toBe('same-origin');
      expect(await response.text()).not.toMatch(/http-equiv="?refresh/i);
    }
  });
});

describe('the locale of a creation', () => {
  const languageOf = ({ document }: Shown) => document.documentElement.getAttribute('lang');
  const opened = async (locale: string, language: string) => {
    const given = await givenFlow({ creation: { locale }, language });
    return given.browser.open(await given.link());
  };

  it.each([
    ['de', 'en', 'de'],
    ['de-AT', 'en', 'de'],
    ['de_CH', 'en', 'de'],
    ['EN', 'de', 'en'],
  ])('%s opens the pages for a browser in %s in %s', async (locale, browser, language) => {
    expect(languageOf(await opened(locale, browser))).toBe(language);
  });

  it.each(['tlh', 'deutsch', '???'])(
    '%s, which the pages do not have, leaves the language of the browser',
    async (locale) => {
      expect(languageOf(await opened(locale, 'de'))).toBe('de');
      expect(languageOf(await opened(locale, 'fr'))).toBe('en');
    },
  );

  it('every page is in it, a refused form too', async () => {
    const given = await givenFlow({ creation: { locale: 'de' }, flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'name');
    expect(languageOf(end)).toBe('de');
    const refused = await given.browser.submit(end, { firstName: '', lastName: '' });
    expect([refused.answered, languageOf(refused)]).toEqual([303, 'de']);
    expect(refused.headers.get('Content-Language')).toBe('de');
  });

  it('a language that the subject chose comes before it', async () => {
    const given = await givenFlow({ creation: { locale: 'de' } });
    const session = sessionIn(await ask(given, await given.link()));
    const languageWith = async (chosen: string) =>
      (await ask(given, given.address(), session + chosen)).headers.get('Content-Language');
    expect(await languageWith('')).toBe('de');
    expect(await languageWith('; language=en')).toBe('en');
  });
});
