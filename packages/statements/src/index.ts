export {
  assignments,
  columnNames,
  columnParameters,
  columnsOf,
  every,
  insertInto,
  isAfter,
  isBefore,
  list,
  oneOf,
  pagesByKey,
  parameter,
} from './columns.ts';
export { createShapes, isUsed, type Shapes } from './shapes.ts';
export { buildStatement, type Dialect, type Statement } from './statement.ts';
