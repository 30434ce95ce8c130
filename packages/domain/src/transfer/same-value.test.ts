import { expect, test } from 'vitest';
import { isSameValue } from './compare-storages.ts';

const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

test.each([
  [1, 1],
  [null, null],
  [day(1), day(1)],
  [
    { a: 1, b: [{ c: null }] },
    { b: [{ c: null }], a: 1 },
  ],
  [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
])('%j and %j are the same', (a, b) => {
  expect(isSameValue(a, b)).toBe(true);
});

test.each([
  [1, '1'],
  [1, 2],
  [true, false],
  [1, {}],
  [undefined, {}],
  [0, null],
  [null, {}],
  [day(1), day(2)],
  [day(1), day(1).toISOString()],
  [day(1), {}],
  [[], {}],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 2]],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: undefined }, { b: undefined }],
  [JSON.parse('{"__proto__":{}}'), {}],
  [JSON.parse('{"toString":1}'), { a: 1 }],
])('%j and %j are not', (a, b) => {
  expect(isSameValue(a, b)).toBe(false);
  expect(isSameValue(b, a)).toBe(false);
});
