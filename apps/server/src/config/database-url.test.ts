import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { databaseFileOf } from './database-url.ts';

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
