import type { SQL } from 'drizzle-orm';
import { type Compiled, compile } from './compiled.ts';
import type { Connection } from './connection.ts';

/** Compiles the statement of a shape at its first use. Queries of one shape differ in their values only. */
export type StatementCache = (shape: string, query: () => SQL) => Compiled;

export function createStatementCache(connection: Connection): StatementCache {
  const compiled = new Map<string, Compiled>();
  return (shape, query) => {
    const statement = compiled.get(shape) ?? compile(connection, query());
    compiled.set(shape, statement);
    return statement;
  };
}
