import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { evidenceDirectoryOf, isWithin } from './evidence-url.ts';

test.each([
  ['file:data/evidence', resolve('data/evidence')],
  ['file:./evidence/', resolve('evidence')],
  ['file:/srv/evidence', '/srv/evidence'],
  ['file:///srv/a%20b/', '/srv/a b'],
  ['file:/srv/a%20b', '/srv/a%20b'],
  ['file:/srv/data-of-others', '/srv/data-of-others'],
])('%s is %s', (url, directory) => {
  expect(evidenceDirectoryOf('EVIDENCE_URL', url, '/srv/data')).toBe(directory);
});

test.each([
  ['', /is no file: address/],
  ['/srv/evidence', /is no file: address/],
  ['s3://key:hunter2@host/bucket', /is no file: address/],
  ['file:', /names no directory/],
  ['file://other-host/hunter2', /is no valid file: address of this machine/],
  ['file:/srv/hunter2?mode=ro', /has parameters/],
  ['file:///srv/hunter2#x', /has parameters/],
  ['file:/srv/a\0b', /has a NUL/],
  ['file:/srv/data', /names DATA_DIR, or a directory above it/],
  ['file:/srv/data/evidence/..', /names DATA_DIR, or a directory above it/],
  ['file:/srv', /names DATA_DIR, or a directory above it/],
])('%s is refused without being quoted', (url, message) => {
  expect(() => evidenceDirectoryOf('EVIDENCE_URL', url, '/srv/data')).toThrow(message);
  expect(() => evidenceDirectoryOf('EVIDENCE_URL', url, '/srv/data')).toThrow(
    /^EVIDENCE_URL [^\n]*expected file: /,
  );
  expect(() => evidenceDirectoryOf('EVIDENCE_URL', url, '/srv/data')).not.toThrow(/hunter2/);
});

test.each([
  ['/a/b', '/a/b', true],
  ['/a/b/c', '/a/b', true],
  ['/a/b/..c', '/a/b', true],
  ['/a/bc', '/a/b', false],
  ['/a', '/a/b', false],
  ['/', '/a', false],
])('that %s lies within %s is %s', (path, directory, expected) => {
  expect(isWithin(path, directory)).toBe(expected);
});
