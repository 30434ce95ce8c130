import Database from 'better-sqlite3';
import { createSession, type Session } from '../src/connection/session.ts';

/** What SQLite does for each statement that only reads, or changes what is there, while `act` runs on the file. */
export async function planOf(
  afterwards: (clean: () => void) => void,
  file: string,
  act: (session: Session) => Promise<unknown>,
): Promise<string[]> {
  const log: string[] = [];
  const connection = new Database(file, { verbose: (sql) => log.push(String(sql)) });
  afterwards(() => void connection.close());
  await act(createSession(connection, { waitMs: 0 }));
  const statements = log.filter((sql) => /^\s*(select|update)/i.test(sql));
  return statements.flatMap((sql) =>
    connection
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail),
  );
}
