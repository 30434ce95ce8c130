/** What a driver calls an error: SQLSTATE, a code of SQLite, or one of Node. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
