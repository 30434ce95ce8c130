import type { NullableIn } from '@countersign/tables';

/** The kinds of columns that are stored as numbers. */
export type NumberKind = 'integer' | 'number' | 'flag' | 'mark' | 'moment';
type Value<C> = C extends { readonly kind: NumberKind }
  ? number
  : C extends { readonly kind: 'bytes' }
    ? Buffer
    : string;

/** A row of a table by the fields of its columns, in their order. */
export type Row<C> = { [K in keyof C]: Value<C[K]> | NullableIn<C[K]> };
