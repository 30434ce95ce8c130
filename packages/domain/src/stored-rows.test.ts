import { expect, test } from 'vitest';
import { firstTextAfter } from './stored-rows.ts';

test.each([
  ['a', 'b'],
  ['user_', 'user`'],
  ['50%', '50&'],
  ['\u{d7ff}', '\u{e000}'],
  ['x\u{10ffff}', 'y'],
  ['x\u{10ffff}\u{10ffff}', 'y'],
  ['\u{ffff}', '\u{10000}'],
  ['\u{1f600}', '\u{1f601}'],
])('the first text after all texts with the prefix %j is %j', (prefix, beyond) => {
  expect(firstTextAfter(prefix)).toBe(beyond);
});

test.each(['', '\u{10ffff}', '\u{10ffff}\u{10ffff}'])(
  'no text is after all texts with the prefix %j',
  (prefix) => {
    expect(firstTextAfter(prefix)).toBeNull();
  },
);
