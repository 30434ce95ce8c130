import { expect, test } from 'vitest';
import { firstTextBeyond } from './verification-browse.ts';

test.each([
  ['a', 'b'],
  ['user_', 'user`'],
  ['50%', '50&'],
  ['\u{d7ff}', '\u{e000}'],
  ['x\u{10ffff}', 'y'],
  ['x\u{10ffff}\u{10ffff}', 'y'],
  ['\u{ffff}', '\u{10000}'],
  ['\u{1f600}', '\u{1f601}'],
])('after all that begin with %j comes %j', (prefix, beyond) => {
  expect(firstTextBeyond(prefix)).toBe(beyond);
});

test.each(['', '\u{10ffff}', '\u{10ffff}\u{10ffff}'])('nothing comes after all that begin with %j', (prefix) => {
  expect(firstTextBeyond(prefix)).toBeNull();
});
