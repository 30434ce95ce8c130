import { expect, test } from 'vitest';
import { below, isJsonObject, isWithin, valueAt, withoutPaths, withValueAt } from './paths.ts';

const ANSWERS = { name: 'Ada', document: { number: '7', type: 'passport' }, tags: ['a'] };

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['a', false],
  [undefined, false],
])('%j is an object that is no list: %s', (value, expected) => {
  expect(isJsonObject(value)).toBe(expected);
});

test.each([
  ['document', 'document', true],
  ['document.number', 'document', true],
  ['documents', 'document', false],
  ['document', 'document.number', false],
])('%s is within %s: %s', (path, outer, expected) => {
  expect(isWithin(path, outer)).toBe(expected);
});

test('below: appends a key or an index', () => {
  expect([below('', 'a'), below('a', 'b'), below('', 0), below('a', 0)]).toEqual(['a', 'a.b', '0', 'a.0']);
});

test.each([
  ['name', 'Ada'],
  ['document.number', '7'],
  ['document', ANSWERS.document],
  ['document.gone', undefined],
  ['name.length', undefined],
  ['tags.0', undefined],
  ['toString', undefined],
  ['gone.number', undefined],
])('valueAt: %s', (path, expected) => {
  expect(valueAt(ANSWERS, path)).toEqual(expected);
});

test.each([
  ['name', 'Eva', { ...ANSWERS, name: 'Eva' }],
  ['name', undefined, { document: ANSWERS.document, tags: ['a'] }],
  ['document.number', '8', { ...ANSWERS, document: { number: '8', type: 'passport' } }],
  ['document.number', undefined, { ...ANSWERS, document: { type: 'passport' } }],
  ['gone.number', '8', { ...ANSWERS, gone: { number: '8' } }],
  ['name.first', 'Ada', { ...ANSWERS, name: { first: 'Ada' } }],
])('withValueAt: sets %s to %j', (path, value, expected) => {
  const before = structuredClone(ANSWERS);
  expect(withValueAt(before, path, value)).toStrictEqual(expected);
  expect(before).toEqual(ANSWERS);
});

test.each([
  [[], { a: 1, rows: [{ b: 1 }, null] }],
  [['a'], { rows: [{ b: 1 }, null] }],
  [['rows.0'], { a: 1, rows: [undefined, null] }],
  [['rows.0.b', 'rows.1'], { a: 1, rows: [{}, undefined] }],
  [['a.b', 'row'], { a: 1, rows: [{ b: 1 }, null] }],
  [[''], undefined],
])('withoutPaths: without %j', (paths, expected) => {
  expect(withoutPaths({ a: 1, rows: [{ b: 1 }, null] }, new Set(paths))).toStrictEqual(expected);
});
