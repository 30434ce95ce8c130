/** The type of a parameter. JSON and dates are passed as text. */
export type Value = string | number | boolean | null;

/** A result: rows as arrays in the order of the columns, and the number of affected rows: 0 for `create table`. */
export type Rows = readonly (readonly unknown[])[] & { readonly count: number };

/** Rows with the names of their columns, and the numbers that Postgres has for types, such as 1184 for `timestamptz`. */
export type DescribedRows = Rows & {
  /** What the server did, such as `INSERT`. */
  readonly command: string;
  readonly columns: readonly { readonly name: string; readonly type: number }[];
};
