import { startPostgres } from '@countersign/test-support/servers';
import postgres from 'postgres';
import { expect } from 'vitest';
import type { Rows } from '../src/connection/rows.ts';
import type { Run, Session } from '../src/connection/session.ts';
import type { Statement } from '../src/connection/statement.ts';
import { migratePostgres } from '../src/postgres-storage.ts';
import { stopAutovacuum } from './raw.ts';

/** A query with a title and the indexes that its plan uses, as regular expressions. */
export type PlannedQuery = readonly [
  title: string,
  use: (session: Session) => Promise<unknown>,
  indexes: readonly string[],
];

interface Asked {
  readonly statement: Statement;
  readonly parameters: readonly unknown[];
}

/** Moments as the adapter passes them: `infinity` is none for JavaScript. */
const TEXT_OF_MOMENT = {
  to: 1184,
  from: [1082, 1114, 1184],
  serialize: (text: unknown): unknown => text,
  parse: (text: unknown): unknown => text,
};

/** Returns the plans of the statements that run during a call. */
export async function planOf(raw: postgres.Sql, use: (session: Session) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  for (const { statement, parameters } of await askedBy(raw, use)) {
    const rows = await raw.unsafe(`explain ${statement.text}`, parameters as string[]);
    plans.push(...rows.map((row) => String(row['QUERY PLAN'])));
  }
  return plans.join('\n');
}

/** Expects that a plan uses each of the indexes. */
export function expectIndexes(plan: string, indexes: readonly string[]): void {
  for (const index of indexes) expect(plan).toMatch(new RegExp(`(using|on) ${index}`));
}

/** Expects that a plan reads a page in the order of an index: only the outermost sort is left, which has a page's rows. */
export function expectOrdered(plan: string): void {
  expect(plan.match(/Sort {2}\(/g)?.length ?? 0).toBeLessThanOrEqual(1);
  expect(plan).toMatch(/Limit[^\n]*\n\s+->\s+Index Scan/);
}

/** Expects that a plan reads the beginning of each group of verifications only, without sorting the group. */
export function expectBeginnings(plan: string): void {
  expect(plan).toMatch(/Index Only Scan (Backward )?using verifications_(groups|resolved|steps)/);
  expect(plan).not.toMatch(/Sort[^\n]*\n[^\n]*\n\s+->\s+Index Only Scan/);
}

/** Returns the statements that run during a call. */
export async function askedBy(
  raw: postgres.Sql,
  use: (session: Session) => Promise<unknown>,
): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const note: Run = async (statement, values) => {
    asked.push({ statement, parameters: statement.parametersOf(values) });
    return Object.assign([], { count: 0 }) as Rows;
  };
  // Counts are read: the next statement depends on them.
  const read: Run = async (statement, values) => {
    await note(statement, values);
    return raw.unsafe(statement.text, statement.parametersOf(values) as string[]).values();
  };
  const run = { read, lookUp: note, write: note };
  const session: Session = {
    ...run,
    operation: (work) => work(run),
    deadlineMs: 5_000,
    close: async () => undefined,
  };
  await use(session).catch(() => undefined);
  return asked;
}

/** Milliseconds for the set-up of many rows: twenty seconds at rest, and several times as long on a busy machine. */
export const FILL_TIMEOUT_MS = 240_000;

/** Starts a Postgres with a migrated database of many rows. */
export async function givenManyRows(rows: string): Promise<{ raw: postgres.Sql; stop(): Promise<void> }> {
  const server = await startPostgres({ fsync: false });
  const url = await server.createDatabase();
  await migratePostgres({ url });
  const raw = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
    types: { date: TEXT_OF_MOMENT },
  });
  await stopAutovacuum(raw);
  await raw.unsafe(rows);
  return {
    raw,
    async stop() {
      await raw.end();
      await server.stop();
    },
  };
}
