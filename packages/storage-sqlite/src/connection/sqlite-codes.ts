import Database from 'better-sqlite3';

/** SQLite's extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`; empty for any other error. */
export function sqliteCode(error: unknown): string {
  return error instanceof Database.SqliteError ? error.code : '';
}

/** Makes an error again that another thread received. @param code empty if it is not SQLite's */
export function errorAgain({ message, code }: { readonly message: string; readonly code: string }): Error {
  return code === '' ? new Error(message) : new Database.SqliteError(message, code);
}

/** Whether SQLite found the file's structure broken. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(sqliteCode(error));
}

/** Finds SQLite's report of damage in an error or its causes. */
export function damageIn(error: unknown): Error | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (isDamage(each)) return each;
  return undefined;
}

/** Whether the disk is full, fails or is read-only: the same operation can succeed later. */
export function isOutage(error: unknown): boolean {
  return /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/.test(sqliteCode(error));
}

/** Whether another connection's lock caused the error, so that a retry may succeed. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}
