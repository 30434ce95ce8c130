import { addressFormatOf, COUNTRIES } from '@countersign/domain/flows';
import { describe, expect, it } from 'vitest';
import { givenFlow, walk } from '../../test-support/flow.ts';
import type { Shown } from '../../test-support/subject-browser.ts';
import { LANGUAGES } from '../site/language.ts';
import { MESSAGES } from '../site/messages.ts';

const UPDATE = { name: 'rows', value: 'update' };

async function atAddress(options: Parameters<typeof givenFlow>[0] = {}) {
  const given = await givenFlow(options);
  const { end } = await walk(given, await given.start(), 'address');
  return { given, page: end };
}

/** Returns the names of the fields in the form's order; those in `<details>` in brackets. */
function namesOf({ document }: Shown): readonly string[] {
  const folded = new Set(
    [...document.querySelectorAll('#page-form details input')].map((field) => field.getAttribute('name')),
  );
  return [...document.querySelectorAll('#page-form input:not([type=hidden])')].map((field) => {
    const name = field.getAttribute('name') ?? '';
    return folded.has(name) ? `(${name})` : name;
  });
}

function labelOf({ document }: Shown, name: string): string | undefined {
  return document.querySelector(`label[for="field-${name}"]`)?.textContent;
}

const heldBy = ({ document }: Shown, name: string): string | null | undefined =>
  document.querySelector(`[name="${name}"]`)?.getAttribute('value');

describe('the address of a person', () => {
  it('the country comes first and decides the order of the others', async () => {
    const { given, page } = await atAddress({ language: 'de' });
    expect(namesOf(page)).toEqual(['country', 'line1', 'postalCode', 'city', '(line2)', '(region)']);
    expect(labelOf(page, 'postalCode')).toBe('Postleitzahl');
    const american = await given.browser.submit(page, { country: 'usa', city: 'Boston' }, UPDATE);
    expect(namesOf(american)).toEqual(['country', 'line1', 'city', 'region', 'postalCode', '(line2)']);
    expect(labelOf(american, 'postalCode')).toBe('ZIP-Code');
    expect(labelOf(american, 'region')).toBe('Bundesstaat');
    expect([heldBy(american, 'country'), heldBy(american, 'city')]).toEqual(['Vereinigte Staaten', 'Boston']);
    expect(american.errors).toEqual([]);
    expect((await given.read()).drafts.address).toBeUndefined();
  });

  it('asks for what the country requires, with its words', async () => {
    const { given, page } = await atAddress();
    const refused = await given.browser.submit(page, {
      country: 'Ireland',
      line1: '1 Main Street',
      city: 'Cork',
      postalCode: '1',
    });
    expect(refused.errors).toEqual([{ message: 'Enter an Eircode such as A65 F4E2', target: 'field-postalCode' }]);
    expect(labelOf(refused, 'region')).toBe('County (optional)');
    const american = await given.browser.submit(refused, { country: 'us', postalCode: '' });
    expect(american.errors).toEqual([
      { message: 'State is missing', target: 'field-region' },
      { message: 'ZIP code is missing', target: 'field-postalCode' },
    ]);
    const german = await given.browser.submit(american, { country: 'Deutschland', postalCode: '1011' });
    expect(german.errors).toEqual([{ message: 'Enter a postal code such as 26133', target: 'field-postalCode' }]);
    const british = { country: 'uk', city: 'London', postalCode: 'sw1a1aa' };
    expect((await given.browser.submit(german, british)).address).toMatch(/\/proof-of-address$/);
    expect((await given.read()).drafts.address).toMatchObject({ country: 'GB', postalCode: 'sw1a1aa' });
  });

  it('folds no field with an answer', async () => {
    const { given, page } = await atAddress();
    expect(page.document.querySelector('#page-form details')?.hasAttribute('open')).toBe(false);
    const shown = await given.browser.submit(page, { country: 'DE', line2: 'c/o Hopper' }, UPDATE);
    expect(shown.document.querySelector('#page-form details')?.hasAttribute('open')).toBe(true);
  });

  it('stays as it was in flow version 1', async () => {
    const { given, page } = await atAddress({ flowVersion: 1 });
    expect(namesOf(page)).toEqual(['line1', 'line2', 'postalCode', 'city', 'region', 'country']);
    const typed = { line1: 'Hauptstraße 1', city: 'Köln', country: 'DE' };
    expect((await given.browser.submit(page, typed)).address).toMatch(/\/proof-of-address$/);
  });
});

it('the addresses of a business have the fields of their countries', async () => {
  const given = await givenFlow({ type: 'kyb' });
  const { end } = await walk(given, await given.start(), 'addresses');
  const refused = await given.browser.submit(end, {
    'registered.country': 'DE',
    'registered.line1': 'Hauptstraße 1',
    'registered.city': 'Köln',
    'operating-choice': 'other',
    'operating.country': 'India',
    'operating.line1': '1 MG Road',
    'operating.city': 'Pune',
    'operating.region': 'Maharashtra',
    'operating.postalCode': '1',
  });
  expect(refused.errors).toEqual([
    { message: 'Postal code is missing', target: 'field-registered-postalCode' },
    { message: 'Enter a PIN code such as 110034', target: 'field-operating-postalCode' },
  ]);
});

describe('a country', () => {
  it('an open answer is proposed, and marked as such', async () => {
    const given = await givenFlow({ creation: { locale: 'de-AT' } });
    const { end } = await walk(given, await given.start(), 'document');
    expect(heldBy(end, 'issuingCountry')).toBe('Österreich');
    expect(end.document.getElementById('field-issuingCountry-hint')?.textContent).toBe('Vorschlag: bitte prüfen');
    const next = await given.browser.submit(end, { type: 'passport', issuingCountry: 'Schweiz' });
    expect(next.address).toMatch(/\/document-front$/);
    const again = await given.browser.open(given.address('document'));
    expect(heldBy(again, 'issuingCountry')).toBe('Schweiz');
    expect(again.document.getElementById('field-issuingCountry-hint')).toBeNull();
  });

  it('nothing is proposed for what only the person knows', async () => {
    const given = await givenFlow({ creation: { locale: 'de-AT' } });
    const { end } = await walk(given, await given.start(), 'details');
    expect([heldBy(end, 'nationalities.0'), heldBy(end, 'placeOfBirth.country')]).toEqual(['', '']);
  });

  it('a name that means several is refused with their names', async () => {
    const given = await givenFlow();
    const { end } = await walk(given, await given.start(), 'document');
    const refused = await given.browser.submit(end, { type: 'passport', issuingCountry: 'congo' });
    expect(refused.errors).toEqual([
      {
        message: 'Several countries have names like this: choose Congo - Kinshasa or Congo - Brazzaville',
        target: 'field-issuingCountry',
      },
    ]);
    expect(heldBy(refused, 'issuingCountry')).toBe('congo');
  });
});

it('every word of a country for a part of its addresses has a text in each language', () => {
  const words = COUNTRIES.flatMap((country) =>
    Object.entries(addressFormatOf(country).words).map((pair) => pair.join('.')),
  );
  for (const language of LANGUAGES) {
    const { address } = (MESSAGES[language] as { verify: { address: Record<string, Record<string, string>> } })
      .verify;
    const texts = Object.entries(address).flatMap(([part, of]) =>
      Object.keys(of).map((word) => `${part}.${word}`),
    );
    expect([...new Set(words)].filter((word) => !texts.includes(word))).toEqual([]);
    const codes = words.filter((word) => word.startsWith('postal-code.')).map((word) => word.split('.')[1]);
    expect([...new Set(codes)].filter((word) => !texts.includes(`wrong.${word}`))).toEqual([]);
  }
});

it('the answers to check have the words and the order of the country', async () => {
  const { given, page } = await atAddress();
  const american = { country: 'US', line1: '1 Main Street', city: 'Boston', region: 'MA', postalCode: '02108' };
  const { end } = await walk(given, await given.browser.submit(page, american), 'check');
  const terms = [...end.document.querySelectorAll('dt')].map((term) => term.textContent);
  const at = terms.indexOf('Street and house number');
  expect(terms.slice(at - 1, at + 4)).toEqual([
    'Country',
    'Street and house number',
    'Town or city',
    'State',
    'ZIP code',
  ]);
});
