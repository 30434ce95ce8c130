import { expect, it } from 'vitest';
import {
  CountersignError,
  ERROR_MESSAGES,
  faultBehind,
  invalidParameters,
  isCountersignError,
  shortPath,
  VerificationFault,
} from './errors.ts';

it('isCountersignError: true for errors of the domain, and with a code for that code only', () => {
  const error = new CountersignError('LIMIT_EXCEEDED', 'reached');
  expect(isCountersignError(error)).toBe(true);
  expect(isCountersignError(error, 'LIMIT_EXCEEDED')).toBe(true);
  expect(isCountersignError(error, 'LINK_INVALID')).toBe(false);
  expect(isCountersignError(new Error('LIMIT_EXCEEDED'))).toBe(false);
});

it('a CountersignError without a message has the message of its code', () => {
  expect(new CountersignError('USER_EXISTS').message).toBe(ERROR_MESSAGES.USER_EXISTS);
  expect(new CountersignError('USER_EXISTS', 'taken').message).toBe('taken');
});

it('a CountersignError has data and a cause if they are given', () => {
  const cause = new Error('the disk is full');
  const error = new CountersignError('SERVICE_UNAVAILABLE', 'down', { cause, data: { retryAfterSeconds: 10 } });
  expect(error).toMatchObject({ name: 'CountersignError', cause, data: { retryAfterSeconds: 10 } });
  expect(Object.hasOwn(new CountersignError('USER_EXISTS'), 'cause')).toBe(false);
});

it('faultBehind: the cause of a CountersignError that is a VerificationFault, and no other', () => {
  const cause = new VerificationFault('is missing');
  expect(faultBehind(new CountersignError('FILE_NOT_FOUND', undefined, { cause }))).toBe(cause);
  expect(faultBehind(new CountersignError('FILE_NOT_FOUND', undefined, { cause: new Error() }))).toBeUndefined();
  expect(faultBehind(new Error('failed', { cause }))).toBeUndefined();
});

it('each message says what happened, then what to do, except those that the interface fixes', () => {
  const fixed = [
    'INVALID_SUBJECT_TYPE',
    'INVALID_API_KEY',
    'API_KEY_EXPIRED',
    'API_KEY_REVOKED',
    'INSUFFICIENT_PERMISSIONS',
    // The instruction alone says what happened.
    'CONFIRMATION_NEEDED',
  ];
  const others = Object.entries(ERROR_MESSAGES).filter(([code]) => !fixed.includes(code));
  for (const [code, message] of others) expect(message, code).toMatch(/^[A-Z][^.]+\. [A-Z].+\.$|^subject/);
});

it('invalidParameters: has every issue of the input', () => {
  const error = invalidParameters([
    { path: 'a.0', message: 'must be text' },
    { path: '', message: 'must be an object' },
  ]);
  expect(error.message).toBe('a.0 must be text; and 1 more');
  expect(error.data?.issues).toHaveLength(2);
});

it.each([
  [[], ERROR_MESSAGES.INVALID_PARAMETERS],
  [[{ path: '', message: 'must be an object' }], 'must be an object'],
  [[{ path: 'a', message: 'is required' }], 'a is required'],
])('invalidParameters: the message of %j is %s', (issues, message) => {
  expect(invalidParameters(issues).message).toBe(message);
});

it('invalidParameters: keeps 20 issues with short paths', () => {
  const issues = Array.from({ length: 5000 }, () => ({ path: 'x'.repeat(10_000), message: 'is wrong' }));
  const { message, data } = invalidParameters(issues);
  expect(message).toBe(`${'x'.repeat(199)}… is wrong; and 4999 more`);
  expect(data?.issues).toHaveLength(20);
  expect(JSON.stringify(data).length).toBeLessThan(8 * 1024);
});

it.each([
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), `${'x'.repeat(199)}…`],
  [`${'x'.repeat(198)}🦉🦉`, `${'x'.repeat(198)}…`],
  [`🦉${'x'.repeat(250)}`, `🦉${'x'.repeat(197)}…`],
])('a path is cut between characters (%#)', (path, short) => {
  expect(shortPath(path)).toBe(short);
});
