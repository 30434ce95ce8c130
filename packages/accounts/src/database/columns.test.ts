import { expect, it } from 'vitest';
import { storedValue } from './columns.ts';

it.each([
  ['sqlite', true, 1],
  ['sqlite', false, 0],
  ['postgres', true, true],
  ['postgres', false, false],
  ['sqlite', 'ann', 'ann'],
  ['postgres', 'ann', 'ann'],
  ['sqlite', null, null],
  ['postgres', 7, 7],
] as const)('storedValue: %s stores %j as %j', (database, value, stored) => {
  expect(storedValue(database, value)).toBe(stored);
});
