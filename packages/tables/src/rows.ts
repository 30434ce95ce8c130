import type { JsonObject } from '@countersign/domain';
import { parseEnum, parseRow } from '@countersign/domain/storage';
import type { Column, Columns, ValueOf } from './column.ts';
import { columnName, type Table } from './table.ts';

/** Reads a value that is not null. @throws Error that names the column, never the value */
type Read<T> = (column: string, value: unknown) => T;

/** How a database stores the kinds of columns. */
export interface Dialect {
  readonly read: {
    /** Reads ids and hashes too. */
    readonly text: Read<string>;
    readonly integer: Read<number>;
    readonly bigInteger: Read<number>;
    readonly number: Read<number>;
    readonly flag: Read<boolean>;
    readonly moment: Read<Date>;
    readonly bytes: Read<Uint8Array>;
    readonly object: Read<JsonObject>;
    readonly array: Read<readonly unknown[]>;
  };
  readonly write: {
    readonly flag: (value: boolean) => unknown;
    readonly moment: (value: Date) => unknown;
    readonly hash: (value: string) => unknown;
    readonly bytes: (value: Uint8Array) => unknown;
    readonly json: (value: unknown) => unknown;
  };
  /** Where a row has the column of a field: under its name, or at its position. */
  readonly place: (field: string, position: number) => string | number;
}

/** Turns entries of a table into rows of one database and back. `Row` is a row that is written: columns by their fields. */
export interface Rows<E, C, Row> {
  /** Returns the row of an entry. `given` are values of columns that are no fields. */
  toRow(entry: E, given?: { readonly [K in keyof C]?: ValueOf<C[K]> | null }): Row;
  /** Returns the columns of the fields that a change names. */
  toColumns(change: Partial<E>): Partial<Row>;
  /**
   * Parses a row that was read.
   * @throws Error that names the row and the column, if the table does not allow the row
   */
  fromRow(row: object): E;
  /** Parses one column of a row that was read. @throws Error that names the column */
  read<K extends keyof C & string>(row: object, field: K): ValueOf<C[K]> | NullOf<C[K]>;
}

type NullOf<C> = C extends { readonly nullable: true | 'group' } ? null : never;
type Values = Readonly<Record<string | number, unknown>>;

/** Creates the rows of a table in the dialect of a database. */
export function createRows<E, C, Row>(
  { called, by, columns, nested }: Table<E, C>,
  dialect: Dialect,
): Rows<E, C, Row> {
  const fields = Object.entries<Column>(columns as Columns);
  const groups = Object.entries(nested);
  const sources = new Map(
    groups.flatMap(([group, { parts }]) =>
      Object.entries(parts).map(([part, field]) => [field, { group, part }] as const),
    ),
  );
  const writers = fields.map(([field, column]): Writer => {
    return { field, source: sources.get(field), added: column.value, write: writerOf(column, dialect.write) };
  });
  const encodedFields = writers.flatMap(({ field, source, added, write }) =>
    source === undefined && added === undefined && write !== undefined ? [{ field, write }] : [],
  );
  const others = writers.filter(({ source, added }) => source !== undefined || added !== undefined);
  const noColumns = groups.map(([group]) => group).filter((group) => !Object.hasOwn(columns as object, group));
  /**
   * What the row has besides the fields of an entry. Added one by one, they would make V8 keep the row as a hash table, whose
   * copy takes a twentieth of a creation (12 µs).
   */
  const added: Record<string, unknown> = Object.fromEntries(
    [...noColumns, ...others.map(({ field }) => field)].map((field) => [field, undefined]),
  );
  const readers = new Map(
    fields.map(([field, column], position) => {
      const place = dialect.place(field, position);
      return [field, { place, read: readerOf(columnName(field, column), column, dialect.read) }] as const;
    }),
  );
  const ofField = (field: string) => {
    const reader = readers.get(field);
    if (reader === undefined) throw new Error(`No column stores ${field}`);
    return reader;
  };
  const own = fields
    .filter(([field, { value }]) => value === undefined && !sources.has(field))
    .map(([field]) => ({ field, ...ofField(field) }));
  const ofGroups = groups.map(([group, { nullable, parts }]) => ({
    group,
    nullable,
    parts: Object.entries(parts).map(([part, field]) => ({ part, ...ofField(field) })),
  }));
  const id = ofField(by).place;

  function parse(row: Values): E {
    const entry: Record<string, unknown> = {};
    for (const { field, place, read } of own) entry[field] = read(row[place]);
    for (const { group, nullable, parts } of ofGroups) {
      const isNull = nullable && parts[0] !== undefined && row[parts[0].place] === null;
      entry[group] = isNull
        ? null
        : Object.fromEntries(parts.map(({ part, place, read }) => [part, read(row[place])]));
    }
    return entry as E;
  }

  return {
    toRow(entry, given) {
      const values = entry as Values;
      // A copy of the entry has most columns already: adding them one by one takes five times as long.
      const row: Record<string, unknown> = { ...values, ...added };
      for (const { field, write } of encodedFields) {
        const value = values[field];
        if (value !== null) row[field] = write(value as never);
      }
      for (const writer of others) row[writer.field] = otherValue(writer, entry, given);
      return row as Row;
    },
    toColumns(change) {
      const values = change as Values;
      const written = writers.filter(
        ({ field, source, added }) => added === undefined && values[source?.group ?? field] !== undefined,
      );
      return Object.fromEntries(
        written.map((writer) => [writer.field, writtenValue(writer, values)]),
      ) as Partial<Row>;
    },
    fromRow: (row) => parseRow(called, (row as Values)[id], () => parse(row as Values)),
    read(row, field) {
      const { place, read } = ofField(field);
      return read((row as Values)[place]) as ValueOf<C[typeof field]>;
    },
  };
}

interface Writer {
  readonly field: string;
  /** Where a nested value stands in the entry. */
  readonly source: { readonly group: string; readonly part: string } | undefined;
  readonly added: unknown;
  readonly write: ((value: never) => unknown) | undefined;
}

/** The value of a column that is a field, as it is written. */
function writtenValue(writer: Writer, values: Values): unknown {
  const { field, source } = writer;
  if (source === undefined) return encoded(writer, values[field]);
  const group = values[source.group] as Values | null;
  return encoded(writer, group === null ? null : group[source.part]);
}

function encoded({ write }: Writer, value: unknown): unknown {
  return write === undefined || value === null ? value : write(value as never);
}

/** The value of a column that is a part of a group, or no field. */
function otherValue(writer: Writer, entry: unknown, given: Values | undefined): unknown {
  return writer.added === undefined
    ? writtenValue(writer, entry as Values)
    : encoded(writer, addedValue(entry, writer.added, given?.[writer.field]));
}

/** The value of a column that is no field: the given one, or that of a new entry. */
function addedValue(entry: unknown, added: unknown, given: unknown): unknown {
  if (given !== undefined) return given;
  return typeof added === 'function' ? (added as (entry: unknown) => unknown)(entry) : added;
}

/** Returns how values of the column are written; undefined: as they are. */
function writerOf(column: Column, write: Dialect['write']): ((value: never) => unknown) | undefined {
  switch (column.kind) {
    case 'flag':
      return write.flag;
    case 'mark':
      return (value: boolean) => (value ? write.flag(true) : null);
    case 'moment':
      return write.moment;
    case 'hash':
      return write.hash;
    case 'bytes':
      return write.bytes;
    case 'texts':
      return column.emptyAsNull
        ? (value: readonly string[]) => (value.length === 0 ? null : write.json(value))
        : write.json;
    case 'choices':
    case 'object':
    case 'document':
      return write.json;
    case 'id':
    case 'text':
    case 'parsed':
    case 'choice':
    case 'integer':
    case 'number':
      return undefined;
    default:
      return column satisfies never;
  }
}

function readerOf(name: string, column: Column, read: Dialect['read']): (value: unknown) => unknown {
  if (column.kind === 'mark') return (value) => value !== null;
  const parse = parserOf(name, column, read);
  if (column.kind === 'texts' && column.emptyAsNull) return (value) => (value === null ? [] : parse(value));
  if (column.nullable === true) return (value) => (value === null ? null : parse(value));
  if (column.nullable === 'group') {
    return (value) => {
      if (value === null) throw new Error(`${name} is missing`);
      return parse(value);
    };
  }
  return parse;
}

function parserOf(
  name: string,
  column: Exclude<Column, { kind: 'mark' }>,
  read: Dialect['read'],
): (value: unknown) => unknown {
  switch (column.kind) {
    case 'id':
    case 'text':
    case 'hash':
      return (value) => read.text(name, value);
    case 'integer':
      return column.size === 'big'
        ? (value) => read.bigInteger(name, value)
        : (value) => read.integer(name, value);
    case 'number':
      return (value) => read.number(name, value);
    case 'flag':
      return (value) => read.flag(name, value);
    case 'moment':
      return (value) => read.moment(name, value);
    case 'bytes':
      return (value) => read.bytes(name, value);
    case 'object':
      return (value) => read.object(name, value);
    case 'parsed':
      return column.parse;
    case 'document':
      return (value) => column.parse(read.object(name, value));
    case 'choice':
      return (value) => parseEnum(name, column.of, value);
    case 'choices':
      return (value) => read.array(name, value).map((each) => parseEnum(name, column.of, each));
    case 'texts':
      return (value) => read.array(name, value).map((each) => parseTextIn(name, each));
    default:
      return column satisfies never;
  }
}

function parseTextIn(column: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error(`${column} is not an array of texts`);
}
