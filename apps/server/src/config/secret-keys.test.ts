import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keptSecretKeysIn, parseSecretKeys, secretKeysIn } from './secret-keys.ts';

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

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-secrets-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the first call', () => {
  test('makes a secret of 32 bytes that nobody else may read, and leaves nothing else behind', () => {
    const ring = secretKeysIn(directory);

    expect(ring.map((secret) => secret.byteLength)).toEqual([32]);
    expect(statSync(join(directory, 'secret-keys')).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['secret-keys']);
  });

  test('is the only one that makes anything', () => {
    const ring = secretKeysIn(directory);
    const kept = readFileSync(join(directory, 'secret-keys'));

    expect(secretKeysIn(directory)).toEqual(ring);
    expect(readFileSync(join(directory, 'secret-keys'))).toEqual(kept);
  });
});

test('eight processes that start at once agree on one ring', async () => {
  const module = new URL('./secret-keys.ts', import.meta.url).href;
  // Each waits for the same moment, so that they meet in the middle of it.
  const program = `
    const { secretKeysIn } = await import(${JSON.stringify(module)});
    while (Date.now() < Number(process.argv[1])) {}
    process.stdout.write(Buffer.from(secretKeysIn(process.argv[2])[0]).toString('hex'));`;
  const moment = String(Date.now() + 1500);
  const args = ['--input-type=module', '--eval', program, moment, directory];

  const runs = await Promise.all(Array.from({ length: 8 }, () => promisify(execFile)(process.execPath, args)));

  const made = Buffer.from(secretKeysIn(directory)[0] as Uint8Array).toString('hex');
  expect(runs.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 8 }, () => made));
  expect(readdirSync(directory)).toEqual(['secret-keys']);
});

test('a ring may be written by hand, one entry a line or separated by commas', () => {
  const [a, b, c] = ['aa', 'bb', 'cc'].map((digits) => digits.repeat(32));
  writeFileSync(join(directory, 'secret-keys'), `${a}\n${b}, ${c}\n`);

  expect(secretKeysIn(directory).map((secret) => Buffer.from(secret).toString('hex'))).toEqual([a, b, c]);
});

test('whoever only looks makes nothing', () => {
  expect(keptSecretKeysIn(directory)).toBeUndefined();
  expect(keptSecretKeysIn(join(directory, 'missing'))).toBeUndefined();
  expect(readdirSync(directory)).toEqual([]);

  const ring = secretKeysIn(directory);
  expect(keptSecretKeysIn(directory)).toEqual(ring);
});

test('a file that holds no ring is told by its name and left alone', () => {
  writeFileSync(join(directory, 'secret-keys'), '');

  expect(() => secretKeysIn(directory)).toThrow(/secret-keys is empty: expected secrets/);
  expect(readFileSync(join(directory, 'secret-keys'), 'utf8')).toBe('');
});
