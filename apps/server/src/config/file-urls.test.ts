import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { databaseFileOf, directoryOf, isWithin } from './file-urls.ts';

test.each([
  ['file:data/x.db', resolve('data/x.db')],
  ['file:./x.db', resolve('x.db')],
  ['file:/srv/x.db', '/srv/x.db'],
  ['file:///srv/a%20b.db', '/srv/a b.db'],
  ['file:/srv/a%20b.db', '/srv/a%20b.db'],
  ['file:/srv/ä ö.db', '/srv/ä ö.db'],
])('DATABASE_URL: %s is %s', (url, file) => {
  expect(databaseFileOf('DATABASE_URL', url)).toBe(file);
});

test.each([
  ['', /is neither a file: nor a postgres: URL/],
  ['/srv/x.db', /is neither/],
  ['mysql://user:hunter2@host/x', /is neither/],
  ['file:', /has no file name/],
  ['file:/srv/', /has no file name/],
  ['file://other-host/hunter2.db', /is not a valid file: URL of this machine/],
  ['file:x.db?mode=ro', /has parameters/],
  ['file:///x.db?mode=ro', /has parameters/],
  ['file::memory:', /in memory/],
])('DATABASE_URL: refuses %s without quoting it', (url, message) => {
  expect(() => databaseFileOf('DATABASE_URL', url)).toThrow(message);
  expect(() => databaseFileOf('DATABASE_URL', url)).toThrow(/^DATABASE_URL .*expected file: and a path/);
  expect(() => databaseFileOf('DATABASE_URL', url)).not.toThrow(/hunter2/);
});

const options = { example: 'file:/srv/countersign/evidence', apartFrom: { DATA_DIR: '/srv/data' } };

test.each([
  ['file:data/evidence', resolve('data/evidence')],
  ['file:./evidence/', resolve('evidence')],
  ['file:/srv/evidence', '/srv/evidence'],
  ['file:///srv/a%20b/', '/srv/a b'],
  ['file:/srv/a%20b', '/srv/a%20b'],
  ['file:/srv/data-of-others', '/srv/data-of-others'],
])('EVIDENCE_URL: %s is %s', (url, directory) => {
  expect(directoryOf('EVIDENCE_URL', url, options)).toBe(directory);
});

test.each([
  ['', /is not a file: URL/],
  ['/srv/evidence', /is not a file: URL/],
  ['s3://key:hunter2@host/bucket', /is not a file: URL/],
  ['file:', /has no directory/],
  ['file://other-host/hunter2', /is not a valid file: URL of this machine/],
  ['file:/srv/hunter2?mode=ro', /has parameters/],
  ['file:///srv/hunter2#x', /has parameters/],
  ['file:/srv/a\0b', /has a NUL/],
  ['file:/srv/data', /contains DATA_DIR/],
  ['file:/srv/data/evidence/..', /contains DATA_DIR/],
  ['file:/srv', /contains DATA_DIR/],
])('EVIDENCE_URL: refuses %s without quoting it', (url, message) => {
  expect(() => directoryOf('EVIDENCE_URL', url, options)).toThrow(message);
  expect(() => directoryOf('EVIDENCE_URL', url, options)).toThrow(/^EVIDENCE_URL [^\n]*expected file: /);
  expect(() => directoryOf('EVIDENCE_URL', url, options)).not.toThrow(/hunter2/);
});

test.each([
  ['/a/b', '/a/b', true],
  ['/a/b/c', '/a/b', true],
  ['/a/b/..c', '/a/b', true],
  ['/a/bc', '/a/b', false],
  ['/a', '/a/b', false],
  ['/', '/a', false],
])('isWithin: %s in %s is %s', (path, directory, expected) => {
  expect(isWithin(path, directory)).toBe(expected);
});
