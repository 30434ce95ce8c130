import { expect, it } from 'vitest';
import { CountersignError, invalidParameters, isCountersignError } from './errors.ts';

it('tells an answer of the domain from a fault, and one code from another', () => {
  const error = new CountersignError('LIMIT_EXCEEDED', 'reached');
  expect(isCountersignError(error)).toBe(true);
  expect(isCountersignError(error, 'LIMIT_EXCEEDED')).toBe(true);
  expect(isCountersignError(error, 'LINK_INVALID')).toBe(false);
  expect(isCountersignError(new Error('LIMIT_EXCEEDED'))).toBe(false);
});

it('says each thing that is wrong with an input', () => {
  const error = invalidParameters([
    { path: 'a.0', message: 'must be text' },
    { path: '', message: 'must be an object' },
  ]);
  expect(error.message).toBe('a.0: must be text; must be an object');
  expect(error.data?.issues).toHaveLength(2);
});
