import { describe, expect, it } from 'vitest';
import { METADATA_MAX_BYTES, METADATA_MAX_DEPTH, metadataIssues, readSandboxOutcome } from './metadata.ts';

/** Objects nested so many levels deep: `{}` is one level. */
function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < levels; level += 1) value = level % 2 ? { a: value } : { a: [value] };
  return value;
}

const withBytes = (bytes: number): unknown => ({ a: 'é'.repeat((bytes - '{"a":""}'.length) / 2) });

describe('metadata', () => {
  it.each([
    ['empty', {}],
    ['every kind of value', { a: [1, -0.5, true, null, 'é', {}], '': '', 'key with "quotes"': '🦉' }],
    ['the largest exact integer', { a: Number.MAX_SAFE_INTEGER }],
    ['exactly 16 KiB', withBytes(METADATA_MAX_BYTES)],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['a key that objects inherit', JSON.parse('{"constructor":1,"toString":2}')],
  ])('takes %s', (_what, value) => {
    expect(metadataIssues(value)).toEqual([]);
  });

  it('accepts 20 levels and refuses 21', () => {
    const levels = (count: number) =>
      JSON.parse(`${'{"a":'.repeat(count - 1)}{}${'}'.repeat(count - 1)}`) as unknown;
    expect(metadataIssues(levels(METADATA_MAX_DEPTH))).toEqual([]);
    expect(metadataIssues(levels(METADATA_MAX_DEPTH + 1))).toHaveLength(1);
    expect(metadataIssues(nested(60_000))).toHaveLength(1);
  });

  it.each([
    ['null', null, ''],
    ['an array', [], ''],
    ['text', 'a', ''],
    ['a class instance', new Date(0), ''],
    ['16 KiB and two bytes', withBytes(METADATA_MAX_BYTES + 2), ''],
    ['16 KiB and more of bad values', { a: Array.from({ length: 4500 }, () => Infinity) }, ''],
    ['a bad value below a long key', { ['k'.repeat(300)]: [Infinity] }, `${'k'.repeat(199)}…`],
    ['an integer that a double cannot hold', JSON.parse('{"a":{"b":9007199254740993}}'), 'a.b'],
    ['a number past any double', JSON.parse('{"a":1e400}'), 'a'],
    ['a lone surrogate', JSON.parse('{"a":["\\ud800"]}'), 'a.0'],
    ['a lone surrogate as a key', JSON.parse('{"\\ud800":1}'), '\ud800'],
    ['NUL', { a: '\u0000' }, 'a'],
    ['__proto__ at the top', JSON.parse('{"__proto__":{"admin":true}}'), '__proto__'],
    ['__proto__ within', JSON.parse('{"a":[{"__proto__":1}]}'), 'a.0.__proto__'],
    ['what is not JSON', { a: undefined }, 'a'],
    ['a function', { a: () => 1 }, 'a'],
  ])('refuses %s', (_what, value, path) => {
    expect(metadataIssues(value).map((issue) => issue.path)).toEqual([path]);
  });
});

it('in live mode, sandboxOutcome is metadata like any other', () => {
  expect(readSandboxOutcome({ sandboxOutcome: 'whatever' }, 'live')).toBeNull();
});
