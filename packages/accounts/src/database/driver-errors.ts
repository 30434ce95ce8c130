/** Returns the code of a driver's error: an SQLSTATE, or a code of SQLite or Node. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

/** Whether a unique constraint refused a row. */
export function isTaken(error: unknown): boolean {
  return ['23505', 'SQLITE_CONSTRAINT_UNIQUE'].includes(codeOf(error));
}

/** Whether the row's user was removed meanwhile: every foreign key of these tables refers to a user. */
export function isUserGone(error: unknown): boolean {
  return ['23503', 'SQLITE_CONSTRAINT_FOREIGNKEY'].includes(codeOf(error));
}
