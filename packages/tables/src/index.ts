/**
 * The tables of a database of Countersign as data, and the rows of their entries.
 *
 * @packageDocumentation
 */
export { type Column, type Columns, isNullable, type NullableIn, type ValueOf } from './column.ts';
export { createRows, type Dialect, type Rows } from './rows.ts';
export { checksOf, columnName, positionsOf, type Table, table, withColumns } from './table.ts';
export { mailBudgets, mails } from './tables/mails.ts';
