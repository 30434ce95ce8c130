// Walks both flows page by page in both languages.
import { CountersignError, type SubjectType, submittedDataOf } from '@countersign/domain';
import { describe, expect, it } from 'vitest';
import { givenFlow, takePage, walk } from '../../test-support/flow.ts';

/** What is stored of what was typed. */
const KEPT = {
  kyc: {
    consent: { version: 'kyc-2026-11k', acceptedAt: '2026-01-15T12:00:00.000Z' },
    person: {
      firstName: 'Ada',
      lastName: "O'Brien-Łukasz",
      dateOfBirth: '1987-03-27',
      placeOfBirth: { city: 'Gdańsk', country: 'PL' },
      nationalities: ['PL'],
      email: 'ada@example.org',
      phone: '+4915112345678',
    },
    address: { line1: 'ul. Długa 1', proofFileId: expect.any(String) },
    document: { type: 'id_card', expiresOn: '2033-01-31', backFileId: expect.any(String) },
    selfie: { fileId: expect.any(String) },
    attestation: { accepted: true },
  },
  kyb: {
    consent: { version: 'kyb-2026-11k', representative: { email: 'grace@example.org' } },
    business: { tradingNames: ['Müller', 'M & S'], website: 'https://www.example.org' },
    addresses: { registered: { city: 'Köln' } },
    ownership: {
      directors: [{ firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' }],
      beneficialOwners: [{ ownershipPercent: 33.3, controlType: 'direct_shares', country: 'DE' }],
    },
    documents: { registrationExtractFileId: expect.any(String), articlesFileId: expect.any(String) },
    representative: { document: { type: 'passport', number: 'P1234567' }, selfieFileId: expect.any(String) },
    attestation: { accepted: true },
  },
};

/** Where `currentStep` stands while the screens are answered: in version 2 of KYC, one of them ends two steps. */
describe.each<[SubjectType, string, number, readonly number[]]>([
  ['kyc', 'en', 1, [0, 1, 2, 3, 4, 5]],
  ['kyc', 'en', 2, [0, 1, 3, 4, 5]],
  ['kyc', 'de', 2, [0, 1, 3, 4, 5]],
  ['kyb', 'de', 1, [0, 1, 2, 3, 4, 5, 6]],
  ['kyb', 'en', 2, [0, 1, 2, 3, 4, 5, 6]],
  ['kyb', 'de', 2, [0, 1, 2, 3, 4, 5, 6]],
])('a subject of %s in %s without JavaScript, flow version %i', (type, language, flowVersion, steps) => {
  it('reaches the confirmation from the link, and currentStep counts each step', async () => {
    const given = await givenFlow({ type, language, flowVersion });
    const { end, progress } = await walk(given, await given.start());
    expect(end.heading).toBe(
      language === 'de' ? 'Vielen Dank, es ist alles da' : 'Thank you, we have received everything',
    );
    expect([...new Set(progress)]).toEqual(steps);
    expect([...progress]).toEqual([...progress].sort());
    const verification = await given.read();
    expect(verification.status).toBe('submitted');
    expect(verification.drafts).toEqual({});
    expect(given.faults).toEqual([]);
    expect(submittedDataOf(verification)).toMatchObject(KEPT[type]);
    expect(verification.steps.consent?.answers).toMatchObject({ accepted: true, locale: language });
  });

  it('every page is in that language and loads nothing inline or from another host', async () => {
    const given = await givenFlow({ type, language, flowVersion });
    const first = await given.start();
    await given.browser.open(given.address('phone'));
    await given.browser.open(given.address('nowhere'));
    await given.browser.submit(first);
    await walk(given, first);
    expect(given.browser.seen.length).toBeGreaterThan(steps.length);
    for (const { html, document, headers, address } of given.browser.seen) {
      expect(document.documentElement.getAttribute('lang'), address).toBe(language);
      expect(html, address).not.toMatch(/(?:verify|site|capture):[a-z]/);
      expect(html, address).not.toMatch(/\{\{|<style|\sstyle=|\son[a-z]+=|javascript:/i);
      expect([...document.querySelectorAll('script')].filter((script) => !script.hasAttribute('src'))).toEqual([]);
      for (const element of document.querySelectorAll('[src], [href], [action]')) {
        const url = ['src', 'href', 'action']
          .map((name) => element.getAttribute(name))
          .find((value) => value !== null);
        expect(url, address).toMatch(/^(?:#|\/countersign\/)/);
      }
      expect(headers.get('Cache-Control'), address).toBe('no-store');
      expect(headers.get('Content-Security-Policy'), address).not.toContain('unsafe');
    }
  });
});

describe('a subject who stops in the middle', () => {
  it('continues in another browser on the same page', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const first = await walk(given, await given.start(), 'nationality');
    expect(first.end.address).toMatch(/\/nationality$/);
    const second = await given.start(given.anotherBrowser());
    expect(second.address).toMatch(/\/nationality$/);
  });

  it('going back shows the saved answers, and continuing returns to the first unanswered page', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    await walk(given, await given.start(), 'nationality');
    const name = await given.browser.open(given.address('name'));
    expect(name.document.querySelector('[name="firstName"]')?.getAttribute('value')).toBe('Ada');
    const birth = await given.browser.open(given.address('birth'));
    expect(birth.document.querySelector('[name="dateOfBirth.month"]')?.getAttribute('value')).toBe('3');
    expect((await takePage(given, birth)).address).toMatch(/\/nationality$/);
  });
});

describe('the page of all answers', () => {
  it('links to a page, which returns with the change', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'check');
    const link = end.document.querySelector('a[href$="/name?from=check"]');
    const name = await given.browser.open(link?.getAttribute('href') ?? '');
    const check = await given.browser.submit(name, { firstName: 'Augusta' });
    expect(check.address).toMatch(/\/check$/);
    expect(check.html).toContain('Augusta');
    expect((await given.read()).steps.person?.answers).toMatchObject({ firstName: 'Augusta' });
  });

  it('shows small pictures of what was uploaded', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'check');
    const sources = [...end.document.querySelectorAll('img.answer-picture')].map(
      (img) => img.getAttribute('src') ?? '',
    );
    const { files } = await given.read();
    const pictures = files.filter(({ contentType }) => contentType !== 'application/pdf');
    const paths = pictures.map(({ id }) => `files/${id}/thumbnail`);
    expect(sources.map((source) => source.split('/').slice(-3).join('/')).sort()).toEqual(paths.sort());
    expect(sources.length).toBeGreaterThan(2);
    expect(end.document.querySelector('img.answer-picture')?.getAttribute('alt')).toContain('as you sent it');
  });

  it('a cleared optional answer is removed', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    await walk(given, await given.start(), 'check');
    const contact = await given.browser.open(`${given.address('contact')}?from=check`);
    const check = await given.browser.submit(contact, { email: '', phone: '' });
    expect(check.address).toMatch(/\/check$/);
    expect((await given.read()).steps.person?.answers).not.toHaveProperty('email');
  });

  it('changing passport to identity card asks for the back of the document', async () => {
    const given = await givenFlow({ type: 'kyb', flowVersion: 1 });
    await walk(given, await given.start(), 'check');
    const document = await given.browser.open(`${given.address('document')}?from=check`);
    const back = await given.browser.submit(document, { 'document.type': 'id_card' });
    expect(back.address).toMatch(/\/document-back\?from=check$/);
    const early = await given.browser.open(given.address('check'));
    // The step is not done any more, so nothing can be submitted before it is.
    expect(early.address).toMatch(/\/document/);
  });

  it('submitting without the statement shows the page again, with a message', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'check');
    const again = await given.browser.submit(end);
    expect([again.answered, again.status]).toEqual([303, 200]);
    expect(again.errors).toEqual([{ message: 'Confirm that everything is true', target: 'field-accepted' }]);
    expect((await given.read()).status).toBe('pending');
  });

  it('submitting from two tabs: the second shows the confirmation too', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'check');
    const [one, two] = await Promise.all([takePage(given, end), takePage(given, end)]);
    expect([one.heading, two.heading]).toEqual(Array(2).fill('Thank you, we have received everything'));
    expect((await takePage(given, end)).heading).toBe('Thank you, we have received everything');
  });
});

describe('another tab submits during the request', () => {
  /** The check page of one tab, and the other tab's sending of it. */
  async function givenTwoTabs() {
    const given = await givenFlow({ flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'check');
    return { given, end, sendOther: () => takePage(given, end) };
  }

  it('while the statement is saved: shows the confirmation', async () => {
    const { given, end, sendOther } = await givenTwoTabs();
    given.beforeNextCommit(sendOther);
    const page = await takePage(given, end);
    expect([page.status, page.heading]).toEqual([200, 'Thank you, we have received everything']);
    expect((await given.read()).status).toBe('submitted');
  });

  it('just before the submission: shows the confirmation', async () => {
    const { given, end, sendOther } = await givenTwoTabs();
    given.beforeNextCommit(async () => given.beforeNextCommit(sendOther));
    const page = await takePage(given, end);
    expect([page.status, page.heading]).toEqual([200, 'Thank you, we have received everything']);
    expect((await given.read()).status).toBe('submitted');
  });
});

describe('a page that is not open', () => {
  it('of a later step: 409 with a link that continues where the subject stopped', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    await given.start();
    const selfie = await given.browser.open(given.address('address'));
    expect(selfie.status).toBe(409);
    expect(selfie.heading).toBe('You cannot open this page now');
    expect(selfie.document.querySelector('.main-action')?.getAttribute('href')).toBe(given.address());
  });

  it('the last page of a step, with an earlier one unanswered: redirects to the earlier one', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    await walk(given, await given.start(), 'name');
    const contact = await given.browser.open(given.address('contact'));
    expect(contact.status).toBe(200);
    expect((await given.browser.submit(contact)).address).toMatch(/\/name$/);
  });

  it('after the submission: 409, and nothing is saved', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const { end: name } = await walk(given, await given.start(), 'name');
    await walk(given, name);
    const late = await given.browser.submit(name, { firstName: 'Late', lastName: 'Comer' });
    expect(late.status).toBe(409);
    expect(late.heading).toBe('You can no longer change anything');
    expect(JSON.stringify(await given.read())).not.toContain('Comer');
  });

  it('a concurrent change: 409 with a link that continues', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const { end: name } = await walk(given, await given.start(), 'name');
    given.breakStorage(new CountersignError('VERSION_CONFLICT', 'Changed meanwhile'), 'commit');
    const lost = await given.browser.submit(name, { firstName: 'Ada', lastName: 'Lovelace' });
    expect([lost.status, lost.heading]).toEqual([409, 'Something else was saved at the same time']);
    expect(lost.document.querySelector('.main-action')?.getAttribute('href')).toBe(given.address());
  });
});

describe('the progress', () => {
  const progressIn = (html: string) => /(?:Page|Seite) (\d+) (?:of|von) (\d+)/.exec(html)?.slice(1).map(Number);

  it.each<[SubjectType, string]>([
    ['kyc', 'en'],
    ['kyb', 'de'],
  ])('of %s in %s counts each page once, and the page of all answers is the last', async (type, language) => {
    const given = await givenFlow({ type, language, flowVersion: 1 });
    let page = await given.start();
    const numbers: (number | undefined)[] = [];
    while (!page.address.endsWith('/check')) {
      numbers.push(progressIn(page.html)?.[0]);
      page = await takePage(given, page);
    }
    expect(numbers.length).toBeGreaterThan(8);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(progressIn(page.html)).toEqual([numbers.length + 1, numbers.length + 1]);
  });
});

describe('the consent', () => {
  it.each<[SubjectType, string, RegExp, RegExp]>([
    ['kyc', 'en', /verify your identity/, /business|directors|owners/i],
    ['kyc', 'de', /Ihre Identität zu prüfen/, /Ihr Unternehmen|Leitung|Eigentümer/],
    ['kyb', 'en', /verify your business/, /verify your identity/],
    ['kyb', 'de', /Ihr Unternehmen, dessen Leitung/, /Ihre Identität/],
  ])('of %s in %s speaks of what is verified', async (type, language, named, other) => {
    const given = await givenFlow({ type, language, flowVersion: 1 });
    const { html } = await given.start();
    const [, text = ''] = /<div class="consent-text">([\s\S]*?)<\/div>/.exec(html) ?? [];
    expect(text).toMatch(named);
    expect(text).not.toMatch(other);
  });
});
