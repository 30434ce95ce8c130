import { expect, test } from 'vitest';
import { PASSWORD_MAX, PASSWORD_MIN, passwordLengthRefusal } from './accounts.ts';

test.each([
  ['x'.repeat(PASSWORD_MIN - 1), 'too_short'],
  ['🦉'.repeat(PASSWORD_MIN - 1), 'too_short'],
  ['x'.repeat(PASSWORD_MIN), null],
  ['x'.repeat(PASSWORD_MAX), null],
  ['x'.repeat(PASSWORD_MAX + 1), 'too_long'],
])('the length of the password %s: %s', (password, refusal) => {
  expect(passwordLengthRefusal(password)).toBe(refusal);
});
