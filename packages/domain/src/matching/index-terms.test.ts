import { expect, test } from 'vitest';
import type { FieldList } from '../fields/field.ts';
import type { JsonObject } from '../input/json.ts';
import { KYB_STEPS } from '../verification/steps/kyb.ts';
import { KYC_STEPS } from '../verification/steps/kyc.ts';
import { type IndexPurpose, termsOfAnswers, termsOfFamilyName, termsOfNumber } from './index-terms.ts';

const HASH = 'ab'.repeat(32);

/** Lists the texts of one purpose in the answers to a step. */
function texts(purpose: IndexPurpose, fields: FieldList, answers: JsonObject): readonly string[] {
  const files = [{ id: 'file-1', sha256: HASH }];
  const terms = termsOfAnswers({ steps: [{ fields, answers }], files });
  return terms.filter((term) => term.purpose === purpose).map(({ text }) => text);
}

const person = KYC_STEPS.person.fields;
const born = { dateOfBirth: '1990-02-03' };

test.each([
  ['a document', KYC_STEPS.document.fields, { issuingCountry: 'DE', number: 'l01x-00 t47' }],
  [
    'the document of a representative',
    KYB_STEPS.representative.fields,
    { document: { issuingCountry: 'DE', number: ' L01X00T47' } },
  ],
])(
  'the number of %s is indexed with its state and alone, without spaces, dashes and case',
  (_, fields, answers) => {
    expect(texts('document_number', fields, answers)).toEqual(['DE L01X00T47', 'L01X00T47']);
  },
);

test('a document number without its state is indexed alone; one without a letter or digit is not indexed', () => {
  const { fields } = KYC_STEPS.document;
  expect(texts('document_number', fields, { number: 'L01X00T47' })).toEqual(['L01X00T47']);
  expect(texts('document_number', fields, { issuingCountry: 'DE', number: ' - ' })).toEqual([]);
});

test('a national number is indexed with each nationality', () => {
  const answers = { nationalities: ['DE', 'FR'], nationalIdNumber: '12-34' };
  expect(texts('national_id', person, answers)).toEqual(['DE 1234', 'FR 1234']);
  expect(texts('document_number', person, answers)).toEqual([]);
});

test.each([
  ['Müller and Mueller', { lastName: 'Müller' }, { lastName: 'MUELLER' }],
  ['Müller and Muller', { lastName: 'Müller' }, { lastName: 'muller' }],
  ['all given names and the first one', { firstName: 'Anna Maria' }, { firstName: 'Anna' }],
  ['all given names, whichever field has the second', { firstName: 'Anna Maria' }, { middleNames: 'Maria' }],
  ['Anna-Lena and Anna Lena', { firstName: 'Anna-Lena' }, { firstName: 'Anna Lena' }],
  ['a name of another script in either case', { lastName: 'Иванова' }, { lastName: 'ИВАНОВА' }],
])('a person is found by %s', (_, one, other) => {
  const [found, sought] = [one, other].map((name) =>
    texts('person', person, { firstName: 'Anna', lastName: 'Stein', ...born, ...name }),
  );
  expect(found?.filter((text) => sought?.includes(text))).not.toEqual([]);
});

test.each([
  ['another birth date', { dateOfBirth: '1990-02-04' }],
  ['another first name', { firstName: 'Anne' }],
  ['another family name', { lastName: 'Steiner' }],
  ['a name of another script', { lastName: 'Иванова' }],
])('a person is not found by %s', (_, other) => {
  const [found, sought] = [{}, other].map((name) =>
    texts('person', person, { firstName: 'Anna', lastName: 'Stein', ...born, ...name }),
  );
  expect(found?.filter((text) => sought?.includes(text))).toEqual([]);
});

test('two people with family names of another script have different terms', () => {
  const [one, other] = ['Иванова', 'Петрова'].map((lastName) =>
    texts('person', person, { firstName: 'Anna', lastName, ...born }),
  );
  expect(one?.filter((text) => other?.includes(text))).toEqual([]);
});

test('a person with one name is indexed; one without a birth date is not', () => {
  expect(texts('person', person, { lastName: 'Stein', ...born })).toEqual(['1990-02-03 STEIN']);
  expect(texts('person', person, { firstName: 'Anna', lastName: 'Stein' })).toEqual([]);
  expect(texts('person', person, { firstName: 'Anna', ...born })).toEqual([]);
});

test('a word of a name without a letter or digit is left out', () => {
  const name = { firstName: 'Anna †', lastName: 'Stein' };
  expect(texts('person', person, { ...name, ...born })).toEqual(['1990-02-03 ANNA STEIN']);
});

test('terms that compare no answers are for searches alone', () => {
  const terms = [...termsOfFamilyName('Müller'), ...termsOfNumber('L01X00T47')];
  expect(terms.map(({ isForSearch }) => isForSearch)).toEqual([true, true, true]);
});

test('each person of a business with a birth date is indexed once', () => {
  const ada = { firstName: 'Ada', lastName: 'King', dateOfBirth: '1970-12-10', nationality: 'GB' };
  const answers = { directors: [ada, { ...ada, firstName: 'Bea' }], beneficialOwners: [ada] };
  expect(texts('person', KYB_STEPS.ownership.fields, answers)).toEqual([
    '1970-12-10 ADA KING',
    '1970-12-10 BEA KING',
  ]);
});

test('e-mail addresses and phone numbers are indexed without differences of case and spelling', () => {
  expect(texts('email', person, { email: ' Anna@Example.com' })).toEqual(['anna@example.com']);
  expect(texts('phone', person, { phone: '+49 (30) 901-820' })).toEqual(['4930901820']);
  const representative = { email: 'Anna@Example.com', phone: '+4930901820' };
  expect(texts('email', KYB_STEPS.consent.fields, { representative })).toEqual(['anna@example.com']);
});

test('a file is indexed by its hash; an id without a file has no term', () => {
  expect(texts('file', KYC_STEPS.selfie.fields, { fileId: 'file-1' })).toEqual([HASH]);
  expect(texts('file', KYC_STEPS.selfie.fields, { fileId: 'file-2' })).toEqual([]);
});

test('answers that no field describes have no term', () => {
  expect(termsOfAnswers({ steps: [{ fields: {}, answers: { email: 'a@example.com' } }], files: [] })).toEqual([]);
  const answers = { email: { address: 'a@example.com' } };
  expect(termsOfAnswers({ steps: [{ fields: person, answers }], files: [] })).toEqual([]);
});

test('family names are terms of their own, in both spellings and with each person of a business', () => {
  expect(texts('family_name', person, { lastName: 'Müller-Stein' })).toEqual(['MUELLER STEIN', 'MULLER STEIN']);
  const directors = [
    { firstName: 'Ada', lastName: 'King', dateOfBirth: '1970-12-10', nationality: 'GB' },
    { firstName: 'Bea', lastName: 'Stein', dateOfBirth: '1970-12-10', nationality: 'GB' },
  ];
  expect(texts('family_name', KYB_STEPS.ownership.fields, { directors })).toEqual(['KING', 'STEIN']);
});
