import type postgres from 'postgres';

const TABLES = ['clients', 'subscriptions', 'usage', 'api_keys', 'verifications', 'verification_events'];

/** Every row of the tables that every version has, with all its columns, as text. */
export async function wholeRowsOf(raw: postgres.Sql): Promise<string[]> {
  const select = TABLES.map((table) => `select '${table}' || to_jsonb(${table})::text as line from ${table}`);
  const rows = await raw.unsafe(`${select.join(' union all ')} order by line`);
  return rows.map(({ line }) => String(line));
}

/** The same without some columns. */
export async function rowsWithout(raw: postgres.Sql, columns: readonly string[]): Promise<string[]> {
  const rows = await wholeRowsOf(raw);
  return rows.map((row) => row.replace(new RegExp(`"(${columns.join('|')})": ("[^"]*"|null|false),? ?`, 'g'), ''));
}

/** What each version has added to those tables, from the second on. */
export const ADDED: readonly (readonly string[])[] = [
  ['submitted_at', 'claimed_by', 'claimed_at', 'data_key_wrapped_by', 'data_key'],
  ['sandbox', 'created_by', 'sandbox_outcome'],
];
