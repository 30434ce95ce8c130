import { rowsOf } from './database-file.ts';

/** An entry of the audit log as stored, without its hashes. */
export interface AuditLine {
  readonly sequence: number;
  readonly action: string;
  readonly outcome: string;
  /** `team_member user-id`, or `anonymous`. */
  readonly actor: string;
  readonly from: string | null;
  readonly clientId: string | null;
  readonly targetId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Reads the audit entries after a sequence number from the database file. */
export function auditLines(file: string, after = 0): AuditLine[] {
  const rows = rowsOf(file, LINES, after);
  return rows.map((row) => ({
    sequence: Number(row.sequence),
    action: String(row.action),
    outcome: String(row.outcome),
    actor: String(row.actor),
    from: row.from_address as string | null,
    clientId: row.client_id as string | null,
    targetId: row.target_id as string | null,
    detail: JSON.parse(String(row.detail)) as Record<string, unknown>,
  }));
}

const LINES = `SELECT *, actor_kind || coalesce(' ' || actor_id, '') AS actor FROM audit_entries
  WHERE sequence > ? ORDER BY sequence`;

/** Runs an action and returns the audit entries that it appended. */
export async function linesOf<T>(
  file: string,
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly lines: readonly AuditLine[] }> {
  const last = auditLines(file).at(-1)?.sequence ?? 0;
  const result = await act();
  return { result, lines: auditLines(file, last) };
}

/** Returns a user's id. */
export function staffIdOf(file: string, email: string): string {
  return String(rowsOf(file, 'SELECT id FROM staff_users WHERE email = ?', email)[0]?.id);
}
