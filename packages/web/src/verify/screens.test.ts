import { type ActionNeeded, SUBJECT_TYPES, submittedDataOf } from '@countersign/domain';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { reviewAs } from '@countersign/test-support/service/operations';
import { describe, expect, it } from 'vitest';
import { type GivenFlow, givenFlow, takePage, walk } from '../../test-support/flow.ts';
import { TYPED } from '../../test-support/flow-answers.ts';
import type { Shown } from '../../test-support/subject-browser.ts';

const slugOf = ({ address }: Shown): string => address.split('?')[0]?.split('/')[3] ?? '';

/** Answers everything from the link on, and returns the slugs of the screens that were shown, the first and the last included. */
async function screensOf(given: GivenFlow, document = 'id_card'): Promise<readonly string[]> {
  const link = await given.browser.open(await given.link());
  const typed = { ...given.typed, document: { ...given.typed.document, type: document } };
  const flow = given.type === 'kyc' ? { ...given, typed } : given;
  const slugs = ['start'];
  let page = await given.browser.submit(link, { accepted: 'true', ...given.typed.consent });
  while (page.document.querySelector('main form') !== null && slugs.length < 40) {
    slugs.push(slugOf(page));
    page = await takePage(flow, page);
  }
  return [...slugs, 'done'];
}

describe('the screens of flow version 2', () => {
  const BEFORE_PROOF = ['start', 'document', 'document-front', 'document-back', 'details', 'selfie', 'address'];

  it.each([
    ['nine, without a proof of address, for a new client', false, [...BEFORE_PROOF, 'check', 'done']],
    [
      'ten, with a proof of address, for a client that asks for it',
      true,
      [...BEFORE_PROOF, 'proof-of-address', 'check', 'done'],
    ],
  ])('a card takes %s', async (_, asksAll, screens) => {
    expect(await screensOf(await givenFlow({ asksAll }))).toEqual(screens);
  });

  it('a passport takes one less', async () => {
    expect(await screensOf(await givenFlow(), 'passport')).not.toContain('document-back');
  });

  it('a company with one owner takes at most 24', async () => {
    expect((await screensOf(await givenFlow({ type: 'kyb' }))).length).toBeLessThanOrEqual(24);
  });

  it.each(SUBJECT_TYPES)('versions 1 and 2 store the same answers of one walk: %s', async (type) => {
    const data = await Promise.all(
      [1, 2].map(async (flowVersion) => {
        const given = await givenFlow({ type, flowVersion });
        await walk(given, await given.start());
        const stored = JSON.stringify(submittedDataOf(await given.read()));
        return stored.replaceAll(/[0-9a-f-]{36}/g, 'id');
      }),
    );
    expect(JSON.parse(data[1] ?? '')).toEqual(JSON.parse(data[0] ?? ''));
  });
});

describe.each([
  ['en', 'Agree and start', ['Number of the document is missing', 'Last name is missing']],
  ['de', 'Einwilligen und starten', ['Nummer des Dokuments fehlt', 'Nachname fehlt']],
] as const)('in %s', (language, agree, messages) => {
  it('the first page asks for consent; a refusal comes back on its own page', async () => {
    const given = await givenFlow({ language });
    const start = await given.browser.open(await given.link());
    expect(slugOf(start)).toBe('');
    expect(start.document.querySelector('#page-form .next button')?.textContent).toBe(agree);
    const refused = await given.browser.submit(start, {});
    expect([slugOf(refused), refused.errors.map(({ target }) => target)]).toEqual(['consent', ['field-accepted']]);
    expect(slugOf(await given.browser.submit(refused, { accepted: 'true' }))).toBe('document');
    const again = await given.browser.open(given.address());
    expect(again.document.querySelector('#page-form')).toBeNull();
  });

  it('both steps of a screen wrong: one list of errors in the order of the page, and nothing is saved', async () => {
    const given = await givenFlow({ language });
    const { end } = await walk(given, await given.start(), 'details');
    const { version } = await given.read();
    const refused = await given.browser.submit(end, { ...TYPED.kyc.details, number: '', lastName: '' });
    expect([refused.answered, refused.status]).toEqual([303, 200]);
    expect(refused.errors.map(({ target }) => target)).toEqual(['field-number', 'field-lastName']);
    expect(refused.errors.map(({ message }) => message)).toEqual(messages);
    expect(await given.read()).toMatchObject({ version, drafts: { document: { type: 'id_card' } } });
    expect(refused.document.querySelector('[name="firstName"]')?.getAttribute('value')).toBe('Ada');
  });
});

it('the screen of the details shows the pictures of the document, and no other screen shows them', async () => {
  const given = await givenFlow();
  const { end } = await walk(given, await given.start(), 'details');
  const alternatives = [...end.document.querySelectorAll('main summary img')].map((img) =>
    img.getAttribute('alt'),
  );
  expect(alternatives).toEqual([
    'The front of your document, as you sent it',
    'The back of your document, as you sent it',
  ]);
  const source = end.document.querySelector('main img')?.getAttribute('src') ?? '';
  expect((await given.browser.open(source)).status).toBe(200);
  const first = await given.browser.open(given.address('document'));
  expect(first.document.querySelector('main img')).toBeNull();
});

describe('an answer that may be left out', () => {
  const ticked = (page: Shown, name: string) =>
    page.document.querySelector(`[name="${name}"]`)?.hasAttribute('checked');

  it('one name: an empty first name is refused until the box is ticked', async () => {
    const given = await givenFlow();
    const { end } = await walk(given, await given.start(), 'details');
    const typed = { ...TYPED.kyc.details, firstName: '' };
    const refused = await given.browser.submit(end, typed);
    expect(refused.errors.map(({ target }) => target)).toEqual(['field-firstName']);
    const next = await given.browser.submit(refused, { ...typed, 'firstName-absent': 'true' });
    expect(slugOf(next)).toBe('selfie');
    expect((await given.read()).steps.person?.answers).not.toHaveProperty('firstName');
    const again = await given.browser.open(given.address('details'));
    expect([ticked(again, 'firstName-absent'), ticked(again, 'expiresOn-absent')]).toEqual([true, false]);
  });

  it.each([
    ['en', 'Fill in “First name” or tick “I have only one name”, not both'],
    ['de', 'Füllen Sie „Vorname“ aus oder setzen Sie das Häkchen bei „Ich habe nur einen Namen“, nicht beides'],
  ])('a first name beside the ticked box is refused, and nothing is saved: %s', async (language, message) => {
    const given = await givenFlow({ language });
    const { end } = await walk(given, await given.start(), 'details');
    const before = await given.read();
    const typed = { ...TYPED.kyc.details, 'firstName-absent': 'true' };
    const refused = await given.browser.submit(end, typed);
    expect(refused.errors).toEqual([{ message, target: 'field-firstName' }]);
    expect(refused.document.querySelector('[name="firstName"]')?.getAttribute('value')).toBe('Ada');
    expect(ticked(refused, 'firstName-absent')).toBe(true);
    expect(await given.read()).toEqual(before);
  });

  it('a first name of a director beside the ticked box is refused at its field', async () => {
    const given = await givenFlow({ type: 'kyb' });
    const { end } = await walk(given, await given.start(), 'directors');
    const typed = { ...TYPED.kyb.directors, 'directors.0.firstName-absent': 'true' };
    const refused = await given.browser.submit(end, typed);
    expect(refused.errors.map(({ target }) => target)).toEqual(['field-directors-0-firstName']);
  });

  it('no expiry date: offered for a card, not for a passport', async () => {
    const none = { 'expiresOn.day': '', 'expiresOn.month': '', 'expiresOn.year': '', 'expiresOn-absent': 'true' };
    const card = await givenFlow();
    const atCard = await walk(card, await card.start(), 'details');
    expect(slugOf(await card.browser.submit(atCard.end, { ...TYPED.kyc.details, ...none }))).toBe('selfie');

    const passport = await givenFlow();
    const typed = { ...passport.typed, document: { type: 'passport', issuingCountry: 'PL' } };
    const { end } = await walk({ ...passport, typed }, await passport.start(), 'details');
    expect(end.document.querySelector('[name="expiresOn-absent"]')).toBeNull();
    const { 'expiresOn-absent': _, ...empty } = none;
    const refused = await passport.browser.submit(end, { ...TYPED.kyc.details, ...empty });
    expect(refused.errors.map(({ target }) => target)).toEqual(['field-expiresOn']);
  });

  it('a person of a company with one name', async () => {
    const given = await givenFlow({ type: 'kyb' });
    const { end } = await walk(given, await given.start(), 'directors');
    const typed = { ...TYPED.kyb.directors, 'directors.0.firstName': '' };
    const refused = await given.browser.submit(end, typed);
    expect(refused.errors.map(({ target }) => target)).toEqual(['field-directors-0-firstName']);
    const next = await given.browser.submit(refused, { ...typed, 'directors.0.firstName-absent': 'true' });
    expect(slugOf(next)).toBe('owners');
  });
});

describe('a redo of one thing', () => {
  async function asked(items: ActionNeeded['items'], message?: string): Promise<GivenFlow> {
    const given = await givenFlow();
    await walk(given, await given.start());
    const { version } = await given.read();
    const seen = { verificationId: given.id, version };
    await reviewAs(given.countersign).askForAction(seen, { items, message });
    return given;
  }

  it('a picture: the link opens its screen with the reason and the message, then the page of all answers, then done', async () => {
    const given = await asked(
      [{ step: 'document', reasonCode: 'document_glare', field: 'backFileId' }],
      'By daylight',
    );
    const screen = await given.browser.open(await given.link());
    expect(slugOf(screen)).toBe('document-back');
    expect(screen.html).toContain('shows a reflection');
    expect(screen.html).toContain('By daylight');
    const again = await given.browser.open(`${given.address('document-back')}?again`);
    const check = await given.browser.submit(await given.browser.upload(again, newJpeg()));
    expect(slugOf(check)).toBe('check');
    expect((await given.browser.submit(check)).heading).toBe('Thank you, we have received everything');
    const { document } = submittedDataOf(await given.read());
    expect(document).toMatchObject({ number: 'ABC123456', expiresOn: '2033-01-31' });
  });

  it('a field: the other step of its screen is read-only', async () => {
    const given = await asked([{ step: 'person', reasonCode: 'data_mismatch', field: 'lastName' }]);
    const details = await given.browser.open(await given.link());
    expect(slugOf(details)).toBe('details');
    expect(details.document.querySelector('[name="number"]')).toBeNull();
    expect(details.document.querySelector('#page-form dl')?.textContent).toContain('ABC123456');
    const check = await given.browser.submit(details, { lastName: 'Hopper' });
    expect(slugOf(check)).toBe('check');
    expect((await given.read()).steps.person?.answers).toMatchObject({ lastName: 'Hopper', firstName: 'Ada' });
  });

  it('two things: the link begins with the status', async () => {
    const given = await asked([
      { step: 'selfie', reasonCode: 'selfie_unclear' },
      { step: 'document', reasonCode: 'document_glare', field: 'backFileId' },
    ]);
    expect(slugOf(await given.browser.open(await given.link()))).toBe('');
  });

  it('a whole document that keeps its pictures leads to the picture with the reason, once', async () => {
    const given = await asked([{ step: 'document', reasonCode: 'document_glare' }]);
    let page = await given.browser.open(given.address('document'));
    for (const slug of ['document', 'document-front', 'document-back']) {
      expect(slugOf(page)).toBe(slug);
      page = await given.browser.submit(page, slug === 'document' ? TYPED.kyc.document : {});
    }
    const refused = await given.browser.submit(page);
    expect(slugOf(refused)).toBe('document-front');
    expect(refused.errors).toEqual([
      { message: expect.stringContaining('shows a reflection'), target: 'field-file' },
    ]);
    const details = await given.browser.open(given.address('details'));
    await given.browser.submit(details);
    expect(await given.read()).toMatchObject({ awaiting: [] });
  });
});
