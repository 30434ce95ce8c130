import { expect, test } from 'vitest';
import type { JsonObject } from '../../input/json.ts';
import type { StepKey } from '../flow.ts';
import {
  comparable,
  isNamed,
  isNamesake,
  nameOf,
  type PersonInAnswers,
  peopleIn,
  present,
} from './named-people.ts';

const ada = { firstName: 'Ada', lastName: 'Lovelace' };
const unnamed = { firstName: undefined, lastName: undefined, dateOfBirth: undefined, nationalities: [] };

test.each<[step: StepKey, answers: JsonObject, people: object[]]>([
  ['person', {}, [{ ...unnamed, step: 'person', path: '' }]],
  [
    'person',
    { ...ada, dateOfBirth: '1980-12-10', nationalities: ['DE', 1] },
    [{ ...ada, step: 'person', path: '', dateOfBirth: '1980-12-10', nationalities: ['DE'] }],
  ],
  ['consent', {}, []],
  ['consent', { representative: 'Ada' }, []],
  ['consent', { representative: ada }, [{ ...ada, step: 'consent', path: 'representative', nationalities: [] }]],
  ['ownership', {}, []],
  [
    'ownership',
    { directors: ['Ada', { nationality: 'DE' }], beneficialOwners: [ada], seniorManagers: [ada] },
    [
      { ...unnamed, step: 'ownership', path: 'directors.0' },
      { ...unnamed, step: 'ownership', path: 'directors.1', nationalities: ['DE'] },
      { ...unnamed, ...ada, step: 'ownership', path: 'beneficialOwners.0' },
      { ...unnamed, ...ada, step: 'ownership', path: 'seniorManagers.0' },
    ],
  ],
  ['document', { firstName: 'Ada' }, []],
])('the people in the answers to %s: %j', (step, answers, people) => {
  expect(peopleIn(step, answers)).toEqual(people);
});

test('present: leaves out entries that the answers lack', () => {
  expect(present(['DE', undefined, 'US'])).toStrictEqual(['DE', 'US']);
});

const person = (names: Partial<typeof ada>): PersonInAnswers => ({
  step: 'person',
  path: '',
  nationalities: [],
  ...names,
});

test.each([
  [ada, true],
  [{ firstName: 'Ada' }, false],
  [{ lastName: 'Lovelace' }, true],
  [{}, false],
])('isNamed: %j', (names, expected) => {
  expect(isNamed(person(names))).toBe(expected);
});

test('nameOf: the name of a person with one name is that name', () => {
  expect([ada, { lastName: 'Sukarno' }].map((names) => nameOf({ ...person(names), ...names }))).toEqual([
    'Ada Lovelace',
    'Sukarno',
  ]);
});

test.each([
  [ada, { firstName: 'ADA', lastName: 'lovelace' }, true],
  [ada, { firstName: 'Eva', lastName: 'Lovelace' }, false],
  [ada, { firstName: 'Ada', lastName: 'Byron' }, false],
  [ada, { firstName: 'Ada' }, false],
  [ada, { lastName: 'Lovelace' }, false],
  [{ lastName: 'Sukarno' }, { lastName: 'SUKARNO' }, true],
  [{}, {}, false],
])('isNamesake: %j and %j', (one, other, expected) => {
  expect(isNamesake(person(one), person(other))).toBe(expected);
  expect(isNamesake(person(other), person(one))).toBe(expected);
});

test.each([
  ['Müller-Lüdenscheidt', 'MULLER LUDENSCHEIDT'],
  ['Groß', 'GROSS'],
  ['  Anna  Maria ', 'anna–maria'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
])('comparable: %s is %s', (one, other) => {
  expect(comparable(one)).toBe(comparable(other));
});

test('comparable: other letters are other names', () => {
  expect(comparable('Ada')).not.toBe(comparable('Eda'));
  expect(comparable('Anna Maria')).not.toBe(comparable('Anna-Maria Ada'));
});
