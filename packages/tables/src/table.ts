import type { Column, ColumnFor, Columns } from './column.ts';

/** Fields that the entry nests: the columns of their parts. The first part is null if and only if the group is. */
export type Nested = Readonly<
  Record<string, { readonly nullable?: true; readonly parts: Readonly<Record<string, string>> }>
>;

type NestedIn<E> = {
  readonly [G in keyof E]?: {
    readonly parts: { readonly [P in keyof NonNullable<E[G]>]: string };
  } & (null extends E[G] ? { readonly nullable: true } : { readonly nullable?: never });
};

type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void
  ? I
  : never;

/** The columns of the parts of a group. */
type PartColumns<G, N> = N extends { readonly parts: infer P }
  ? {
      readonly [K in keyof P & keyof NonNullable<G> as P[K] & string]: ColumnFor<
        NonNullable<G>[K],
        null extends G ? true : false
      >;
    }
  : never;

/** The columns that an entry needs. */
type ColumnsOf<E, N> = { readonly [K in Exclude<keyof E, keyof N>]: ColumnFor<E[K]> } & Intersection<
  { [G in keyof N & keyof E]: PartColumns<E[G], N[G]> }[keyof N & keyof E]
>;

/** A column that is no field of the entry. */
type AddedColumn = Column & { readonly value: unknown };

/** A table as data: its columns are the fields of the entry `E`, and added ones. */
export interface Table<E = unknown, C = Columns, Name extends string = string> {
  readonly name: Name;
  /** What a fault calls a row, before its key: `mail`. */
  readonly called: string;
  /** The column by which a fault names the row. */
  readonly by: keyof C & string;
  readonly columns: C;
  readonly nested: Nested;
  /** Columns of the key by which a copy orders the rows. */
  readonly key: readonly (keyof C & string)[];
  /** SQL conditions by the names of their constraints; `{field}` is the column of a field. */
  readonly checks: Readonly<Record<string, string>>;
  /** Never set. It makes `E` part of the type. */
  readonly entry?: E;
}

interface Definition<N, C, Name extends string> {
  readonly name: Name;
  readonly called: string;
  /** Default: the last column of the key. */
  readonly by?: keyof C & string;
  readonly nested?: N;
  readonly columns: C;
  readonly key: readonly (keyof C & string)[];
  readonly checks?: Readonly<Record<string, string>>;
}

/**
 * Defines a table. A column that is missing, that is no field and has no `value`, or that cannot store its field is a compile error.
 *
 * @example
 * interface Visit {
 *   readonly id: string;
 *   readonly at: Date;
 * }
 * export const visits = table<Visit>()({
 *   name: 'visits',
 *   called: 'visit',
 *   columns: { id: { kind: 'id' }, at: { kind: 'moment' } },
 *   key: ['id'],
 * });
 */
export function table<E>(): Define<E> {
  return define as unknown as Define<E>;
}

/** Defines a table of entries `E`. */
type Define<E> = <
  const C extends ColumnsOf<E, N>,
  const Name extends string,
  const N extends NestedIn<E> = object,
>(
  definition: Definition<N, C & { readonly [K in Exclude<keyof C, keyof ColumnsOf<E, N>>]: AddedColumn }, Name>,
) => Table<E, C, Name>;

function define({
  name,
  called,
  columns,
  key,
  by,
  nested = {},
  checks = {},
}: Definition<Nested, Columns, string>): Table {
  const named = Object.values(checks).flatMap((check) => Array.from(check.matchAll(FIELD), ([, field]) => field));
  const parts = Object.values(nested).flatMap((group) => Object.values(group.parts));
  const table = { name, called, by: by ?? key.at(-1) ?? '', columns, nested, key, checks };
  for (const field of [table.by, ...key, ...parts, ...named]) {
    if (field === undefined || columns[field] === undefined)
      throw new Error(`The table ${name} has no column ${field}`);
  }
  return table;
}

/** Adds columns that one storage has, behind the column `after`. */
export function withColumns<E, C, Name extends string, const A extends Readonly<Record<string, AddedColumn>>>(
  table: Table<E, C, Name>,
  after: keyof C & string,
  added: A,
): Table<E, C & A, Name> {
  const columns = Object.entries<Column>(table.columns as Columns).flatMap(([field, column]) =>
    field === after ? [[field, column], ...Object.entries(added)] : [[field, column]],
  );
  return { ...table, columns: Object.fromEntries(columns) as C & A };
}

const FIELD = /\{(\w+)\}/g;

/** The name of a column in the database. */
export function columnName(field: string, { column }: Column): string {
  return column ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Positions of the columns, for rows that come as arrays. */
export function positionsOf<E, C>({ columns }: Table<E, C>): { readonly [K in keyof C]: number } {
  return Object.fromEntries(Object.keys(columns as Columns).map((field, index) => [field, index])) as {
    readonly [K in keyof C]: number;
  };
}

/** The checks of a table with those of its choices, by the names of their constraints. Texts alternate with fields. */
export function checksOf<E, C>({ name, columns, checks }: Table<E, C>): ReadonlyMap<string, readonly string[]> {
  const known = Object.entries<Column>(columns as Columns).flatMap(([field, column]) => {
    if (column.kind !== 'choice' || column.checked === undefined) return [];
    const constraint = column.checked === true ? `${name}_known_${columnName(field, column)}` : column.checked;
    return [[constraint, oneOf(field, column.of)] as const];
  });
  return new Map(
    [...known, ...Object.entries(checks)].map(([constraint, text]) => [constraint, text.split(FIELD)]),
  );
}

/** A check: the field is one of the values. */
export function oneOf(field: string, values: readonly string[]): string {
  return `{${field}} in (${values.map((value) => `'${value}'`).join(', ')})`;
}

/** A check: both fields are null or neither is. */
export function whole(first: string, second: string): string {
  return `({${first}} is null) = ({${second}} is null)`;
}
