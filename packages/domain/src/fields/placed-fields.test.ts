import { describe, expect, test } from 'vitest';
import { isAsked, mayBeAbsent, requiredByConditions, withoutUnasked } from './conditions.ts';
import type { FieldList } from './field.ts';
import { makePages, pagesFor } from './pages.ts';
import { fieldAt, placedFields, rowsOf, textKeysOf } from './placed-fields.ts';
import { schemaOf } from './schema.ts';

const text = { kind: 'text', max: 10 } as const;
const fields: FieldList = {
  kind: text,
  home: { kind: 'group', fields: { city: text, leash: { ...text, when: { city: ['Rome'] } } } },
  friends: { kind: 'rows', max: 2, fields: { name: text, age: { ...text, when: { name: ['Ann', null] } } } },
  tags: { kind: 'list', each: text, max: 2 },
};

test('placedFields: each field comes before the fields within it', () => {
  expect(placedFields(fields).map(({ path, key }) => [path, key])).toEqual([
    ['kind', 'kind'],
    ['home', 'home'],
    ['home.city', 'city'],
    ['home.leash', 'leash'],
    ['friends', 'friends'],
    ['friends.name', 'name'],
    ['friends.age', 'age'],
    ['tags', 'tags'],
  ]);
});

test.each([
  ['kind', 'text'],
  ['home', 'group'],
  ['home.city', 'text'],
  ['home.gone', null],
  ['friends', 'rows'],
  ['friends.name', null],
  ['kind.city', null],
  ['gone', null],
  ['toString', null],
  ['', null],
])('fieldAt: %s', (path, kind) => {
  expect(fieldAt(fields, path)?.kind ?? null).toBe(kind);
});

test('textKeysOf: leaves out indexes, and only these', () => {
  expect(textKeysOf('step', '0.line1.12.1st')).toEqual(['step.line1.1st', 'line1.1st', '1st']);
});

test('rowsOf: an entry of rows that is no object stays one line', () => {
  const rows = rowsOf(fields, {
    friends: [{ name: 'Ann' }, 'Bob', null],
    tags: ['a', 'b'],
    home: { x: { y: 1 } },
  });
  expect(rows.map(({ path, field, value }) => [path, field?.kind ?? null, value])).toEqual([
    ['home.x.y', null, 1],
    ['friends.0.name', 'text', 'Ann'],
    ['friends.1', null, 'Bob'],
    ['friends.2', null, null],
    ['tags', 'list', ['a', 'b']],
  ]);
});

test('a condition holds for one of its values; null is for a sibling without an answer', () => {
  const age = { ...text, when: { name: ['Ann', null] } };
  expect([{ name: 'Ann' }, {}, { name: 'Bob' }].map((siblings) => isAsked(age, siblings))).toEqual([
    true,
    true,
    false,
  ]);
  expect(isAsked(text, {})).toBe(true);
  const both = { ...text, when: { a: [1], b: [2] } };
  expect([isAsked(both, { a: 1, b: 2 }), isAsked(both, { a: 1, b: 3 })]).toEqual([true, false]);
});

test.each([
  [{ home: { city: 'Rome', leash: 'L' } }, { home: { city: 'Rome', leash: 'L' } }],
  [{ home: { city: 'Oslo', leash: 'L' } }, { home: { city: 'Oslo' } }],
  [
    { home: 'x', friends: 'y', kind: { city: 'Oslo', leash: 'L' } },
    { home: 'x', friends: 'y', kind: { city: 'Oslo', leash: 'L' } },
  ],
  [{ friends: [{ name: 'Bob', age: '1' }, 'x', { age: '2' }] }, { friends: [{ name: 'Bob' }, 'x', { age: '2' }] }],
  [{ tags: [{ x: 1 }] }, { tags: [{ x: 1 }] }],
  [{ toString: 1 }, { toString: 1 }],
])('withoutUnasked: of %j', (answers, kept) => {
  expect(withoutUnasked(fields, answers as never)).toEqual(kept);
});

test.each([
  [{}, []],
  [{ home: { city: 'Rome' } }, ['home.leash']],
  [{ home: { city: 'Rome', leash: 'L' } }, []],
  [{ home: 'Rome', friends: {}, kind: { city: 'Rome' }, tags: [{ x: 1 }] }, []],
  [{ friends: [{ name: 'Bob' }, 'x', {}, { name: 'Ann' }] }, ['friends.2.age', 'friends.3.age']],
])('requiredByConditions: of %j', (answers, paths) => {
  expect(requiredByConditions(fields, answers as never).map(({ path }) => path)).toEqual(paths);
});

test('requiredByConditions: an optional field is never required', () => {
  const optional: FieldList = { a: text, b: { ...text, optional: true, when: { a: ['x'] } } };
  expect(requiredByConditions(optional, { a: 'x' })).toEqual([]);
});

describe('a field that a setting of the client asks for', () => {
  const asked: FieldList = { a: { ...text, asked: 'placeOfBirth' }, b: text };
  const off = { placeOfBirth: false, proofOfAddress: true };

  test('the field is required, dropped or left out of its page by the setting', () => {
    expect(requiredByConditions(asked, {}).map(({ path }) => path)).toEqual(['a']);
    expect(requiredByConditions(asked, {}, off)).toEqual([]);
    expect(withoutUnasked(asked, { a: 'x', b: 'y' }, off)).toEqual({ b: 'y' });
    const pages = makePages(asked, { one: ['a', 'b'], two: ['a'] });
    const shown = (asks?: typeof off) =>
      pagesFor({ fields: asked, pages }, {}, asks).map((page) => [page.slug, page.fields.map(({ key }) => key)]);
    expect(shown()).toEqual([
      ['one', ['a', 'b']],
      ['two', ['a']],
    ]);
    expect(shown(off)).toEqual([['one', ['b']]]);
  });

  test('the field is optional in the schema of an input', () => {
    expect(schemaOf(asked).safeParse({ b: 'y' }).success).toBe(true);
  });
});

test('a field that may be absent is required unless its condition holds', () => {
  const fields: FieldList = { a: text, b: { ...text, absence: { a: ['x'] } }, c: { ...text, absence: {} } };
  expect(requiredByConditions(fields, { a: 'x' })).toEqual([]);
  expect(requiredByConditions(fields, { a: 'y' }).map(({ path }) => path)).toEqual(['b']);
  expect([mayBeAbsent(text, {}), mayBeAbsent({ ...text, absence: {} }, {})]).toEqual([false, true]);
});

test('pagesFor: a part of a group is asked by the answers within it', () => {
  const pages = makePages(fields, { home: ['home.leash'], others: ['friends', 'tags'], part: ['home.city'] });
  const slugs = (answers: object) => pagesFor({ fields, pages }, answers as never).map(({ slug }) => slug);
  expect(slugs({ home: { city: 'Rome' } })).toEqual(['home', 'others', 'part']);
  expect(slugs({ home: { city: 'Oslo' } })).toEqual(['others', 'part']);
  expect(slugs({ home: 'x' })).toEqual(['others', 'part']);
});

test('makePages: the key of a field is the last part of its path', () => {
  const nested: FieldList = { a: { kind: 'group', fields: { b: { kind: 'group', fields: { c: text } } } } };
  expect(makePages(nested, { one: ['a.b.c'] })[0]?.fields.map(({ key }) => key)).toEqual(['c']);
});
