import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeEach, describe, expect, test } from 'vitest';
import { keptSecretKeysIn, parseSecretKeys, parseSecretNames, secretKeysIn } from './secret-keys.ts';

// Bytes whose base64 has + and /, so that the two alphabets differ.
const first = Buffer.alloc(32, 0xfb);
const second = Buffer.alloc(48, 0xff);

test.each(['base64', 'base64url', 'hex'] as const)('parseSecretKeys: reads a secret in %s', (encoding) => {
  expect(parseSecretKeys('SECRET_KEYS', first.toString(encoding))).toEqual([first]);
});

test('parseSecretKeys: keeps the order of entries in mixed encodings', () => {
  const text = `${first.toString('hex').toUpperCase()} , ${second.toString('base64')}`;
  expect(parseSecretKeys('SECRET_KEYS', text)).toEqual([first, second]);
});

test('parseSecretKeys: reads entries on lines of their own', () => {
  const text = `${first.toString('hex')}\n${second.toString('base64')}\r\n`;
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
  [
    `${first.toString('hex')},${second.toString('hex')},${first.toString('base64')}`,
    /^SECRET_KEYS entry 3 is the same secret as entry 1: remove one of them$/,
  ],
  [`${first.toString('hex')},word`, /^SECRET_KEYS entry 2 of 2 is too short/],
])('parseSecretKeys: refuses %s without quoting it', (text, message) => {
  expect(() => parseSecretKeys('SECRET_KEYS', text)).toThrow(message);
  expect(() => parseSecretKeys('SECRET_KEYS', text)).not.toThrow(/word|fbfb/);
});

test('parseSecretNames: refuses a value that is not a name, such as a secret, without quoting it', () => {
  expect(parseSecretNames('LOST_SECRETS', '6c22178fcd3c5a45 ,12345')).toEqual(['6c22178fcd3c5a45', '12345']);
  for (const text of [first.toString('hex'), '12345,', 'fbfb']) {
    expect(() => parseSecretNames('LOST_SECRETS', text)).toThrow(
      /^LOST_SECRETS entry \d of \d is not the name of a secret/,
    );
    expect(() => parseSecretNames('LOST_SECRETS', text)).not.toThrow('fb');
  }
});

let directory: string;
beforeEach(() => {
  directory = temporaryFolder();
});

describe('secretKeysIn', () => {
  test('creates a secret of 32 bytes in a file with mode 0600, and no other file', () => {
    const ring = secretKeysIn(directory);

    expect(ring.map((secret) => secret.byteLength)).toEqual([32]);
    expect(statSync(join(directory, 'secret-keys')).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['secret-keys']);
  });

  test('returns the same ring on every later call', () => {
    const ring = secretKeysIn(directory);
    const kept = readFileSync(join(directory, 'secret-keys'));

    expect(secretKeysIn(directory)).toEqual(ring);
    expect(readFileSync(join(directory, 'secret-keys'))).toEqual(kept);
  });
});

test('secretKeysIn: eight processes that start at once return one ring', async () => {
  const module = new URL('./secret-keys.ts', import.meta.url).href;
  // All processes wait for the same moment, so that their calls overlap.
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

test('secretKeysIn: reads a file written by hand, with entries on lines or separated by commas', () => {
  const [a, b, c] = ['aa', 'bb', 'cc'].map((digits) => digits.repeat(32));
  writeFileSync(join(directory, 'secret-keys'), `${a}\n${b}, ${c}\n`);

  expect(secretKeysIn(directory).map((secret) => Buffer.from(secret).toString('hex'))).toEqual([a, b, c]);
});

test('keptSecretKeysIn: creates nothing', () => {
  expect(keptSecretKeysIn(directory)).toBeUndefined();
  expect(keptSecretKeysIn(join(directory, 'missing'))).toBeUndefined();
  expect(readdirSync(directory)).toEqual([]);

  const ring = secretKeysIn(directory);
  expect(keptSecretKeysIn(directory)).toEqual(ring);
});

test('secretKeysIn: refuses an empty file by its name, and keeps the file', () => {
  writeFileSync(join(directory, 'secret-keys'), '');

  expect(() => secretKeysIn(directory)).toThrow(/secret-keys is empty: expected secrets/);
  expect(readFileSync(join(directory, 'secret-keys'), 'utf8')).toBe('');
});
