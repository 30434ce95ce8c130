import type { ActionNeeded, SubjectType } from '@countersign/domain';
import type { Typed } from '@countersign/test-support/pages/page-answers';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { reviewAs } from '@countersign/test-support/service/operations';
import { describe, expect, it } from 'vitest';
import { type GivenFlow, givenFlow, takePage, walk } from '../../test-support/flow.ts';
import type { PageElement } from '../../test-support/page-document.ts';
import type { Shown } from '../../test-support/subject-browser.ts';

/** The least that a subject must type or choose, by the slug of a screen. */
const NEEDED: Readonly<Record<SubjectType, Readonly<Record<string, Typed>>>> = {
  kyc: {
    consent: { accepted: 'true' },
    document: { type: 'id_card', issuingCountry: 'PL' },
    details: {
      number: 'ABC123456',
      ...date('expiresOn', '2033'),
      firstName: 'Zoë',
      lastName: 'Núñez',
      ...date('dateOfBirth', '1987'),
      'nationalities.0': 'PL',
    },
    address: { line1: 'ul. Długa 1', postalCode: '80-827', city: 'Gdańsk', country: 'PL' },
    check: { accepted: 'true' },
  },
  kyb: {
    consent: {
      accepted: 'true',
      'representative.firstName': 'Grace',
      'representative.lastName': 'Hopper',
      'representative.role': 'Director',
      'representative.email': 'grace@example.org',
    },
    business: {
      legalName: 'Übermut GmbH',
      legalForm: 'GmbH',
      countryOfIncorporation: 'DE',
      registrationNumber: 'HRB 4711',
    },
    activity: { activity: 'Bread and cake' },
    addresses: {
      'registered.line1': 'Hauptstraße 1',
      'registered.postalCode': '50667',
      'registered.city': 'Köln',
      'registered.country': 'DE',
      'operating-choice': 'same',
    },
    directors: person('directors.0'),
    owners: {
      ...person('beneficialOwners.0'),
      'beneficialOwners.0.ownershipPercent': '75',
      'beneficialOwners.0.controlType': 'direct_shares',
      'beneficialOwners.0.country': 'DE',
    },
    document: { 'document.type': 'id_card', 'document.issuingCountry': 'US' },
    details: { 'document.number': 'P1234567', ...date('document.expiresOn', '2032') },
    check: { accepted: 'true' },
  },
};

const PLACE_OF_BIRTH: Typed = { 'placeOfBirth.city': 'Gdańsk', 'placeOfBirth.country': 'PL' };

function date(name: string, year: string): Typed {
  return { [`${name}.day`]: '1', [`${name}.month`]: '2', [`${name}.year`]: year };
}

function person(row: string): Typed {
  return {
    [`${row}.firstName`]: 'Grace',
    [`${row}.lastName`]: 'Hopper',
    ...date(`${row}.dateOfBirth`, '1986'),
    [`${row}.nationality`]: 'US',
  };
}

interface Case {
  readonly type?: SubjectType;
  readonly placeOfBirth?: boolean;
  /** Replaces or adds what is needed on a screen. */
  readonly typed?: Readonly<Record<string, Typed>>;
}

async function givenNeeded({ type = 'kyc', placeOfBirth = false, typed = {} }: Case = {}): Promise<GivenFlow> {
  const given = await givenFlow({ type });
  await given.countersign.flowSettings.change(given.clientId, {
    placeOfBirth,
    proofOfAddress: false,
    readingIsAdvice: false,
    familyNameIndex: false,
    warningsInDetails: false,
  });
  const needed = { ...NEEDED[type] };
  for (const [slug, more] of Object.entries(typed)) needed[slug] = { ...needed[slug], ...more };
  return { ...given, typed: needed };
}

const slugOf = ({ address }: Shown): string => address.split('?')[0]?.split('/')[3] ?? '';

interface Effort {
  /** The screens that were shown, in their order: the first page and the last one have no slug. */
  readonly screens: readonly string[];
  /** The fields that were typed or chosen. A date is one. */
  readonly inputs: readonly string[];
}

/** Answers what is needed from the link to the end, and lists what that took. A field that is filled in already is no input. */
async function effortOf(given: GivenFlow): Promise<Effort> {
  const screens: string[] = [];
  const inputs: string[] = [];
  let page = await given.browser.open(await given.link());
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    screens.push(slugOf(page));
    if (page.document.querySelector('main form') === null) return { screens, inputs };
    const isConsent = page.document.querySelector('main [name="version"], main [name="accepted"]') !== null;
    const slug = slugOf(page) === '' && isConsent ? 'consent' : slugOf(page);
    const typed = given.typed[slug] ?? {};
    const form = page.document.querySelector('#page-form');
    const open = Object.entries(typed).filter(([name, value]) => form === null || !holds(form, name, value));
    inputs.push(...new Set(open.map(([name]) => `${slug}: ${name.replace(/\.(day|month|year)$/, '')}`)));
    const next = slug === 'consent' ? await given.browser.submit(page, typed) : await takePage(given, page);
    expect(next.errors, slug).toEqual([]);
    page = next;
  }
  throw new Error(`More than ${PAGES_MAX} screens: ${screens.join(', ')}`);
}

const PAGES_MAX = 40;

/** Whether the page proposes the value. */
function holds(form: PageElement, name: string, value: string): boolean {
  const fields = form.querySelectorAll(`[name="${name}"]`);
  return [...fields].some((field) =>
    field.tagName === 'SELECT'
      ? field.querySelector('option[selected]')?.getAttribute('value') === value
      : field.getAttribute('value') === value && !/^(radio|checkbox)$/.test(field.getAttribute('type') ?? ''),
  );
}

describe('without a reading, a flow takes at most', () => {
  it.each([
    ['9 screens and 14 inputs with a card', {}, 9, 14],
    [
      '8 screens and 14 inputs with a passport',
      { typed: { document: { type: 'passport', issuingCountry: 'PL' } } },
      8,
      14,
    ],
    [
      '9 screens and 16 inputs with a card and the place of birth',
      { placeOfBirth: true, typed: { details: PLACE_OF_BIRTH } },
      9,
      16,
    ],
    ['24 screens and 42 inputs for a company with one owner', { type: 'kyb' }, 24, 42],
  ] as const)('%s', async (_name, options, screens, inputs) => {
    const given = await givenNeeded(options);
    const effort = await effortOf(given);
    expect((await given.read()).status).toBe('submitted');
    expect(effort.screens.length, effort.screens.join(', ')).toBeLessThanOrEqual(screens);
    expect(effort.inputs.length, effort.inputs.join(', ')).toBeLessThanOrEqual(inputs);
  });

  it('no field of them can be left out', async () => {
    const given = await givenNeeded();
    const { end } = await walk(given, await given.start(), 'details');
    for (const name of Object.keys(NEEDED.kyc.details ?? {})) {
      const { [name]: _, ...rest } = NEEDED.kyc.details ?? {};
      expect((await given.browser.submit(end, rest)).errors, name).toHaveLength(1);
    }
  });
});

/** Puts the form that uses the picture before the one that asks for another. */
function withUseFormFirst(page: Shown): Shown {
  const form = page.document.querySelector('main form[method="post"]');
  return { ...page, document: { ...page.document, querySelector: () => form } };
}

describe('a redo of one thing', () => {
  it.each([
    ['a picture', { step: 'document', field: 'backFileId', reasonCode: 'document_glare' }, 'document-back'],
    ['an answer', { step: 'person', field: 'lastName', reasonCode: 'data_mismatch' }, 'details'],
  ] as const satisfies readonly (readonly [string, ActionNeeded['items'][number], string])[])(
    '%s takes three screens, and the last one before it is sent lists only that',
    async (_name, item, slug) => {
      const given = await givenNeeded();
      await walk(given, await given.start());
      given.clock.advance(60_000);
      const { version } = await given.read();
      await reviewAs(given.countersign).askForAction({ verificationId: given.id, version }, { items: [item] });

      const isPicture = slug === 'document-back';
      const first = await given.browser.open(await given.link());
      expect(first.html).toContain(isPicture ? 'shows a reflection' : 'do not match the document');
      expect([...first.document.querySelectorAll('.notice .answer-picture')]).toHaveLength(isPicture ? 1 : 0);
      const check = isPicture
        ? await given.browser.submit(await given.browser.upload(first, newJpeg()))
        : await given.browser.submit(first, { lastName: 'Hopper' });
      const done = await given.browser.submit(check);
      expect([first, check, done].map(slugOf)).toEqual([slug, 'check', '']);

      expect(check.html).toContain('Everything else stays as it was');
      const sections = [...check.document.querySelectorAll('.answers h2')].map(({ textContent }) => textContent);
      expect(sections).toEqual([isPicture ? 'Identity document' : 'About you']);
      expect([...check.document.querySelectorAll('.answers .answer-page')]).toHaveLength(1);
      expect(check.document.querySelector('[name="accepted"]')).toBeNull();
      expect(done.heading).toBe('Thank you, we have received everything');
    },
  );

  it('a picture: the earlier one can be kept, which is refused once with the reason', async () => {
    const given = await givenNeeded();
    await walk(given, await given.start());
    given.clock.advance(60_000);
    const { version } = await given.read();
    await reviewAs(given.countersign).askForAction(
      { verificationId: given.id, version },
      { items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }] },
    );
    const first = await given.browser.open(await given.link());
    const keep = first.document.querySelector('a[href$="?earlier"]')?.getAttribute('href') ?? '';
    const earlier = await given.browser.open(keep);
    expect(earlier.document.querySelector('.taken-picture')).not.toBeNull();
    const refused = await given.browser.submit(withUseFormFirst(earlier));
    expect(refused.errors).toEqual([
      { message: expect.stringContaining('could not see your face clearly'), target: 'field-file' },
    ]);
    const kept = await given.browser.submit(withUseFormFirst(await given.browser.open(keep)));
    expect(slugOf(kept)).toBe('check');
  });
});
