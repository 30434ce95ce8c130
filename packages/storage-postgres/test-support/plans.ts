import { startPostgres } from '@countersign/test-support/servers';
import postgres from 'postgres';
import type { Rows } from '../src/connection/rows.ts';
import type { Run, Session } from '../src/connection/session.ts';
import type { Statement } from '../src/connection/statement.ts';
import { migratePostgres } from '../src/postgres-storage.ts';
import { stopAutovacuum } from './raw.ts';

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
