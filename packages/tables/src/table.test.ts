import { expect, test } from 'vitest';
import { type Column, isNullable } from './column.ts';
import { checksOf, columnName, oneOf, positionsOf, table, whole, withColumns } from './table.ts';

interface Visit {
  readonly id: string;
  readonly at: Date;
  readonly place: 'here' | 'there' | null;
  readonly guest: { readonly name: string; readonly age: number | null } | null;
}

const columns = {
  id: { kind: 'id' },
  at: { kind: 'moment' },
  place: { kind: 'choice', of: ['here', 'there'], nullable: true, checked: true },
  guestName: { kind: 'text', nullable: 'group' },
  guestAge: { kind: 'integer', nullable: true },
} as const;
const nested = { guest: { nullable: true, parts: { name: 'guestName', age: 'guestAge' } } } as const;
const visit = { name: 'visits', called: 'visit', key: ['id'] } as const;
const visits = table<Visit>()({ ...visit, columns, nested });

test('table: columns that cannot store the entry do not compile', () => {
  const { at: _, ...withoutAt } = columns;
  // @ts-expect-error: a column is missing
  table<Visit>()({ ...visit, columns: withoutAt, nested });
  // @ts-expect-error: a column is of another type
  table<Visit>()({ ...visit, columns: { ...columns, at: { kind: 'flag' } }, nested });
  // @ts-expect-error: a choice has a value that the field has not
  table<Visit>()({ ...visit, columns: { ...columns, place: { ...columns.place, of: ['elsewhere'] } }, nested });
  // @ts-expect-error: a field is never null
  table<Visit>()({ ...visit, columns: { ...columns, at: { kind: 'moment', nullable: true } }, nested });
  // @ts-expect-error: a field may be null
  table<Visit>()({ ...visit, columns: { ...columns, place: { kind: 'choice', of: ['here', 'there'] } }, nested });
  // @ts-expect-error: a column is no field and has no value
  table<Visit>()({ ...visit, columns: { ...columns, extra: { kind: 'text' } }, nested });
  const parts = { guest: { nullable: true, parts: { name: 'guestName' } } } as const;
  // @ts-expect-error: a part of a group is missing
  table<Visit>()({ ...visit, columns, nested: parts });
  const added = { ...columns, extra: { kind: 'text', nullable: true, value: null } } as const;
  expect(Object.keys(table<Visit>()({ ...visit, columns: added, nested }).columns)).toEqual([
    'id',
    'at',
    'place',
    'guestName',
    'guestAge',
    'extra',
  ]);
});

test('table: a check, a key and a group of an unknown column are refused', () => {
  const unknownCheck = () => table<Visit>()({ ...visit, columns, nested, checks: { some: '{ta} > 0' } });
  expect(unknownCheck).toThrow('The table visits has no column ta');
  const define = table<unknown>() as (definition: object) => unknown;
  expect(() => define({ ...visit, columns, key: ['room'] })).toThrow('The table visits has no column room');
  expect(() => define({ ...visit, columns, key: ['room', 'id'] })).toThrow('The table visits has no column room');
  expect(() => define({ ...visit, columns, key: [] })).toThrow('The table visits has no column ');
  const unknownPart = { guest: { parts: { name: 'nickname' } } };
  expect(() => define({ ...visit, columns, nested: unknownPart })).toThrow('no column nickname');
});

test('table: a fault names the row by the last column of the key, or by the named one', () => {
  expect(visits).toMatchObject({ by: 'id', nested, checks: {} });
  expect(table<Visit>()({ ...visit, key: ['at', 'id'], by: 'at', columns, nested }).by).toBe('at');
});

test('columnName: a field without a name of its own has its snake case', () => {
  expect(columnName('guestFullName', { kind: 'text' })).toBe('guest_full_name');
  expect(columnName('guestName', { kind: 'text', column: 'guest' })).toBe('guest');
  expect(positionsOf(visits)).toEqual({ id: 0, at: 1, place: 2, guestName: 3, guestAge: 4 });
});

test.each<[Column, boolean]>([
  [{ kind: 'text' }, false],
  [{ kind: 'text', nullable: true }, true],
  [{ kind: 'text', nullable: 'group' }, true],
  [{ kind: 'mark' }, true],
  [{ kind: 'texts' }, false],
  [{ kind: 'texts', emptyAsNull: true }, true],
])('isNullable: %o is %s', (column, expected) => {
  expect(isNullable(column)).toBe(expected);
});

test('withColumns: the column stands behind the named one', () => {
  const { columns: extended } = withColumns(visits, 'at', {
    slot: { kind: 'integer', nullable: true, value: null },
  });
  expect(Object.keys(extended).slice(0, 4)).toEqual(['id', 'at', 'slot', 'place']);
});

test('checksOf: a checked choice has a constraint of its own', () => {
  const checks = { visits_guest: whole('guestName', 'guestAge') };
  expect([...checksOf({ ...visits, checks })]).toEqual([
    ['visits_known_place', ['', 'place', " in ('here', 'there')"]],
    ['visits_guest', ['(', 'guestName', ' is null) = (', 'guestAge', ' is null)']],
  ]);
  const { place } = columns;
  const choices = {
    ...columns,
    place: { ...place, checked: 'visits_place' },
    at: { kind: 'choice', of: ['now'] },
  };
  expect([...checksOf({ ...visits, columns: choices }).keys()]).toEqual(['visits_place']);
  expect(oneOf('place', ['here'])).toBe("{place} in ('here')");
});
