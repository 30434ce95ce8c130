import {
  type Column,
  type Columns,
  checksOf,
  columnName,
  createRows,
  type Dialect,
  isNullable,
  type NullableIn,
  type Rows,
  type Table,
} from '@countersign/tables';
import type { BuildColumns, HasDefault, NotNull, SQL } from 'drizzle-orm';
import type {
  SQLiteBlobBufferBuilderInitial,
  SQLiteColumn,
  SQLiteColumnBuilderBase,
  SQLiteIntegerBuilderInitial,
  SQLiteTableExtraConfigValue,
  SQLiteTableWithColumns,
  SQLiteTextBuilderInitial,
} from 'drizzle-orm/sqlite-core';
import { blob, check, integer, sql, sqliteTable, text } from '../drizzle.ts';
import { parseBoolean, parseDate, parseJsonArray, parseJsonObject } from '../rows/parse-row.ts';
import type { NumberKind, Row } from '../rows/row.ts';

/** How this database stores columns. The types of its columns guarantee texts and numbers. */
const SQLITE: Dialect = {
  read: {
    text: (_, value) => value as string,
    integer: (_, value) => value as number,
    bigInteger: (_, value) => value as number,
    number: (_, value) => value as number,
    flag: (column, value) => parseBoolean(column, value as number),
    moment: (column, value) => parseDate(column, value as number),
    bytes: (_, value) => new Uint8Array(value as Buffer),
    object: (column, value) => parseJsonObject(column, value as string),
    array: (column, value) => parseJsonArray(column, value as string),
  },
  write: {
    flag: Number,
    moment: (value) => value.getTime(),
    hash: (value) => value,
    bytes: (value) => Buffer.from(value),
    json: (value) => JSON.stringify(value),
  },
  place: (field) => field,
};

/** Creates the rows of a table. */
export function rowsOf<E, C>(table: Table<E, C>): Rows<E, C, Row<C>> {
  return createRows(table, SQLITE);
}

/** As `rowsOf`, for rows that are read as arrays. */
export function columnRowsOf<E, C>(table: Table<E, C>): Rows<E, C, Row<C>> {
  return createRows(table, { ...SQLITE, place: (_, position) => position });
}

type Builder<C> = C extends { readonly kind: NumberKind }
  ? SQLiteIntegerBuilderInitial<string>
  : C extends { readonly kind: 'bytes' }
    ? SQLiteBlobBufferBuilderInitial<string>
    : SQLiteTextBuilderInitial<string, [string, ...string[]], undefined>;
type WithDefault<C, B extends SQLiteColumnBuilderBase> = C extends { readonly default: unknown }
  ? HasDefault<B>
  : B;
type Builders<C> = {
  [K in keyof C & string]: WithDefault<
    C[K],
    [NullableIn<C[K]>] extends [never] ? NotNull<Builder<C[K]>> : Builder<C[K]>
  >;
};
type TableColumns<C, Name extends string> = BuildColumns<Name, Builders<C>, 'sqlite'>;

/** Makes the table of this database. Its indexes and references are `constraints`. */
export function tableOf<E, C, Name extends string>(
  table: Table<E, C, Name>,
  primaryKey: (keyof C & string) | null,
  constraints: (columns: TableColumns<C, Name>) => SQLiteTableExtraConfigValue[] = () => [],
): SQLiteTableWithColumns<{ name: Name; schema: undefined; dialect: 'sqlite'; columns: TableColumns<C, Name> }> {
  const builders = Object.entries<Column>(table.columns as Columns).map(([field, column]) => [
    field,
    builderOf(columnName(field, column), column, field === primaryKey),
  ]);
  return sqliteTable(table.name, Object.fromEntries(builders) as Builders<C>, (columns) => [
    ...constraints(columns),
    ...Array.from(checksOf(table), ([name, parts]) => check(name, conditionOf(parts, columns))),
  ]);
}

function builderOf(name: string, column: Column, isPrimaryKey: boolean): SQLiteColumnBuilderBase {
  const builder = newBuilder(name, column);
  if (!isNullable(column)) builder.notNull();
  if (isPrimaryKey) builder.primaryKey();
  if (column.default !== undefined) builder.default(encoded(column.default) as never);
  return builder;
}

function newBuilder(name: string, { kind }: Column) {
  switch (kind) {
    case 'integer':
    case 'number':
    case 'flag':
    case 'mark':
    case 'moment':
      return integer(name);
    case 'bytes':
      return blob(name, { mode: 'buffer' });
    default:
      return text(name);
  }
}

function encoded(value: NonNullable<Column['default']>): string | number {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** The condition of a check: texts alternate with fields. */
function conditionOf(parts: readonly string[], columns: object): SQL {
  const byField = columns as Readonly<Record<string, SQLiteColumn>>;
  return sql.join(parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${byField[part]}`)));
}
