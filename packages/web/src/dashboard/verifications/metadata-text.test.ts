import { describe, expect, it } from 'vitest';
import { jsonFaultIn } from './metadata-text.ts';

describe('where a text is not JSON', () => {
  it.each([
    '{}',
    ' [ ] ',
    '{"a":{"b":[1,-2.5e+3,0,true,false,null,"x\\u00e9\\n\\"\\\\"]}}',
    '\n{ "a" : 1 ,\r\n\t"b" : "Zoë 😀 \u007f\u2028" }\n',
    '"text"',
    '{"a":1,"a":2}',
  ])('%j is JSON', (text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(jsonFaultIn(text)).toBeNull();
  });

  it.each([
    ['{"a": x}', 1, 7],
    ["{'a': 1}", 1, 2],
    ['{"a": 1,}', 1, 9],
    ['{"a": 1\n "b": 2}', 2, 2],
    ['{"a": 01}', 1, 7],
    ['{"a": 1.}', 1, 7],
    ['{"a": "\t"}', 1, 7],
    ['{"a": "\\x"}', 1, 7],
    ['[1 2]', 1, 4],
    ['{} {}', 1, 4],
    ['{\n  "a": [1,\n  2}]', 3, 4],
    ['plan=gold', 1, 1],
    ['\u00a0{}', 1, 1],
    ['{"a" 1}', 1, 6],
    ['nullx', 1, 1],
  ])('%j stops at line %d, column %d', (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonFaultIn(text)).toEqual({ line, column, atEnd: false });
  });

  it.each(['', '{', '{"a"', '{"a":', '{"a":1', '[1,', '  '])('%j ends too early', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonFaultIn(text)?.atEnd).toBe(true);
  });

  it('brackets without end are answered too', () => {
    expect(jsonFaultIn('['.repeat(400) + ']'.repeat(400))).toBeNull();
    expect(jsonFaultIn('['.repeat(60_000))).toEqual({ line: 1, column: 501, atEnd: false });
  });
});
