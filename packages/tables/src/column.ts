import type { JsonObject } from '@countersign/domain';

interface Common {
  /** The name in the database, where it is not the snake case of the field. */
  readonly column?: string;
  /** `group`: null only where the whole group is. */
  readonly nullable?: true | 'group';
  /** The value for rows of statements that do not name the column. */
  readonly default?: string | number | boolean | readonly string[] | JsonObject;
  /**
   * For a column that is no field of the entry: the value in the row of a new entry. Null: none, or one that the statement computes or
   * the caller gives.
   */
  readonly value?: ColumnValue | ((entry: never) => ColumnValue);
}

type ColumnValue = string | number | boolean | Date | null;

/** Texts that the database orders by code point. */
interface Ordered {
  readonly ordered?: true;
}

/** An id of the domain: a UUID. */
interface IdColumn extends Common {
  readonly kind: 'id';
}
interface TextColumn extends Common, Ordered {
  readonly kind: 'text';
}
/** A text that the domain parses. @throws Error that names the column */
interface ParsedColumn<T> extends Common, Ordered {
  readonly kind: 'parsed';
  readonly parse: (value: unknown) => T;
}
interface ChoiceColumn<T> extends Common, Ordered {
  readonly kind: 'choice';
  readonly of: readonly T[];
  /** Whether a constraint refuses other values: `<table>_known_<column>`, or the one that is named. */
  readonly checked?: true | string;
}
interface IntegerColumn extends Common {
  readonly kind: 'integer';
  /** Small: up to 32,767. Big: up to 2^53 - 1. */
  readonly size?: 'small' | 'big';
}
interface NumberColumn extends Common {
  readonly kind: 'number';
}
interface FlagColumn extends Common {
  readonly kind: 'flag';
}
/** True or null, for an index of the rows that are marked. */
interface MarkColumn extends Common {
  readonly kind: 'mark';
}
interface MomentColumn extends Common {
  readonly kind: 'moment';
}
/** A SHA-256 in lower-case hexadecimal. */
interface HashColumn extends Common {
  readonly kind: 'hash';
}
interface BytesColumn extends Common {
  readonly kind: 'bytes';
}
/** A JSON array of texts. */
interface TextsColumn extends Common {
  readonly kind: 'texts';
  /** An empty array is stored as null. */
  readonly emptyAsNull?: true;
}
/** A JSON array of known texts. */
interface ChoicesColumn<T> extends Common {
  readonly kind: 'choices';
  readonly of: readonly T[];
}
interface ObjectColumn extends Common {
  readonly kind: 'object';
}
/** A JSON object that the domain parses. @throws Error that names the column */
interface DocumentColumn<T> extends Common {
  readonly kind: 'document';
  readonly parse: (value: JsonObject) => T;
}

/** A column of a table. */
export type Column =
  | IdColumn
  | TextColumn
  | ParsedColumn<unknown>
  | ChoiceColumn<string>
  | IntegerColumn
  | NumberColumn
  | FlagColumn
  | MarkColumn
  | MomentColumn
  | HashColumn
  | BytesColumn
  | TextsColumn
  | ChoicesColumn<string>
  | ObjectColumn
  | DocumentColumn<unknown>;

/** Columns by the names of their fields, in the order of the table. */
export type Columns = Readonly<Record<string, Column>>;

/** The columns that can store a value of the type. `InGroup`: the value is part of a group that may be null. */
export type ColumnFor<T, InGroup = false> = ValueColumn<Exclude<T, null>> & {
  readonly value?: never;
} & (null extends T
    ? { readonly nullable: true }
    : InGroup extends true
      ? { readonly nullable: 'group' }
      : { readonly nullable?: never });

type ValueColumn<T> = [T] extends [boolean]
  ? FlagColumn | MarkColumn
  : [T] extends [number]
    ? IntegerColumn | NumberColumn
    : [T] extends [Date]
      ? MomentColumn
      : [T] extends [Uint8Array]
        ? BytesColumn
        : [T] extends [string]
          ? string extends T
            ? IdColumn | TextColumn | HashColumn
            : ChoiceColumn<T> | ParsedColumn<T>
          : [T] extends [readonly (infer E)[]]
            ? string extends E
              ? TextsColumn
              : ChoicesColumn<E>
            : JsonObject extends T
              ? ObjectColumn
              : DocumentColumn<T>;

type KindOf<C> = C extends { readonly kind: infer K } ? K : never;

/** The value of a column that is not null. */
export type ValueOf<C> = C extends { readonly of: readonly (infer T)[]; readonly kind: infer K }
  ? K extends 'choices'
    ? readonly T[]
    : T
  : C extends { readonly parse: (value: never) => infer T }
    ? T
    : KindOf<C> extends 'flag' | 'mark'
      ? boolean
      : KindOf<C> extends 'integer' | 'number'
        ? number
        : KindOf<C> extends 'moment'
          ? Date
          : KindOf<C> extends 'bytes'
            ? Uint8Array
            : KindOf<C> extends 'texts'
              ? readonly string[]
              : KindOf<C> extends 'object'
                ? JsonObject
                : string;

/** Whether the column in the database may be null. */
export function isNullable(column: Column): boolean {
  return (
    column.nullable !== undefined ||
    column.kind === 'mark' ||
    (column.kind === 'texts' && column.emptyAsNull === true)
  );
}

/** Null for a column that may be null in the database. */
export type NullableIn<C> = C extends
  | { readonly nullable: true | 'group' }
  | { readonly kind: 'mark' }
  | { readonly emptyAsNull: true }
  ? null
  : never;
