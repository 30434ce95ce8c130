import { compareText } from '@countersign/domain/storage';
import { expect, it } from 'vitest';
import { endOf, isStorable, type KeyPart, keyOf, startAfter } from './keys.ts';

const TEXTS = [
  '',
  '\0',
  '\u0001',
  '\u0002',
  '\u0003',
  '\u0003\0',
  ' ',
  'A',
  'a',
  'a\0',
  'a\u0001',
  'a\u0002',
  'a ',
  'aa',
  'ab',
  'b',
];
const HIGH_TEXTS = [
  'é',
  '中',
  '\ud7fe',
  '\ud7ff',
  '\ud800',
  '\udfff',
  '\ue000',
  '\uf8ff',
  '\uff01',
  '\uffff',
  '😀',
  '\u{10ffff}',
];
const NUMBERS = [
  -Number.MAX_SAFE_INTEGER,
  -8.64e15,
  -10,
  -9,
  -1,
  0,
  1,
  9,
  10,
  1e15,
  8.64e15,
  Number.MAX_SAFE_INTEGER,
];

const bytes = (key: string): string => Buffer.from(key).toString('hex');

it('keys of texts are in the order of Unicode code points, in UTF-8 and by `<`', () => {
  const texts = [
    ...TEXTS,
    ...HIGH_TEXTS,
    ...HIGH_TEXTS.map((text) => `a${text}`),
    ...HIGH_TEXTS.map((text) => `${text}a`),
  ];
  const keys = texts.sort(compareText).map((text) => keyOf('t', [text]));

  expect([...keys].sort()).toEqual(keys);
  expect(keys.map(bytes).sort()).toEqual(keys.map(bytes));
  expect(new Set(keys).size).toBe(texts.length);
});

it('keys of numbers are in the order of the numbers', () => {
  const keys = NUMBERS.map((number) => keyOf('t', [number]));

  expect([...keys].sort()).toEqual(keys);
  expect(new Set(keys).size).toBe(NUMBERS.length);
});

it('keys of several parts are in the order of the first part that differs', () => {
  const parts: KeyPart[][] = [
    ['a', 'z'],
    ['a\0', 'a'],
    ['aa', 'a'],
    ['b', ''],
  ];
  const keys = parts.map((each) => keyOf('t', each));

  expect([...keys].sort()).toEqual(keys);
});

it.each([0.5, Number.NaN, Infinity, 2 ** 53, -(2 ** 53)])('the number %s cannot be in a key', (number) => {
  expect(() => keyOf('t', [number])).toThrow(`The number ${number} cannot be in a key`);
});

it('keys are well-formed and have no NUL', () => {
  const keys = [...TEXTS, ...HIGH_TEXTS].map((text) => keyOf('t', [text]));

  expect(keys.filter((key) => !key.isWellFormed() || key.includes('\0'))).toEqual([]);
});

it('a range has the keys that begin with its parts, and no others', () => {
  const [start, end] = [keyOf('t', ['a']), endOf(keyOf('t', ['a']))];
  const isIn = (key: string) => key >= start && key < end;

  expect([...TEXTS, ...HIGH_TEXTS].every((text) => isIn(keyOf('t', ['a', text])))).toBe(true);
  expect(['a\0', 'a\u0001', 'aa', '', 'b'].filter((text) => isIn(keyOf('t', [text, 'x'])))).toEqual([]);
  expect(startAfter(start) > start && startAfter(start) < keyOf('t', ['a\0'])).toBe(true);
});

it.each(['a', '\u0080', 'é', '\u0800', '中', '\ud7ff', '😀'])(
  'a key with 1,900 bytes of %s can be stored, one with more cannot',
  (character) => {
    const size = Buffer.byteLength(character);
    const longest = character.repeat(1_900 / size) + 'a'.repeat(1_900 % size);

    expect(isStorable(longest)).toBe(true);
    expect(isStorable(`${longest}a`)).toBe(false);
  },
);
