import { expect, it } from 'vitest';
import { changedRows, readFields } from './form-answers.ts';
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
  expect(readFields([agrees], values)['agrees']).toBe(value);
});

it('changedRows: keeps every value of a name', () => {
  const values = createFormValues([
    ['agrees', 'false'],
    ['agrees', 'true'],
    ['roles', 'director'],
    ['roles', 'owner'],
    ['directors.0.firstName', 'Ada'],
    ['directors.1.', ''],
    ['rows', 'add:directors'],
  ]);
  const changed = changedRows(values);
  expect(changed?.last('agrees')).toBe('true');
  expect(changed?.all('roles')).toEqual(['director', 'owner']);
  expect(changed?.rows('directors')).toBe(3);
});
