import { PgDialect, pgTable, text } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { columnsOf, insertInto, isAfter, oneOf, parameter } from './columns.ts';
import { sql } from './drizzle.ts';
import { createShapes, isUsed } from './shapes.ts';
import { buildStatement } from './statement.ts';

const notes = pgTable('notes', { id: text('id'), writtenBy: text('written_by') });
const built = (query: ReturnType<typeof sql>) => buildStatement<string | number>(new PgDialect(), query);

it('buildStatement: binds named values in the order of the text, a name as often as it is used, and written-out values', () => {
  const { text, parametersOf } = built(sql`select ${parameter('b')}, ${7}, ${parameter('a')}, ${parameter('b')}`);
  expect(text).toBe('select $1, $2, $3, $4');
  expect(parametersOf({ a: 'A', b: 'B', unused: 'C' })).toEqual(['B', 7, 'A', 'B']);
});

it('buildStatement: a missing value is refused and named', () => {
  const { parametersOf } = built(sql`select ${parameter('a')}`);
  expect(() => parametersOf({ b: 1 })).toThrow(new TypeError('The parameter a has no value'));
});

it('columns: an INSERT and a SELECT name them in the order of the table, with other expressions in their place', () => {
  expect(built(insertInto(notes, { id: sql`'first'` })).text).toBe(
    `insert into "notes" ("id", "written_by") values ('first', $1)`,
  );
  expect(built(columnsOf(notes, { id: sql`'none'` })).text).toBe(`'none', "notes"."written_by"`);
});

it('conditions: a position is compared as a row, and values are written out', () => {
  const after = built(isAfter([notes.writtenBy, notes.id], ['by', 'id'].map(parameter)));
  expect(after.text).toBe('("notes"."written_by", "notes"."id") > ($1, $2)');
  expect(after.parametersOf({ id: 'first', by: 'Ada' })).toEqual(['Ada', 'first']);
  expect(built(oneOf(notes.id, ['a', 'b'])).text).toBe(`"notes"."id" in ('a', 'b')`);
});

it('createShapes: builds one value for each shape, at its first use', () => {
  const shapes = createShapes<object>();
  const first = shapes('a', () => ({}));
  expect(shapes('a', () => ({}))).toBe(first);
  expect(shapes('b', () => ({}))).not.toBe(first);
  expect([undefined, null, 0].map(isUsed)).toEqual(['-', '+', '+']);
});
