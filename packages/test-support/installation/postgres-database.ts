import postgres, { type Sql } from 'postgres';
import type { Tally } from './database-file.ts';

/** Counts a client's rows with plain SQL: `tallyOf` for Postgres. */
export function tallyIn(url: string, clientId: string): Promise<Tally> {
  return withDatabase(url, async (sql) => {
    const [tally] = await sql<[Tally]>`
      select
        (select count(*)::integer from verifications where client_id = ${clientId}) as rows,
        (select coalesce(sum(used), 0)::integer from usage where client_id = ${clientId}) as used,
        (select coalesce(sum(pending + submitted + action_needed + approved + rejected), 0)::integer
          from verification_counts where client_id = ${clientId}) as counted,
        (select count(*)::integer from verifications v where client_id = ${clientId} and 1 = (
          select count(*) from verification_events e
          where e.client_id = v.client_id and e.verification_id = v.id and e.type = 'verification.created'
        )) as created,
        (select count(*)::integer from verification_events where client_id = ${clientId}) as events`;
    return { ...tally };
  });
}

/** Returns the ids of the client's verifications, by reference. */
export function verificationsIn(url: string, clientId: string): Promise<Map<string, string>> {
  return withDatabase(url, async (sql) => {
    const rows = await sql<{ id: string; reference: string }[]>`
      select id, subject_reference as reference from verifications where client_id = ${clientId}`;
    return new Map(rows.map(({ reference, id }) => [reference, id]));
  });
}

/** Opens a connection, and closes it before it returns. */
export async function withDatabase<T>(url: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'test' },
  });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
