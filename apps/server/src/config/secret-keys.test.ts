import { expect, test } from 'vitest';
import { parseSecretKeys } from './secret-keys.ts';

// Bytes whose base64 has + and /, so that the two alphabets differ.
const first = Buffer.alloc(32, 0xfb);
const second = Buffer.alloc(48, 0xff);

test.each(['base64', 'base64url', 'hex'] as const)('a secret in %s', (encoding) => {
  expect(parseSecretKeys('SECRET_KEYS', first.toString(encoding))).toEqual([first]);
});

test('a ring keeps its order, whatever the spelling of its entries', () => {
  const text = `${first.toString('hex').toUpperCase()} , ${second.toString('base64')}`;
  expect(parseSecretKeys('SECRET_KEYS', text)).toEqual([first, second]);
});

const short = Buffer.alloc(31, 0xfb);

test.each([
  ['word', /^SECRET_KEYS is too short, 3 bytes: expected secrets of at least 32 bytes/],
  [short.toString('hex'), /^SECRET_KEYS is too short, 31 bytes/],
  [short.toString('base64'), /^SECRET_KEYS is too short, 31 bytes/],
  ['a word', /^SECRET_KEYS is neither base64 nor hexadecimal/],
  ['+_'.repeat(30), /^SECRET_KEYS is neither base64 nor hexadecimal/],
  [`${first.toString('hex')},`, /^SECRET_KEYS entry 2 of 2 is empty/],
  [`${first.toString('hex')},word`, /^SECRET_KEYS entry 2 of 2 is too short/],
])('%s is refused without being quoted', (text, message) => {
  expect(() => parseSecretKeys('SECRET_KEYS', text)).toThrow(message);
  expect(() => parseSecretKeys('SECRET_KEYS', text)).not.toThrow(/word|fbfb/);
});
