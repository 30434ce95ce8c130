import { expect, test, vi } from 'vitest';
import { firstTextAfter, parseEnum, parseEnumOrNull, parseRow } from './stored-rows.ts';

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

test.each([
  ['an error', new Error('unknown status')],
  ['any other value', 'unknown status'],
])('a row that cannot be parsed is named with its reason, which is %s', (_what, cause) => {
  function* values(): Generator<string> {
    yield 'row';
  }
  const parse = () => values().throw(cause);
  expect(() => parseRow('verification', 7, parse)).toThrow(
    expect.objectContaining({ message: 'The stored verification 7 is corrupt: unknown status', cause }),
  );
});

test('a row with text that is not JSON shows nothing of the text', () => {
  const parse = () => JSON.parse('{"name": Smith');
  const parsing = vi.fn<() => unknown>(() => parseRow('verification', 7, parse));
  expect(parsing).toThrow(/^The stored verification 7 is corrupt: it is not JSON$/);
  expect(parsing.mock.results[0]?.value).not.toHaveProperty('cause');
});

test('a row that can be parsed is returned', () => {
  expect(parseRow('verification', 7, () => 'row')).toBe('row');
});

test('a column of a fixed set refuses any other value, and null unless it may be null', () => {
  const values = ['pending', 'approved'] as const;
  expect([parseEnum('status', values, 'approved'), parseEnumOrNull('status', values, 'pending')]).toEqual([
    'approved',
    'pending',
  ]);
  expect(parseEnumOrNull('status', values, null)).toBeNull();
  for (const value of ['done', undefined, 0]) {
    expect(() => parseEnumOrNull('status', values, value)).toThrow('unknown status');
  }
  expect(() => parseEnum('status', values, null)).toThrow('unknown status');
});
