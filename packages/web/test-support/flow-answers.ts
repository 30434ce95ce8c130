import type { SubjectType } from '@countersign/domain';
import type { Typed } from './subject-browser.ts';

/** Test data: what is typed on each page of a flow. Pages that are not here ask for a file. */
export const TYPED: Readonly<Record<SubjectType, Readonly<Partial<Record<string, Typed>>>>> = {
  kyc: {
    consent: { accepted: 'true' },
    name: { firstName: ' Ada ', lastName: "O'Brien-Łukasz" },
    birth: {
      'dateOfBirth.day': '3',
      'dateOfBirth.month': '2',
      'dateOfBirth.year': '1985',
      'placeOfBirth.city': 'Kraków',
      'placeOfBirth.country': 'PL',
    },
    nationality: { 'nationalities.0': 'PL' },
    contact: { email: 'ada@example.org', phone: '0049 (151) 123-45678' },
    address: { line1: 'Unter den Linden 1', city: 'Berlin', postalCode: '10117', country: 'DE' },
    document: { type: 'id_card', issuingCountry: 'PL' },
    'document-details': {
      number: 'L01X00T47',
      'expiresOn.day': '31',
      'expiresOn.month': '5',
      'expiresOn.year': '2031',
    },
    check: { accepted: 'true' },
  },
  kyb: {
    consent: { accepted: 'true' },
    'your-details': {
      'representative.firstName': 'Ada',
      'representative.lastName': 'Lovelace',
      'representative.role': 'Director',
      'representative.email': 'ada@example.org',
    },
    business: { legalName: 'Müller & Söhne GmbH', legalForm: 'GmbH', tradingNames: 'Müller\r\n\r\nM & S' },
    registration: { countryOfIncorporation: 'DE', registrationNumber: 'HRB 12345' },
    numbers: { lei: '529900T8BM49AURSDO55' },
    activity: { activity: 'Machine tools', website: 'www.example.org' },
    'registered-address': {
      'registered.line1': 'Hauptstraße 1',
      'registered.city': 'Köln',
      'registered.country': 'DE',
    },
    'operating-address': { 'operating-choice': 'same' },
    directors: person('directors.0'),
    owners: {
      ...person('beneficialOwners.0'),
      'beneficialOwners.0.ownershipPercent': '33,3',
      'beneficialOwners.0.controlType': 'direct_shares',
      'beneficialOwners.0.country': 'DE',
    },
    document: { 'document.type': 'passport', 'document.issuingCountry': 'GB' },
    'document-details': { 'document.number': 'P123' },
    check: { accepted: 'true' },
  },
};

/** The fields of one row of people. */
export function person(row: string, firstName = 'Grace'): Typed {
  return {
    [`${row}.firstName`]: firstName,
    [`${row}.lastName`]: 'Hopper',
    [`${row}.dateOfBirth.day`]: '9',
    [`${row}.dateOfBirth.month`]: '12',
    [`${row}.dateOfBirth.year`]: '1986',
    [`${row}.nationality`]: 'US',
  };
}
