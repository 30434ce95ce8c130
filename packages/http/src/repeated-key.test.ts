import { expect, it } from 'vitest';
import { repeatedKey } from './repeated-key.ts';

it.each([
  '{}',
  '{"a":{"a":{"a":1}},"b":{"a":1}}',
  '{"a":[{"b":1},{"b":2}],"b":3}',
  '{"a":"a","b":"\\"a\\":","c":"{\\"a\\":1,"}',
  '{"a":"}","b":"{","A":1," a":1}',
  '{"\\\\":1,"\\"":2,"":3}',
  '["a","a"]',
])('repeatedKey: null for %s', (text) => {
  expect(repeatedKey(text, JSON.parse(text))).toBeNull();
});

it.each([
  ['{"a":1,"a":1}', 'a'],
  ['{"a" \n\t: 1, "b":2, "a"\r\n:1}', 'a'],
  [String.raw`{"a":1,"\u0061":1}`, 'a'],
  [String.raw`{"\"":1,"\u0022":1}`, '"'],
  [String.raw`{"\\":1,"\\":1}`, '\\'],
  ['{"":1,"":1}', ''],
  ['{"x":[1,{"b":{"c":{}},"d":"}","b":2}]}', 'b'],
  ['{"a":{"b":1},"a":2}', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('repeatedKey: finds the key in %s', (text, key) => {
  expect(repeatedKey(text, JSON.parse(text))).toBe(key);
});

it('repeatedKey: handles very long and very deep texts', () => {
  const texts = [
    `{"a":"${'\\\\'.repeat(500_000)}"}`,
    `{"a":"b"${' '.repeat(1_000_000)}}`,
    `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`,
  ];
  for (const text of texts) expect(repeatedKey(text, JSON.parse(text))).toBeNull();
});
