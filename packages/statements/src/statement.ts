import type { QueryWithTypings, SQL } from 'drizzle-orm';
import { is, Placeholder } from './drizzle.ts';

/** An SQL statement. Its text is built once; each connection prepares it on first use. */
export interface Statement<Value> {
  readonly text: string;
  /** Returns the values of its parameters in their order. @throws TypeError if one is missing */
  parametersOf(values: Readonly<Record<string, Value>>): Value[];
}

/** Writes queries in the syntax of one database. drizzle's dialects implement it. */
export interface Dialect {
  sqlToQuery(query: SQL): QueryWithTypings;
}

/** Builds a statement of named parameters. Values are bound as given, without drizzle's encoding. */
export function buildStatement<Value>(dialect: Dialect, query: SQL): Statement<Value> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const names = params.map((one) => (is(one, Placeholder) ? one.name : null));
  return {
    text,
    parametersOf: (values) =>
      names.map((name, index) => {
        const value = name === null ? (params[index] as Value) : values[name];
        // A driver would not say which one, and postgres.js would report the error to another query.
        if (value === undefined) throw new TypeError(`The parameter ${name ?? index} has no value`);
        return value;
      }),
  };
}
