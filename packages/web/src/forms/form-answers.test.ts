import { expect, it } from 'vitest';
import { changedForm, readFields } from './form-answers.ts';
import { createFormValues } from './form-values.ts';

const agrees = { path: 'agrees', key: 'agrees', field: { kind: 'flag', optional: true } } as const;

it.each<[sent: string[], value: unknown]>([
  [[], undefined],
  [[''], undefined],
  [['false'], false],
  [['true'], true],
  [['false', 'true'], true],
  [['maybe'], 'maybe'],
])('readFields: a flag sent as %j is %j', (sent, value) => {
  const values = createFormValues(sent.map((text) => ['agrees', text]));
  expect(readFields([agrees], values).agrees).toBe(value);
});

it.each([
  [['3', '2', '1985'], '1985-02-03'],
  [['3', '2', '90'], '90-02-03'],
  [['3', '2', ''], '-02-03'],
  [['', '', ''], undefined],
])('readFields: a date typed as %j is %j', ([day = '', month = '', year = ''], value) => {
  const born = { path: 'born', key: 'born', field: { kind: 'date', optional: true } } as const;
  const values = createFormValues([
    ['born.day', day],
    ['born.month', month],
    ['born.year', year],
  ]);
  expect(readFields([born], values).born).toBe(value);
});

it('changedForm: keeps every value of a name', () => {
  const values = createFormValues([
    ['agrees', 'false'],
    ['agrees', 'true'],
    ['roles', 'director'],
    ['roles', 'owner'],
    ['directors.0.firstName', 'Ada'],
    ['directors.1.', ''],
    ['rows', 'add:directors'],
  ]);
  const changed = changedForm(values);
  expect(changed?.last('agrees')).toBe('true');
  expect(changed?.all('roles')).toEqual(['director', 'owner']);
  expect(changed?.rows('directors')).toBe(3);
});
