import { expect, it } from 'vitest';
import { codeOf, unlessUserGone } from './errors.ts';

const errorOf = (code: unknown) => Object.assign(new Error('failed'), { code });

it.each([
  [errorOf('23505'), '23505'],
  [errorOf(23505), 'unknown'],
  [new Error('failed'), 'unknown'],
  [{ code: '23505' }, 'unknown'],
  ['23505', 'unknown'],
  [null, 'unknown'],
])('codeOf: the code of %j is %s', (error, code) => {
  expect(codeOf(error)).toBe(code);
});

it('unlessUserGone: only the error of a row whose user is missing is ignored', () => {
  expect(unlessUserGone(errorOf('23503'))).toBeUndefined();
  expect(unlessUserGone(errorOf('SQLITE_CONSTRAINT_FOREIGNKEY'))).toBeUndefined();
  const other = errorOf('SQLITE_CONSTRAINT_UNIQUE');
  expect(() => unlessUserGone(other)).toThrow(other);
});
