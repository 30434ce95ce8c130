import { expect, it } from 'vitest';
import { canonicalJson, jsonDepth } from './json.ts';
import { characterCount, isPlainLine, isStorableText, utf8Length } from './text.ts';

it('canonical JSON is the same for the same value, whatever the order of its keys', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'é' }], a: true })).toBe('{"a":true,"b":[1,{"c":"é","d":null}]}');
  expect(canonicalJson({ a: true, b: [1, { c: 'é', d: null }] })).toBe('{"a":true,"b":[1,{"c":"é","d":null}]}');
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

it.each([
  [1, 0],
  [{}, 1],
  [{ a: [] }, 2],
  [{ a: 1, b: { c: [{}] } }, 4],
])('the depth of %j is %i', (value, depth) => {
  expect(jsonDepth(value, 10)).toBe(depth);
});

it('the depth is counted to one level above the limit, and nothing is read after that', () => {
  const unread = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('was read');
      },
    },
  );
  expect(jsonDepth({ a: { b: { c: { d: {} } } } }, 2)).toBe(3);
  expect(jsonDepth([[{}], unread], 2)).toBe(3);
  expect(jsonDepth(unread, 0)).toBe(1);
});

it.each([
  ['\u007f', 1],
  ['\u0080', 2],
  ['\u07ff', 2],
  ['\u0800', 3],
  ['\uffff', 3],
  ['\u{10000}', 4],
  ['\u{10ffff}', 4],
])('%j has %i bytes in UTF-8', (text, bytes) => {
  expect(utf8Length(text)).toBe(bytes);
});

it('lengths are bytes of UTF-8 and characters of Unicode', () => {
  expect([utf8Length('aé€🦉'), characterCount('aé€🦉')]).toEqual([10, 4]);
  expect([isStorableText('🦉'), isStorableText('\udf00'), isStorableText('\u0000')]).toEqual([true, false, false]);
});

it.each(['Acme', 'Żółć & Søn 🦉', 'אבג', '1 + 1 = 2 ?', ''])('%j is one plain line', (text) => {
  expect(isPlainLine(text)).toBe(true);
});

it.each([
  'a\u0000',
  'a\nb',
  '\u001b[2J',
  '\u007f',
  '\u009b',
  '\u202e',
  '\u202a',
  '\u2066',
  '\u2069',
  '\ud800',
  '=?utf-8?Q?=E2=80=AE?=',
])('%j is not one plain line', (text) => {
  expect(isPlainLine(`a${text}b`)).toBe(false);
});
