import { expect, test } from 'vitest';
import { checkedRedisUrl } from './redis-url.ts';

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
