import { describe, expect, it } from 'vitest';
import { issuesOf } from '../input/parse.ts';
import type { Field } from './field.ts';
import { schemaOfField, storedSchemaOf } from './schema.ts';

const startsWithX = {
  test: (text: string) => text.startsWith('x'),
  code: 'not_a_lei',
  message: 'must start with x',
} as const;
const text = { kind: 'text', max: 3 } as const;
const letters = { kind: 'choice', of: ['a', 'b', 1] } as const;

/** Each kind of field with values that it accepts and values that it refuses. */
const KINDS: [name: string, field: Field, accepted: unknown[], refused: unknown[]][] = [
  ['text', text, ['abc', 'äöü', '🦉🦉🦉', 'a\nb'], ['', '   ', 'abcd', 'a\u0000', '\ud800', 1, null]],
  ['a label', { ...text, shape: 'label' }, ['a b'], ['a\nb', '\u001b', 'abcd', '']],
  ['checked text', { ...text, check: startsWithX }, ['x', 'xyz and more'], ['abc', '', 1]],
  ['e-mail', { kind: 'email' }, ['ada@example.org'], ['ada', `ada@${'x'.repeat(250)}.org`, 1]],
  ['phone', { kind: 'phone' }, ['+4930123456'], ['030 123456', '']],
  [
    'website',
    { kind: 'website' },
    ['https://example.org', 'http://example.org/a?b=c'],
    [
      'ftp://example.org',
      'xhttp://example.org',
      'https5://example.org',
      'example.org',
      `https://example.org/${'x'.repeat(500)}`,
    ],
  ],
  [
    'language',
    { kind: 'language' },
    ['de', 'gsw', 'de-DE', 'zh-Hant-TW', 'de-12345678'],
    ['d', 'germ', 'de_DE', 'de-D', 'de-123456789', '-de', 'de-', 'x de', 'de x', '1e'],
  ],
  [
    'timestamp',
    { kind: 'timestamp' },
    ['2026-03-01T10:00:00.000Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    ['2026-03-01', '2026-03-01T10:00:00+01:00', '0000-01-01T00:00:00Z'],
  ],
  ['id', { kind: 'id' }, ['a', 'x'.repeat(100)], ['', 'x'.repeat(101), 7]],
  ['file', { kind: 'file', evidence: 'selfie' }, ['a', 'x'.repeat(100)], ['', 'x'.repeat(101), 7]],
  ['date', { kind: 'date' }, ['2028-02-29'], ['2026-02-29', '1.3.2026', '2026-03-01T10:00:00.000Z']],
  [
    'date from a first day on',
    { kind: 'date', notBefore: '1900-01-01' },
    ['1900-01-01', '2028-02-29'],
    ['1899-12-31', '0090-02-03', '90-02-03', '2026-02-29', ''],
  ],
  ['country', { kind: 'country' }, ['DE', 'US'], ['de', 'XX', 'DEU', '', 1]],
  ['choice', letters, ['a', 'b', 1], ['c', 'A', '1', 2]],
  ['number', { kind: 'number' }, [-1.5, 0, 1e9], ['1', Number.NaN, Number.POSITIVE_INFINITY]],
  ['whole number', { kind: 'number', integer: true, min: 1, max: 3 }, [1, 2, 3], [0, 4, 1.5]],
  ['number above', { kind: 'number', above: 0, max: 100 }, [0.1, 100], [0, -1, 100.1]],
  ['statement', { kind: 'statement' }, [true], [false, 'true', 1]],
  ['flag', { kind: 'flag' }, [true, false], ['true', 0]],
  [
    'list',
    { kind: 'list', each: text, min: 1, max: 2 },
    [['a'], ['a', 'a']],
    [[], ['a', 'b', 'c'], ['abcd'], 'a'],
  ],
  ['list without a least length', { kind: 'list', each: letters, max: 2 }, [[], ['b', 'a']], [['a', 'a'], ['c']]],
  [
    'rows',
    { kind: 'rows', min: 1, max: 2, fields: { name: text } },
    [[{ name: 'a' }], [{ name: 'a' }, { name: 'a' }]],
    [[], [{ name: 'a' }, { name: 'b' }, { name: 'c' }], [{}], [{ name: 'a', age: 1 }], {}],
  ],
  ['rows without a least length', { kind: 'rows', max: 1, fields: { name: text } }, [[]], [['a']]],
  ['group', { kind: 'group', fields: { name: text } }, [{ name: 'a' }], [{}, { name: 'a', age: 1 }, [], 'a']],
];

describe.each(KINDS)('an answer to a field of kind %s', (_name, field, accepted, refused) => {
  it('is accepted within its bounds', () => {
    const schema = schemaOfField(field);
    for (const value of accepted)
      expect(schema.safeParse(value), JSON.stringify(value)).toMatchObject({ data: value });
  });

  it('is refused outside of them, or of another kind', () => {
    const schema = schemaOfField(field);
    for (const value of refused) expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(false);
  });

  it('may be left out only if it is optional or has a condition', () => {
    expect(schemaOfField(field).safeParse(undefined).success).toBe(false);
    expect(schemaOfField({ ...field, optional: true }).safeParse(undefined).success).toBe(true);
    expect(schemaOfField({ ...field, when: { other: ['x'] } }).safeParse(undefined).success).toBe(true);
  });

  it('can be read from a storage, and so can none', () => {
    const stored = storedSchemaOf({ field });
    for (const value of accepted) expect(stored.parse({ field: value })).toEqual({ field: value });
    expect(stored.parse({ gone: 1 })).toEqual({ gone: 1 });
  });
});

it.each<[name: string, field: Field, kept: unknown, refused: unknown]>([
  ['text', text, 'far too long', 1],
  ['e-mail', { kind: 'email' }, 'ada', 1],
  ['phone', { kind: 'phone' }, '030', 1],
  ['website', { kind: 'website' }, 'example', 1],
  ['language', { kind: 'language' }, 'German', 1],
  ['id', { kind: 'id' }, '', 1],
  ['file', { kind: 'file', evidence: 'selfie' }, '', 1],
  ['date', { kind: 'date' }, 'yesterday', 1],
  ['date from a first day on', { kind: 'date', notBefore: '1900-01-01' }, '0090-02-03', 1],
  ['country', { kind: 'country' }, 'XX', 1],
  ['timestamp', { kind: 'timestamp' }, '2026-03-01T10:00:00+01:00', 'yesterday'],
  ['choice', letters, 'c', true],
  ['choice of numbers', letters, 7, {}],
  ['number', { kind: 'number', max: 1 }, 2, '2'],
  ['statement', { kind: 'statement' }, false, 'yes'],
  ['flag', { kind: 'flag' }, false, 'no'],
  ['list', { kind: 'list', each: text, min: 1, max: 1 }, ['far too long', ''], [1]],
  ['rows', { kind: 'rows', max: 1, fields: { name: text } }, [{}, { name: '', age: 1 }], [{ name: 1 }]],
  ['group', { kind: 'group', fields: { name: text } }, { age: 1 }, { name: 1 }],
])('a stored answer of kind %s keeps its kind, not its bounds', (_name, field, kept, refused) => {
  const stored = storedSchemaOf({ field });
  expect(stored.parse({ field: kept })).toEqual({ field: kept });
  expect(stored.safeParse({ field: refused }).success).toBe(false);
});

it('text is trimmed', () => {
  expect(schemaOfField(text).parse('  a ')).toBe('a');
  expect(schemaOfField({ ...text, check: startsWithX }).parse('  xyz ')).toBe('xyz');
});

it.each<[string, Field, unknown, code: string, limit: number | undefined]>([
  ['too long a text', text, 'abcd', 'too_long', 3],
  ['text that no database stores', text, 'a\u0000', 'not_plain_text', undefined],
  ['a label of two lines', { ...text, shape: 'label' }, 'a\nb', 'not_plain_text', undefined],
  ['text that its check refuses', { ...text, check: startsWithX }, 'abc', 'not_a_lei', undefined],
  ['an unknown country', { kind: 'country' }, 'XX', 'not_a_country', undefined],
  ['a date before the first', { kind: 'date', notBefore: '1900-01-01' }, '0090-02-03', 'too_early', 1900],
  ['a date that does not exist', { kind: 'date', notBefore: '1900-01-01' }, '1899-02-30', 'not_a_date', undefined],
  ['a repeated choice', { kind: 'list', each: letters, max: 1 }, ['a', 'a'], 'invalid', undefined],
  ['too many choices', { kind: 'list', each: letters, max: 1 }, ['a', 'b'], 'too_many', 1],
])('the issue of %s has a code and a limit', (_what, field, value, code, limit) => {
  const { error } = schemaOfField(field).safeParse(value);
  const issues = error === undefined ? [] : issuesOf(error, value);
  expect(issues.map((issue) => [issue.code, issue.limit])).toEqual([[code, limit]]);
});

it.each<[description: string, field: Field]>([
  ['ISO 3166-1 alpha-2 code.', { kind: 'country' }],
  ['Where the company is registered.', { kind: 'country', description: 'Where the company is registered.' }],
])('the schema of a field has a description: %s', (description, field) => {
  expect(schemaOfField(field).meta()?.description).toBe(description);
});
