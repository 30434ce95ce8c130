import { expect, test } from 'vitest';
import { KYC_STEPS } from '../verification/steps/kyc.ts';
import { termsOfAnswers, termsOfNumber } from './index-terms.ts';
import { termsOfFullName } from './search-terms.ts';

const DAY = '1990-02-03';

/** Whether a person who answered with these names is found by a full name. */
function isFound(name: string, names: Readonly<Record<string, string>>, birthDate = DAY): boolean {
  const answers = { ...names, dateOfBirth: DAY };
  const stored = termsOfAnswers({ steps: [{ fields: KYC_STEPS.person.fields, answers }], files: [] });
  const sought = termsOfFullName(name, birthDate).map(({ text }) => text);
  return stored.some(({ text }) => sought.includes(text));
}

test.each([
  ['Anna Stein', { firstName: 'Anna', lastName: 'Stein' }],
  ['  anna   STEIN ', { firstName: 'Anna', lastName: 'Stein' }],
  ['Anna Mueller', { firstName: 'Anna', lastName: 'Müller' }],
  ['Anna Muller', { firstName: 'Anna', lastName: 'Müller' }],
  ['Anna Maria Stein', { firstName: 'Anna Maria', lastName: 'Stein' }],
  ['Anna Maria Stein', { firstName: 'Anna', middleNames: 'Maria', lastName: 'Stein' }],
  ['Anna Stein', { firstName: 'Anna Maria', lastName: 'Stein' }],
  ['Anna Maria Stein', { firstName: 'Anna', lastName: 'Stein' }],
  ['Anna von der Heide', { firstName: 'Anna', lastName: 'von der Heide' }],
  ['Anna Maria von der Heide', { firstName: 'Anna', lastName: 'von der Heide' }],
  ['von der Heide, Anna Maria', { firstName: 'Anna', lastName: 'von der Heide' }],
  ['Анна Иванова', { firstName: 'Анна', lastName: 'Иванова' }],
  ['Stein, Anna, Maria', { firstName: 'Anna Maria', lastName: 'Stein' }],
  ['Suharto', { lastName: 'Suharto' }],
])('%s finds a person who answered %o', (name, names) => {
  expect(isFound(name, names)).toBe(true);
});

test.each([
  ['Anna', { firstName: 'Anna', lastName: 'Stein' }],
  ['Stein', { firstName: 'Anna', lastName: 'Stein' }],
  ['Anna Ste', { firstName: 'Anna', lastName: 'Stein' }],
  ['Anna Ste%', { firstName: 'Anna', lastName: 'Stein' }],
  ['A* Stein', { firstName: 'Anna', lastName: 'Stein' }],
  ['Maria Stein', { firstName: 'Anna Maria', lastName: 'Stein' }],
  [',', { firstName: 'Anna', lastName: 'Stein' }],
])('%s does not find a person who answered %o', (name, names) => {
  expect(isFound(name, names)).toBe(false);
});

test('a full name with another birth date finds no one', () => {
  expect(isFound('Anna Stein', { firstName: 'Anna', lastName: 'Stein' }, '1990-02-04')).toBe(false);
});

test('a number finds a document of any country, however it is written', () => {
  const { fields } = KYC_STEPS.document;
  const sought = termsOfNumber('l01x 00-t47').map(({ text }) => text);
  for (const issuingCountry of ['DE', 'US', 'ZW']) {
    const answers = { issuingCountry, number: 'L01X00T47' };
    const stored = termsOfAnswers({ steps: [{ fields, answers }], files: [] });
    expect(stored.map(({ text }) => text)).toEqual(expect.arrayContaining(sought));
  }
  expect(sought).toHaveLength(1);
  expect(termsOfNumber('%*')).toEqual([]);
});

test('a full name of more than 20 words gives no terms', () => {
  const words = (count: number) => Array.from({ length: count }, (_, n) => `name${n}`).join(' ');
  expect(termsOfFullName(words(20), DAY)).not.toEqual([]);
  expect(termsOfFullName(words(21), DAY)).toEqual([]);
});

test('a full name of two words is a given name and a family name, and gives no other terms', () => {
  const terms = termsOfFullName('Anna Stein', DAY);
  expect(terms.map(({ text }) => text)).toEqual([`${DAY} ANNA STEIN`]);
});

test('a full name of four words may begin its family name with any but the first', () => {
  const terms = termsOfFullName('Anna Maria von Stein', DAY);
  expect(terms.map(({ text }) => text)).toEqual(
    ['ANNA MARIA VON STEIN', 'ANNA VON STEIN', 'ANNA STEIN'].map((name) => `${DAY} ${name}`),
  );
});
