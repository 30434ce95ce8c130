import type { ColumnType } from 'kysely';

/** A column as data. Both databases store texts in the same form, and each stores the other kinds in its own form. */
export interface Column {
  readonly kind: keyof Kinds;
  readonly nullable?: true;
  /** Whether it belongs to a one-time link. Links are not copied. */
  readonly ofLink?: true;
}

/** Columns by their names in the database. */
export type Columns = Readonly<Record<string, Column>>;

/** What a query of either database reads, and what an INSERT and an UPDATE take. */
interface Kinds {
  readonly text: string;
  /** 0 or 1 in SQLite. The databases have a default. */
  readonly flag: ColumnType<number | boolean, number | boolean | undefined, boolean>;
  /** Text in SQLite, Date in Postgres; written as ISO 8601 in both. */
  readonly moment: ColumnType<string | Date, string, string>;
  /** Text in Postgres if it is large. */
  readonly integer: ColumnType<number | string, number, number>;
}

/** The type of a column in queries. */
export type ColumnTypeOf<C> = C extends { readonly kind: infer K extends keyof Kinds }
  ? C extends { readonly nullable: true }
    ? OrNull<Kinds[K]>
    : Kinds[K]
  : never;

type OrNull<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select | null, Insert | null | undefined, Update | null>
    : T | null;

/** A value in the form that both databases have in common: moments as ISO 8601 texts. */
export type CommonValue = string | number | boolean | null;

/** Reads a value of either database. */
export function commonValue({ kind }: Column, value: unknown): CommonValue {
  if (value === null) return null;
  switch (kind) {
    case 'text':
      return value as string;
    case 'flag':
      return Boolean(value);
    case 'moment':
      return new Date(value as string | Date).toISOString();
    case 'integer':
      return Number(value);
    default:
      return kind satisfies never;
  }
}

/** Returns the form in which a database stores a value. */
export function storedValue(database: 'sqlite' | 'postgres', value: CommonValue): CommonValue {
  return database === 'sqlite' && typeof value === 'boolean' ? Number(value) : value;
}
