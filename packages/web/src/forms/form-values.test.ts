import { expect, it } from 'vitest';
import { createFormValues } from './form-values.ts';

it.each<[names: string[], rows: number]>([
  [[], 0],
  [['directors'], 0],
  [['directors.0.firstName'], 1],
  [['directors.1.firstName', 'directors.0.firstName'], 2],
  [['directors.4.'], 5],
  [['owners.3.firstName'], 0],
  [['directors.59.firstName'], 60],
  // A request for a thousand rows must not produce a page of ten megabytes.
  [['directors.1.firstName', 'directors.60.firstName', 'directors.998.firstName'], 2],
])('rows: %j are %i rows', (names, rows) => {
  expect(createFormValues(names.map((name) => [name, 'x'])).rows('directors')).toBe(rows);
});
