import { expect, test } from 'vitest';
import { shownReference, termsOfReference, termsOfShownReference } from './reference-terms.ts';

test.each([
  [' user_1', 'user_1'],
  ['user_1 \t', 'user_1'],
  ['order\n42', 'order 42'],
  ['order\r\n\r\n42', 'order 42'],
  ['order  42', 'order 42'],
  ['\u00a0order\u200342\ufeff', 'order 42'],
  ['order\u000742\u202e', 'order 42'],
])('%j is shown as %j, and found by it however spaces are typed', (reference, shown) => {
  expect(shownReference(reference)).toBe(shown);
  expect(termsOfReference(reference)).toEqual(
    termsOfShownReference(shownReference(`  ${shown.replace(' ', '   ')}`)),
  );
  expect(termsOfReference(reference)).toMatchObject([{ isForSearch: true }]);
});

test.each(['user_1', 'order 42', 'Order-42', '=?utf-8?', '\u00e9', ' \n'])(
  '%j has no term: databases find it by itself, or it shows nothing',
  (reference) => {
    expect(termsOfReference(reference)).toEqual([]);
  },
);

test('references that differ in anything else have different terms', () => {
  const terms = [' user_1', ' USER_1', ' user-1', ' user 1'].flatMap(termsOfReference);
  expect(new Set(terms.map(({ text }) => text)).size).toBe(4);
});
