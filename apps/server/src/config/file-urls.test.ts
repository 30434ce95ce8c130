import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { databaseFileOf, evidenceDirectoryOf, isWithin } from './file-urls.ts';

test.each([
  ['file:data/x.db', resolve('data/x.db')],
  ['file:./x.db', resolve('x.db')],
  ['file:/srv/x.db', '/srv/x.db'],
  ['file:///srv/a%20b.db', '/srv/a b.db'],
  ['file:/srv/a%20b.db', '/srv/a%20b.db'],
  ['file:/srv/ä ö.db', '/srv/ä ö.db'],
])('%s is %s', (url, file) => {
  expect(databaseFileOf('DATABASE_URL', url)).toBe(file);
});

test.each([
  ['', /is neither a file: nor a postgres: address/],
  ['/srv/x.db', /is neither/],
  ['mysql://user:hunter2@host/x', /is neither/],
  ['file:', /names no file/],
  ['file:/srv/', /names no file/],
  ['file://other-host/hunter2.db', /is no valid file: address of this machine/],
  ['file:x.db?mode=ro', /has parameters/],
  ['file:///x.db?mode=ro', /has parameters/],
  ['file::memory:', /in memory/],
])('%s is refused without being quoted', (url, message) => {
  expect(() => databaseFileOf('DATABASE_URL', url)).toThrow(message);
  expect(() => databaseFileOf('DATABASE_URL', url)).toThrow(/^DATABASE_URL .*expected file: and a path/);
  expect(() => databaseFileOf('DATABASE_URL', url)).not.toThrow(/hunter2/);
});

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
