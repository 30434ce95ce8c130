import type { JsonObject } from '@countersign/domain';
import { expect, test } from 'vitest';
import { createRows, type Dialect } from './rows.ts';
import { table } from './table.ts';

/** A database that stores and reads each kind in a form of its own, so that a mistaken kind shows. */
const DIALECT: Dialect = {
  read: {
    text: (_, value) => `text ${String(value)}`,
    integer: (_, value) => Number(value) + 1,
    bigInteger: (_, value) => Number(value) + 2,
    number: (_, value) => Number(value) + 3,
    flag: (_, value) => value === 'yes',
    moment: (_, value) => new Date(`${String(value)}T00:00Z`),
    bytes: (_, value) => Uint8Array.of(Number(value)),
    object: (_, value) => ({ value: String(value) }),
    array: (column, value) => {
      if (Array.isArray(value)) return value;
      throw new Error(`${column} is not an array`);
    },
  },
  write: {
    flag: (value) => (value ? 'yes' : 'no'),
    moment: (value) => value.toISOString().slice(0, 10),
    hash: (value) => `hash ${value}`,
    bytes: (value) => value[0],
    json: (value) => `json ${JSON.stringify(value)}`,
  },
  place: (field) => field,
};

type Side = 'left' | 'right';

interface Visit {
  readonly id: string;
  readonly hash: string;
  readonly side: Side;
  readonly sides: readonly Side[];
  readonly parsed: Side;
  readonly size: number;
  readonly big: number;
  readonly share: number;
  readonly isPaid: boolean;
  readonly isMarked: boolean;
  readonly at: Date;
  readonly endedAt: Date | null;
  readonly bytes: Uint8Array;
  readonly texts: readonly string[];
  readonly names: readonly string[];
  readonly data: JsonObject;
  readonly policy: { readonly days: string };
  readonly guest: { readonly name: string | null; readonly born: Date | null };
  readonly host: { readonly name: string; readonly since: Date } | null;
}

const SIDES = ['left', 'right'] as const;
const visits = table<Visit>()({
  name: 'visits',
  called: 'visit',
  key: ['id'],
  nested: {
    guest: { parts: { name: 'guestName', born: 'guestBorn' } },
    host: { nullable: true, parts: { name: 'host', since: 'hostSince' } },
  },
  columns: {
    id: { kind: 'id' },
    hash: { kind: 'hash' },
    side: { kind: 'choice', of: SIDES },
    sides: { kind: 'choices', of: SIDES },
    parsed: { kind: 'parsed', parse: (value) => (value === 'L' ? 'left' : 'right') },
    size: { kind: 'integer' },
    big: { kind: 'integer', size: 'big' },
    share: { kind: 'number' },
    isPaid: { kind: 'flag' },
    isMarked: { kind: 'mark' },
    at: { kind: 'moment' },
    endedAt: { kind: 'moment', nullable: true },
    bytes: { kind: 'bytes' },
    texts: { kind: 'texts' },
    names: { kind: 'texts', emptyAsNull: true },
    data: { kind: 'object' },
    policy: { kind: 'document', parse: ({ value }) => ({ days: `${JSON.stringify(value)} days` }) },
    guestName: { kind: 'text', nullable: true },
    guestBorn: { kind: 'moment', nullable: true },
    host: { kind: 'text', nullable: 'group' },
    hostSince: { kind: 'moment', nullable: 'group', column: 'since' },
    isLong: { kind: 'flag', value: ({ size }: Visit) => size > 9 },
    slot: { kind: 'integer', nullable: true, value: null },
    seenAt: { kind: 'moment', nullable: true, value: null },
  },
});

const rows = () => createRows(visits, DIALECT);
const [MAY, JUNE] = [new Date('2030-05-01'), new Date('2030-06-01')];

const VISIT: Visit = {
  id: 'one',
  hash: 'ab',
  side: 'left',
  sides: ['right'],
  parsed: 'left',
  size: 10,
  big: 20,
  share: 0.5,
  isPaid: true,
  isMarked: true,
  at: MAY,
  endedAt: null,
  bytes: Uint8Array.of(7),
  texts: [],
  names: [],
  data: { a: 1 },
  policy: { days: '3' },
  guest: { name: 'Ada', born: null },
  host: { name: 'Grace', since: JUNE },
};

/** Columns of entries and of their parts, as they are written. */
const WRITTEN = {
  id: 'one',
  hash: 'hash ab',
  side: 'left',
  sides: 'json ["right"]',
  parsed: 'left',
  size: 10,
  big: 20,
  share: 0.5,
  isPaid: 'yes',
  isMarked: 'yes',
  at: '2030-05-01',
  endedAt: null,
  bytes: 7,
  texts: 'json []',
  names: null,
  data: 'json {"a":1}',
  policy: 'json {"days":"3"}',
  guestName: 'Ada',
  guestBorn: null,
  host: 'Grace',
  hostSince: '2030-06-01',
};

/** A row as this database reads it. */
const READ = {
  id: 1,
  hash: 2,
  side: 'right',
  sides: ['left'],
  parsed: 'L',
  size: 10,
  big: 20,
  share: 30,
  isPaid: 'yes',
  isMarked: 'yes',
  at: '2030-05-01',
  endedAt: '2030-06-01',
  bytes: 7,
  texts: ['a'],
  names: ['b'],
  data: 3,
  policy: 4,
  guestName: 5,
  guestBorn: null,
  host: 6,
  hostSince: '2030-06-01',
  isLong: 'no',
  slot: 1,
  seenAt: null,
};

test('toRow: each column is written by its kind, parts of groups and added columns included', () => {
  const row = { ...WRITTEN, isLong: 'yes', slot: null, seenAt: null };
  // A database ignores what is undefined.
  expect(rows().toRow(VISIT)).toStrictEqual({ ...row, guest: undefined });
  const other = { ...VISIT, size: 9, isPaid: false, isMarked: false, endedAt: JUNE, names: ['b'], host: null };
  expect(rows().toRow(other, { slot: 3, seenAt: MAY })).toEqual({
    ...WRITTEN,
    size: 9,
    isPaid: 'no',
    isMarked: null,
    endedAt: '2030-06-01',
    names: 'json ["b"]',
    host: null,
    hostSince: null,
    isLong: 'no',
    slot: 3,
    seenAt: '2030-05-01',
  });
});

test('toColumns: only the columns of changed fields are written', () => {
  const { id: _, ...all } = VISIT;
  const { id: __, ...written } = WRITTEN;
  expect(rows().toColumns(all)).toEqual(written);
  expect(rows().toColumns({ endedAt: null, host: null })).toEqual({ endedAt: null, host: null, hostSince: null });
  expect(rows().toColumns({})).toEqual({});
});

test('fromRow: each column is read by its kind, and added columns are left out', () => {
  const visit = {
    id: 'text 1',
    hash: 'text 2',
    side: 'right',
    sides: ['left'],
    parsed: 'left',
    size: 11,
    big: 22,
    share: 33,
    isPaid: true,
    isMarked: true,
    at: MAY,
    endedAt: JUNE,
    bytes: Uint8Array.of(7),
    texts: ['a'],
    names: ['b'],
    data: { value: '3' },
    policy: { days: '"4" days' },
    guest: { name: 'text 5', born: null },
    host: { name: 'text 6', since: JUNE },
  };
  expect(rows().fromRow(READ)).toStrictEqual(visit);
  // Null in a column that is never null is for the dialect to refuse.
  const empty = { isPaid: null, isMarked: null, endedAt: null, names: null, guestName: null, host: null };
  expect(rows().fromRow({ ...READ, ...empty })).toStrictEqual({
    ...visit,
    isPaid: false,
    isMarked: false,
    endedAt: null,
    names: [],
    guest: { name: null, born: null },
    host: null,
  });
});

test.each([
  [{ hostSince: null }, 'since is missing'],
  [{ side: 'up' }, 'unknown side'],
  [{ sides: ['left', 'up'] }, 'unknown sides'],
  [{ texts: ['a', 7] }, 'texts is not an array of texts'],
  [{ texts: null }, 'texts is not an array'],
])('fromRow: %o names the row and the column', (damage, fault) => {
  expect(() => rows().fromRow({ ...READ, ...damage })).toThrow(`The stored visit 1 is corrupt: ${fault}`);
});

test('read: one column is read where the dialect places it', () => {
  const arrays = createRows(visits, { ...DIALECT, place: (_, position) => position });
  expect(arrays.read(Object.values(READ), 'slot')).toBe(2);
  expect(arrays.read(Object.values(READ), 'seenAt')).toBeNull();
  expect(arrays.fromRow(Object.values(READ))).toEqual(rows().fromRow(READ));
});

test('createRows: a group of unknown columns is refused', () => {
  const nested = { guest: { parts: { name: 'nickname' } } };
  expect(() => createRows({ ...visits, nested }, DIALECT)).toThrow('No column stores nickname');
});
