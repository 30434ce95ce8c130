// Sends each invalid answer to its page in both types of flow.
import { personOf, type Typed } from '@countersign/test-support/pages/page-answers';
import { describe, expect, it } from 'vitest';
import { givenFlow, walk } from '../../test-support/flow.ts';
import type { PageDocument } from '../../test-support/page-document.ts';
import { countryCode } from '../forms/country-names.ts';

const BIRTH = {
  'dateOfBirth.day': '3',
  'dateOfBirth.month': '2',
  'dateOfBirth.year': '1985',
  'placeOfBirth.city': 'Kraków',
  'placeOfBirth.country': 'PL',
};

const owner = (row: number, percent: string) => ({
  ...personOf(`beneficialOwners.${row}`),
  [`beneficialOwners.${row}.ownershipPercent`]: percent,
  [`beneficialOwners.${row}.controlType`]: 'direct_shares',
  [`beneficialOwners.${row}.country`]: 'DE',
});

describe('an invalid answer: the same page with a message, and everything that was typed', () => {
  it.each<[type: 'kyc' | 'kyb', slug: string, typed: Typed, target: string, en: string, de: string]>([
    [
      'kyc',
      'consent',
      {},
      'field-accepted',
      'Tick the box if you agree. Without your consent we cannot continue',
      'Bitte setzen Sie das Häkchen, wenn Sie einwilligen. Ohne Ihre Einwilligung geht es nicht weiter',
    ],
    ['kyc', 'name', { firstName: 'Ada' }, 'field-lastName', 'Last name is missing', 'Nachname fehlt'],
    [
      'kyc',
      'name',
      { firstName: 'x'.repeat(101), lastName: 'Y' },
      'field-firstName',
      'First name must have at most 100 characters',
      'Vorname: höchstens 100 Zeichen',
    ],
    [
      'kyc',
      'birth',
      { ...BIRTH, 'dateOfBirth.year': '2030' },
      'field-dateOfBirth',
      'Date of birth must be in the past',
      'Geburtsdatum muss in der Vergangenheit liegen',
    ],
    [
      'kyc',
      'birth',
      { ...BIRTH, 'dateOfBirth.year': '2010' },
      'field-dateOfBirth',
      'You must be at least 18 years old',
      'Sie müssen mindestens 18 Jahre alt sein',
    ],
    [
      'kyc',
      'birth',
      { ...BIRTH, 'dateOfBirth.day': '30' },
      'field-dateOfBirth',
      'Date of birth must be a date that exists, with day, month and a year of four digits',
      'Geburtsdatum muss ein Datum sein, das es gibt, mit Tag, Monat und vierstelligem Jahr',
    ],
    [
      'kyc',
      'birth',
      { ...BIRTH, 'dateOfBirth.month': '' },
      'field-dateOfBirth',
      'Date of birth must be a date that exists, with day, month and a year of four digits',
      'Geburtsdatum muss ein Datum sein, das es gibt, mit Tag, Monat und vierstelligem Jahr',
    ],
    [
      'kyc',
      'birth',
      { ...BIRTH, 'dateOfBirth.year': '90' },
      'field-dateOfBirth',
      'Date of birth must be a date that exists, with day, month and a year of four digits',
      'Geburtsdatum muss ein Datum sein, das es gibt, mit Tag, Monat und vierstelligem Jahr',
    ],
    [
      'kyc',
      'birth',
      { ...BIRTH, 'dateOfBirth.year': '1899' },
      'field-dateOfBirth',
      'Date of birth must not be before 1900',
      'Geburtsdatum darf nicht vor 1900 liegen',
    ],
    [
      'kyb',
      'registration',
      {
        countryOfIncorporation: 'DE',
        registrationNumber: 'HRB 1',
        'incorporatedOn.day': '1',
        'incorporatedOn.month': '4',
        'incorporatedOn.year': '1066',
      },
      'field-incorporatedOn',
      'Date of registration must not be before 1600',
      'Datum der Eintragung darf nicht vor 1600 liegen',
    ],
    [
      'kyc',
      'birth',
      { ...BIRTH, 'placeOfBirth.country': 'Atlantis' },
      'field-placeOfBirth-country',
      'Country of birth: no country has this name. Choose one from the list',
      'Geburtsland: Kein Land heißt so. Wählen Sie eines aus der Liste',
    ],
    [
      'kyc',
      'nationality',
      {},
      'field-nationalities-0',
      'Choose at least one nationality',
      'Bitte wählen Sie mindestens eine Staatsangehörigkeit',
    ],
    [
      'kyc',
      'contact',
      { email: 'nobody', phone: '' },
      'field-email',
      'E-mail address must look like name@example.org',
      'E-Mail-Adresse muss aussehen wie name@example.org',
    ],
    [
      'kyc',
      'contact',
      { phone: '0151 123' },
      'field-phone',
      'Phone number must begin with + and the country code, such as +44 20 7946 0000',
      'Telefonnummer muss mit + und der Ländervorwahl beginnen, zum Beispiel +49 30 1234567',
    ],
    [
      'kyc',
      'document',
      { issuingCountry: 'PL' },
      'field-type',
      'Choose which document you have',
      'Bitte wählen Sie, welches Dokument Sie haben',
    ],
    [
      'kyc',
      'document-details',
      { number: '1', 'expiresOn.day': '1', 'expiresOn.month': '1', 'expiresOn.year': '2020' },
      'field-expiresOn',
      'This document has expired. Use one that is still valid',
      'Dieses Dokument ist abgelaufen. Bitte benutzen Sie ein gültiges',
    ],
    [
      'kyb',
      'numbers',
      { lei: '529900T8BM49AURSDO56' },
      'field-lei',
      'Legal Entity Identifier (LEI) is not valid. Check all 20 characters',
      'Rechtsträgerkennung (LEI) ist nicht gültig. Bitte prüfen Sie alle 20 Zeichen',
    ],
    [
      'kyb',
      'activity',
      { activity: 'Machines', website: 'not a web site' },
      'field-website',
      'Website must be a web address, such as https://www.example.org',
      'Internetseite muss eine Internetadresse sein, zum Beispiel https://www.example.org',
    ],
    [
      'kyb',
      'operating-address',
      {},
      'field-operating-choice',
      'Choose whether it is the same address',
      'Bitte wählen Sie, ob es dieselbe Adresse ist',
    ],
    [
      'kyb',
      'operating-address',
      { 'operating-choice': 'other', 'operating.city': 'Bonn', 'operating.country': 'DE' },
      'field-operating-line1',
      'Street and house number is missing',
      'Straße und Hausnummer fehlt',
    ],
    [
      'kyb',
      'directors',
      {},
      'field-directors',
      'Name at least one director',
      'Bitte nennen Sie mindestens ein Mitglied der Leitung',
    ],
    [
      'kyb',
      'directors',
      { ...personOf('directors.0'), 'directors.0.dateOfBirth.year': '2040' },
      'field-directors-0-dateOfBirth',
      'Director 1: Date of birth must be in the past',
      'Mitglied der Leitung 1: Geburtsdatum muss in der Vergangenheit liegen',
    ],
    [
      'kyb',
      'owners',
      owner(0, '110'),
      'field-beneficialOwners-0-ownershipPercent',
      'Owner 1: Share in percent must be more than zero and at most 100, such as 33.3',
      'Eigentümer 1: Anteil in Prozent muss größer als null und höchstens 100 sein, zum Beispiel 33,3',
    ],
    [
      'kyb',
      'owners',
      owner(0, 'half'),
      'field-beneficialOwners-0-ownershipPercent',
      'Owner 1: Share in percent must be more than zero and at most 100, such as 33.3',
      'Eigentümer 1: Anteil in Prozent muss größer als null und höchstens 100 sein, zum Beispiel 33,3',
    ],
    [
      'kyb',
      'owners',
      {},
      'field-beneficialOwners',
      'Name each owner, or tick that no person owns more than 25%',
      'Bitte nennen Sie alle Eigentümer, oder kreuzen Sie an, dass niemandem mehr als 25 % gehören',
    ],
    [
      'kyb',
      'owners',
      { ...owner(0, '60'), noBeneficialOwner: 'true' },
      'field-noBeneficialOwner',
      'You named owners and ticked that there are none. Remove one or the other',
      'Sie haben Eigentümer genannt und angekreuzt, dass es keine gibt. Bitte entfernen Sie das eine oder das andere',
    ],
  ])('%s %s %j', async (type, slug, typed, target, en, de) => {
    for (const [language, message, word] of [
      ['en', en, 'Error: '],
      ['de', de, 'Fehler: '],
    ] as const) {
      const given = await givenFlow({ type, language, flowVersion: 1 });
      const { end } = await walk(given, await given.start(), slug);
      const before = await given.read();
      const again = await given.browser.submit(end, typed);
      expect([again.answered, again.status]).toEqual([303, 200]);
      expect(again.address).toBe(end.address);
      expect(again.errors).toContainEqual({ message, target });
      expect(again.document.getElementById(target)).not.toBeNull();
      expect(again.document.querySelector('title')?.textContent?.startsWith(word)).toBe(true);
      expect(again.document.querySelector('.error-summary')?.hasAttribute('autofocus')).toBe(true);
      for (const [name, value] of Object.entries(typed)) {
        expect(heldBy(again.document, name), name).toBe(value);
      }
      expect(await given.read()).toEqual(before);
      // Shown once: Back and a reload show the page without messages.
      const later = await given.browser.open(given.address(slug));
      expect([later.errors, later.document.querySelector('title')?.textContent?.startsWith(word)]).toEqual([
        [],
        false,
      ]);
      expect(given.faults).toEqual([]);
    }
  });
});

/** What a field of the page holds now. */
function heldBy(document: PageDocument, name: string): string | null {
  const field = document.querySelector(`[name="${name}"]`);
  const type = field?.getAttribute('type');
  if (type === 'radio' || type === 'checkbox') {
    return document.querySelector(`[name="${name}"][checked]`)?.getAttribute('value') ?? null;
  }
  if (field?.tagName === 'TEXTAREA') return field.textContent;
  if (field?.tagName === 'SELECT') return field.querySelector('option[selected]')?.getAttribute('value') ?? null;
  const held = field?.getAttribute('value') ?? null;
  return held !== null && field?.hasAttribute('list') ? countryCode(held) : held;
}

describe('rows of people', () => {
  it('buttons of the form add and remove rows and keep everything that was typed', async () => {
    const given = await givenFlow({ type: 'kyb', flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'owners');
    const add = { name: 'rows', value: 'add:beneficialOwners' };
    const two = await given.browser.submit(end, { ...owner(0, '60') }, add);
    expect(two.status).toBe(200);
    expect(heldBy(two.document, 'beneficialOwners.0.ownershipPercent')).toBe('60');
    expect(two.document.querySelector('[name="beneficialOwners.1.firstName"]')?.hasAttribute('autofocus')).toBe(
      true,
    );

    const tooMuch = await given.browser.submit(two, {
      ...owner(1, '50'),
      'beneficialOwners.1.firstName': 'Second',
    });
    expect(tooMuch.errors).toEqual([
      { message: 'Direct shares add up to more than 100%. Check them', target: 'field-beneficialOwners' },
    ]);
    // The Enter key in a field presses the first button.
    const buttons = [...tooMuch.document.querySelectorAll('#page-form button')];
    expect(buttons.map((button) => button.getAttribute('value'))).toEqual([
      null,
      'remove:beneficialOwners.0',
      'remove:beneficialOwners.1',
      'add:beneficialOwners',
      null,
    ]);
    expect(buttons[0]?.hasAttribute('hidden')).toBe(false);
    const remove = { name: 'rows', value: 'remove:beneficialOwners.0' };
    const one = await given.browser.submit(tooMuch, {}, remove);
    expect(heldBy(one.document, 'beneficialOwners.0.firstName')).toBe('Second');
    expect(one.document.querySelector('[name="beneficialOwners.1.firstName"]')).toBeNull();

    expect((await given.browser.submit(one)).address).toMatch(/\/registration-extract$/);
    const kept = (await given.read()).steps.ownership?.answers.beneficialOwners;
    expect(kept).toEqual([expect.objectContaining({ firstName: 'Second', ownershipPercent: 50 })]);
  });

  it('the flow asks for the managers without a beneficial owner', async () => {
    const given = await givenFlow({ type: 'kyb', flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'owners');
    const managers = await given.browser.submit(end, { noBeneficialOwner: 'true' });
    expect(managers.heading).toBe('Who manages the business?');
    expect((await given.browser.submit(managers)).errors).toEqual([
      { message: 'Name at least one person in charge', target: 'field-seniorManagers' },
    ]);
    const next = await given.browser.submit(managers, personOf('seniorManagers.0'));
    expect(next.address).toMatch(/\/registration-extract$/);
  });

  it('several nationalities: saved in their order, without empty ones', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'nationality');
    const add = { name: 'rows', value: 'add:nationalities' };
    const two = await given.browser.submit(end, { 'nationalities.0': 'PL' }, add);
    const three = await given.browser.submit(two, {}, add);
    const next = await given.browser.submit(three, { 'nationalities.2': 'JP' });
    expect(next.address).toMatch(/\/contact$/);
    expect((await given.read()).drafts.person).toMatchObject({ nationalities: ['PL', 'JP'] });
  });
});

it('an operating address that differs from the registered one is saved', async () => {
  const given = await givenFlow({ type: 'kyb', flowVersion: 1 });
  const { end } = await walk(given, await given.start(), 'operating-address');
  const typed = {
    'operating-choice': 'other',
    'operating.line1': 'Hafen 2',
    'operating.city': 'Bonn',
    'operating.country': 'DE',
  };
  expect((await given.browser.submit(end, typed)).address).toMatch(/\/directors$/);
  expect((await given.read()).steps.addresses?.answers).toMatchObject({ operating: { city: 'Bonn' } });
});

it('an answer with markup is shown as text', async () => {
  const given = await givenFlow({ flowVersion: 1 });
  const { end } = await walk(given, await given.start(), 'name');
  const evil = '"><script>alert(1)</script>';
  const wrong = await given.browser.submit(end, { firstName: evil });
  expect(wrong.document.querySelector('[name="firstName"]')?.getAttribute('value')).toBe(evil);
  expect(wrong.html).not.toContain('<script>alert');
});
