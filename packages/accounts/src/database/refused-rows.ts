/** Whether another row stands in the way of this one. */
export function isTaken(error: unknown): boolean {
  return hasCode(error, ['23505', 'SQLITE_CONSTRAINT_UNIQUE']);
}

/** Whether the person whose row this was to be has been removed in the meantime: every foreign key here is theirs. */
export function isOwnerGone(error: unknown): boolean {
  return hasCode(error, ['23503', 'SQLITE_CONSTRAINT_FOREIGNKEY']);
}

/** @param codes of Postgres (SQLSTATE) and of SQLite */
function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
