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
  PgColumn,
  PgColumnBuilderBase,
  PgTableExtraConfigValue,
  PgTableWithColumns,
} from 'drizzle-orm/pg-core';
import type { Value } from '../connection/statement.ts';
import {
  bigint,
  boolean,
  bytes,
  check,
  doublePrecision,
  integer,
  jsonb,
  moment,
  orderedText,
  pgTable,
  smallint,
  sql,
  text,
  uuid,
} from '../drizzle.ts';
import {
  momentText,
  parseBoolean,
  parseDate,
  parseInteger,
  parseJsonArray,
  parseJsonObject,
  parseNumber,
  parseText,
} from '../rows/parse-row.ts';

/** How this database stores columns. Rows come as arrays. Values are passed as parameters, JSON as text. */
const POSTGRES: Dialect = {
  read: {
    text: parseText,
    integer: parseInteger,
    // It comes as text.
    bigInteger: (column, value) => parseInteger(column, typeof value === 'string' ? Number(value) : value),
    number: parseNumber,
    flag: parseBoolean,
    moment: parseDate,
    bytes: (column, value) => new Uint8Array(Buffer.from(parseText(column, value), 'hex')),
    object: parseJsonObject,
    array: parseJsonArray,
  },
  write: {
    flag: (value) => value,
    moment: momentText,
    hash: (value) => `\\x${value}`,
    bytes: (value) => `\\x${Buffer.from(value).toString('hex')}`,
    json: (value) => JSON.stringify(value),
  },
  place: (_, position) => position,
};

/** As `POSTGRES`, for rows that are passed as one JSON document (`rowsFromJson`). */
const IN_JSON: Dialect = { ...POSTGRES, write: { ...POSTGRES.write, json: (value) => value } };

/** Creates the rows of a table, each written as parameters. */
export function rowsOf<E, C>(table: Table<E, C>): Rows<E, C, { [K in keyof C]: Value }> {
  return createRows(table, POSTGRES);
}

/** Creates the rows of a table, written as JSON. */
export function jsonRowsOf<E, C>(table: Table<E, C>): Rows<E, C, { [K in keyof C]: unknown }> {
  return createRows(table, IN_JSON);
}

function builderOf(name: string, column: Column) {
  switch (column.kind) {
    case 'id':
      return uuid(name);
    case 'integer':
      if (column.size === 'big') return bigint(name, { mode: 'number' });
      return column.size === 'small' ? smallint(name) : integer(name);
    case 'number':
      return doublePrecision(name);
    case 'flag':
    case 'mark':
      return boolean(name);
    case 'moment':
      return moment(name);
    case 'hash':
    case 'bytes':
      return bytes(name);
    case 'texts':
    case 'choices':
    case 'object':
    case 'document':
      return jsonb(name);
    case 'text':
    case 'parsed':
    case 'choice':
      return column.ordered ? orderedText(name) : text(name);
    default:
      return column satisfies never;
  }
}

type Kind<C> = C extends { readonly kind: infer K } ? K : never;
type Builder<C> =
  Kind<C> extends 'integer' | 'number'
    ? ReturnType<typeof integer<string>>
    : Kind<C> extends 'flag' | 'mark'
      ? ReturnType<typeof boolean<string>>
      : Kind<C> extends 'texts' | 'choices' | 'object' | 'document'
        ? ReturnType<typeof jsonb<string>>
        : ReturnType<typeof text<string, string, [string, ...string[]]>>;
type WithDefault<C, B extends PgColumnBuilderBase> = C extends { readonly default: unknown } ? HasDefault<B> : B;
type Builders<C> = {
  [K in keyof C & string]: WithDefault<
    C[K],
    [NullableIn<C[K]>] extends [never] ? NotNull<Builder<C[K]>> : Builder<C[K]>
  >;
};
type TableColumns<C> = BuildColumns<string, Builders<C>, 'pg'>;

/** Makes the table of this database. Its keys, indexes and references are `constraints`. */
export function tableOf<E, C>(
  table: Table<E, C>,
  constraints: (columns: TableColumns<C>) => PgTableExtraConfigValue[],
): PgTableWithColumns<{ name: string; schema: undefined; dialect: 'pg'; columns: TableColumns<C> }> {
  const builders = Object.entries<Column>(table.columns as Columns).map(([field, column]) => [
    field,
    withModifiers(builderOf(columnName(field, column), column), column),
  ]);
  return pgTable(table.name, Object.fromEntries(builders) as Builders<C>, (columns) => [
    ...constraints(columns as unknown as TableColumns<C>),
    ...Array.from(checksOf(table), ([name, parts]) => check(name, conditionOf(parts, columns))),
  ]);
}

function withModifiers(builder: ReturnType<typeof builderOf>, column: Column): PgColumnBuilderBase {
  if (!isNullable(column)) builder.notNull();
  if (column.default !== undefined) builder.default(defaultOf(column.default) as never);
  return builder;
}

function defaultOf(value: NonNullable<Column['default']>): string | number | boolean | SQL {
  return typeof value === 'object' ? sql.raw(`'${JSON.stringify(value)}'::jsonb`) : value;
}

/** The condition of a check: texts alternate with fields. */
function conditionOf(parts: readonly string[], columns: object): SQL {
  const byField = columns as Readonly<Record<string, PgColumn>>;
  return sql.join(parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${byField[part]}`)));
}
