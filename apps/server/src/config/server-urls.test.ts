import { expect, test } from 'vitest';
import { checkedPostgresUrl, checkedRedisUrl, placeOf } from './server-urls.ts';

test.each([
  ['postgres://u@db', 'db:5432/u'],
  ['postgresql://u:p%40ss@db:6432/x?sslmode=verify-full', 'db:6432/x'],
  ['postgres://u:hunter2@[::1]/a%20b', '[::1]:5432/a b'],
])('DATABASE_URL: accepts %s and prints it as %s', (url, place) => {
  expect(checkedPostgresUrl('DATABASE_URL', url)).toBe(url);
  expect(placeOf(url)).toBe(place);
});

test.each([
  ['postgres:', /is not a valid/],
  ['POSTGRES://u:hunter2@db/x', /is not a valid/],
  ['postgres://u:hunter2@db:99999/x', /is not a valid/],
  ['postgres://u:hunter2/x', /is not a valid/],
  ['postgres://u:hunter2@/x', /is not a valid|has no host/],
  ['postgres://u:hunter2@one,two/x', /has several hosts|is not a valid/],
  ['postgres://:hunter2@db/x', /has no user/],
  ['postgres://u:hunter2%@db/x', /has an invalid % escape/],
  ['postgres://u:wo#hunter2@db/x', /is not a valid|has a #/],
  ['postgres://u:hunter2@db/x#y', /has a #/],
  ['postgres://u:hunter2@db/x?schema=public', /has the parameter schema, but only sslmode is supported/],
  ['postgres://u:hunter2@db/x?sslmode=maybe', /has an unknown sslmode: expected one of disable/],
])('DATABASE_URL: refuses %s without quoting it', (url, message) => {
  expect(() => checkedPostgresUrl('DATABASE_URL', url)).toThrow(message);
  expect(() => checkedPostgresUrl('DATABASE_URL', url)).toThrow(/^DATABASE_URL [^\n]*expected /);
  expect(() => checkedPostgresUrl('DATABASE_URL', url)).not.toThrow(/hunter2/);
});

test.each(['redis://cache', 'redis://cache:6379/', 'rediss://user:p%40ss@cache:6380/15', 'redis://[::1]'])(
  'REDIS_URL: accepts %s',
  (url) => {
    expect(checkedRedisUrl('REDIS_URL', url)).toBe(url);
  },
);

test.each([
  ['cache:6379', /is not a valid/],
  ['http://:hunter2@cache', /is not a valid/],
  ['redis://', /is not a valid/],
  ['redis://:hunter2@cache:x', /is not a valid/],
  ['redis://:hunter2@/0', /is not a valid|has no host/],
  ['redis://:hunter2@cache/first', /has a database that is not a number/],
  ['redis://:hunter2@cache?db=1', /has parameters/],
])('REDIS_URL: refuses %s without quoting it', (url, message) => {
  expect(() => checkedRedisUrl('REDIS_URL', url)).toThrow(message);
  expect(() => checkedRedisUrl('REDIS_URL', url)).toThrow(/^REDIS_URL [^\n]*: expected redis:/);
  expect(() => checkedRedisUrl('REDIS_URL', url)).not.toThrow(/hunter2/);
});
