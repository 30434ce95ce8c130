import type { JsonObject, JsonValue } from '@countersign/domain';
import { DIFFICULT_TEXTS } from './texts.ts';

/** Valid metadata that is difficult to store, by its difficulty. */
export const DIFFICULT_METADATA: Readonly<Record<string, JsonObject>> = {
  'nothing at all': {},
  'twenty levels of objects': nested(20, (inner) => ({ level: inner })),
  'twenty levels of arrays': { level: nested(19, (inner) => [inner]) },
  'empty things': { object: {}, array: [], text: '', nothing: null, arrays: [[], [[]], {}] },
  'every scalar': { yes: true, no: false, nothing: null, zero: 0, one: 1, text: 'text' },
  numbers: {
    numbers: [0, -1, 1.5, -0.1, 0.1 + 0.2, 1 / 3, 1e-7, 123_456.789, 2 ** 31, 2 ** 53 - 1, -(2 ** 53) + 1],
    smallest: Number.MIN_VALUE,
  },
  'texts that look like something else': {
    texts: ['1', '1.0', 'true', 'null', '2026-03-10T09:00:00.000Z', '{"a":1}', '[1]', ''],
  },
  'difficult texts': { texts: DIFFICULT_TEXTS.slice(0, 31) },
  'difficult keys': Object.fromEntries(
    [
      '',
      ' ',
      'a.b',
      'a[0]',
      '$ref',
      '$set',
      "it's",
      '"',
      '\\',
      'é',
      'ключ',
      '鍵',
      '😀',
      '\u{1d4b3}',
      '\uff21',
      '0',
      '-1',
    ]
      .concat(['constructor', 'toString', 'length', 'hasOwnProperty', 'prototype', 'A', 'a'])
      .map((key, index) => [key, index]),
  ),
  'lists whose order counts': { list: [3, 1, 2, 1, null, 'b', 'a', { b: 1 }, { a: 2 }] },
  'sixteen kibibytes': { text: 'ü'.repeat(8_000), rest: 'x'.repeat(300) },
};

function nested<T extends JsonValue>(levels: number, wrap: (inner: JsonValue) => T): T {
  let value = wrap('innermost');
  for (let level = 1; level < levels; level += 1) value = wrap(value);
  return value;
}
