import type { SubjectType } from '@countersign/domain';

/** The values of form fields, by name. */
export type Typed = Readonly<Record<string, string>>;

/**
 * A subject's answers, by the page's slug: the screens of flow version 1. The other pages ask for files. Written by
 * hand, because samples are values, not what people type: letters with accents, numbers with spaces, dates in parts.
 */
export const PAGE_ANSWERS: Readonly<Record<SubjectType, Readonly<Record<string, Typed>>>> = {
  kyc: {
    consent: { accepted: 'true' },
    name: { firstName: 'Zoë', middleNames: 'María', lastName: 'Núñez-Ødegård' },
    birth: {
      ...dateOf('dateOfBirth', '1987', '3', '27'),
      'placeOfBirth.city': 'Gdańsk',
      'placeOfBirth.country': 'PL',
    },
    nationality: { 'nationalities.0': 'PL' },
    contact: { email: 'zoe@example.org', phone: '+48 22 123 45 67' },
    address: { line1: 'ul. Długa 1', postalCode: '80-827', city: 'Gdańsk', country: 'PL' },
    document: { type: 'id_card', issuingCountry: 'PL' },
    'document-details': { number: 'ABC123456', ...dateOf('expiresOn', '2033', '1', '31') },
    check: { accepted: 'true' },
  },
  kyb: {
    consent: { accepted: 'true' },
    'your-details': {
      'representative.firstName': 'Grace',
      'representative.lastName': 'Hopper',
      'representative.role': 'Director',
      'representative.email': 'grace@example.org',
    },
    business: { legalName: 'Bäckerei Übermut GmbH & Co. KG', legalForm: 'GmbH & Co. KG', tradingNames: 'Übermut' },
    registration: {
      countryOfIncorporation: 'DE',
      registrationNumber: 'HRA 4711',
      ...dateOf('incorporatedOn', '2009', '10', '1'),
    },
    numbers: { vatNumber: 'DE136695976', lei: '529900T8BM49AURSDO55' },
    activity: { activity: 'Bread and cake', website: 'https://www.example.org' },
    'registered-address': {
      'registered.line1': 'Hauptstraße 1',
      'registered.postalCode': '50667',
      'registered.city': 'Köln',
      'registered.country': 'DE',
    },
    'operating-address': { 'operating-choice': 'same' },
    directors: personOf('directors.0'),
    owners: {
      ...personOf('beneficialOwners.0'),
      'beneficialOwners.0.ownershipPercent': '75',
      'beneficialOwners.0.controlType': 'direct_shares',
      'beneficialOwners.0.country': 'DE',
    },
    managers: personOf('seniorManagers.0'),
    document: { 'document.type': 'passport', 'document.issuingCountry': 'US' },
    'document-details': { 'document.number': 'P1234567', ...dateOf('document.expiresOn', '2032', '6', '30') },
    check: { accepted: 'true' },
  },
};

/** The pages of version 1 whose fields stand on a screen of version 2. Other screens have those of the page with their slug. */
const PAGES_ON: Readonly<Record<SubjectType, Readonly<Record<string, readonly string[]>>>> = {
  kyc: { details: ['document-details', 'name', 'birth', 'nationality', 'contact'] },
  kyb: {
    consent: ['consent', 'your-details'],
    business: ['business', 'registration'],
    activity: ['numbers', 'activity'],
    addresses: ['registered-address', 'operating-address'],
    details: ['document-details'],
  },
};

/**
 * Returns what a subject types on a screen of any version of a flow: servers ignore fields that a screen does not have. Undefined for a
 * screen that asks for a file.
 * @param answers replace the default ones, by the slug of a screen or of a page of version 1
 */
export function typedOn(
  type: SubjectType,
  slug: string,
  answers: Readonly<Record<string, Typed>> = {},
): Typed | undefined {
  if (answers[slug] !== undefined && PAGES_ON[type][slug] === undefined) return answers[slug];
  const pages = PAGES_ON[type][slug] ?? [slug];
  const typed = [...pages.map((page) => answers[page] ?? PAGE_ANSWERS[type][page]), answers[slug]];
  return typed.every((each) => each === undefined) ? undefined : Object.assign({}, ...typed);
}

/** A subject's answers, by the slug of a screen of any version of a flow. The other screens ask for files. */
export const ANSWERS: Readonly<Record<SubjectType, Readonly<Record<string, Typed>>>> = {
  kyc: { ...PAGE_ANSWERS.kyc, ...screensOf('kyc') },
  kyb: { ...PAGE_ANSWERS.kyb, ...screensOf('kyb') },
};

function screensOf(type: SubjectType): Record<string, Typed> {
  return Object.fromEntries(Object.keys(PAGES_ON[type]).map((slug) => [slug, typedOn(type, slug) ?? {}]));
}

/** Builds one row of a list of people. */
export function personOf(row: string, firstName = 'Grace'): Typed {
  return {
    [`${row}.firstName`]: firstName,
    [`${row}.lastName`]: 'Hopper',
    ...dateOf(`${row}.dateOfBirth`, '1986', '12', '9'),
    [`${row}.nationality`]: 'US',
  };
}

function dateOf(name: string, year: string, month: string, day: string): Typed {
  return { [`${name}.day`]: day, [`${name}.month`]: month, [`${name}.year`]: year };
}
