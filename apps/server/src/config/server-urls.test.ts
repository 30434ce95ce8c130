import { expect, test } from 'vitest';
import { checkedPostgresUrl, checkedRedisUrl, placeOf } from './server-urls.ts';

test.each([
  ['postgres://u@db', 'db:5432/u'],
  ['postgresql://u:p%40ss@db:6432/x?sslmode=verify-full', 'db:6432/x'],
  ['postgres://u:hunter2@[::1]/a%20b', '[::1]:5432/a b'],
])('%s is taken as it is, and told as %s', (url, place) => {
  expect(checkedPostgresUrl('DATABASE_URL', url)).toBe(url);
  expect(placeOf(url)).toBe(place);
});

test.each([
  ['postgres:', /is no valid address/],
  ['POSTGRES://u:hunter2@db/x', /is no valid address/],
  ['postgres://u:hunter2@db:99999/x', /is no valid address/],
  ['postgres://u:hunter2/x', /is no valid address/],
  ['postgres://u:hunter2@/x', /is no valid address|names no host/],
  ['postgres://u:hunter2@one,two/x', /names several hosts|is no valid address/],
  ['postgres://:hunter2@db/x', /names no user/],
  ['postgres://u:hunter2%@db/x', /has a % that encodes nothing/],
  ['postgres://u:wo#hunter2@db/x', /is no valid address|has a #/],
  ['postgres://u:hunter2@db/x#y', /has a #/],
  ['postgres://u:hunter2@db/x?schema=public', /has the parameter schema, and only sslmode is known/],
  ['postgres://u:hunter2@db/x?sslmode=maybe', /has an unknown sslmode: expected one of disable/],
])('%s is refused without being quoted', (url, message) => {
  expect(() => checkedPostgresUrl('DATABASE_URL', url)).toThrow(message);
  expect(() => checkedPostgresUrl('DATABASE_URL', url)).toThrow(/^DATABASE_URL [^\n]*expected /);
  expect(() => checkedPostgresUrl('DATABASE_URL', url)).not.toThrow(/hunter2/);
});

test.each(['redis://cache', 'redis://cache:6379/', 'rediss://user:p%40ss@cache:6380/15', 'redis://[::1]'])(
  '%s is taken as it is',
  (url) => {
    expect(checkedRedisUrl('REDIS_URL', url)).toBe(url);
  },
);

test.each([
  ['cache:6379', /is no valid address/],
  ['http://:hunter2@cache', /is no valid address/],
  ['redis://', /is no valid address/],
  ['redis://:hunter2@cache:x', /is no valid address/],
  ['redis://:hunter2@/0', /is no valid address|names no host/],
  ['redis://:hunter2@cache/first', /has no number as its database/],
  ['redis://:hunter2@cache?db=1', /has parameters/],
])('%s is refused without being quoted', (url, message) => {
  expect(() => checkedRedisUrl('REDIS_URL', url)).toThrow(message);
  expect(() => checkedRedisUrl('REDIS_URL', url)).toThrow(/^REDIS_URL [^\n]*: expected redis:/);
  expect(() => checkedRedisUrl('REDIS_URL', url)).not.toThrow(/hunter2/);
});
