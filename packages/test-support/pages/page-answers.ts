import type { SubjectType } from '@countersign/domain';

/** The values of form fields, by name. */
export type Typed = Readonly<Record<string, string>>;

/** A subject's answers, by the page's slug: the screens of flow version 1. The other pages ask for files. */
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
    document: { 'document.type': 'passport', 'document.issuingCountry': 'US' },
    'document-details': { 'document.number': 'P1234567', ...dateOf('document.expiresOn', '2032', '6', '30') },
    check: { accepted: 'true' },
  },
};

const { kyc, kyb } = PAGE_ANSWERS;

/**
 * A subject's answers, by the screen's slug, in all versions of the flows: servers ignore fields that a screen does not have. The other
 * screens ask for files.
 */
export const ANSWERS: Readonly<Record<SubjectType, Readonly<Record<string, Typed>>>> = {
  kyc: {
    ...kyc,
    details: { ...kyc['document-details'], ...kyc.name, ...kyc.birth, ...kyc.nationality, ...kyc.contact },
  },
  kyb: {
    ...kyb,
    consent: { ...kyb.consent, ...kyb['your-details'] },
    business: { ...kyb.business, ...kyb.registration },
    activity: { ...kyb.numbers, ...kyb.activity },
    addresses: { ...kyb['registered-address'], ...kyb['operating-address'] },
    details: { ...kyb['document-details'] },
  },
};

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
