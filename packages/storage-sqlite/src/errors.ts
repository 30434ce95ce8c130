/** Why a database file cannot be opened. */
export type SqliteOpenErrorCode =
  /** Written by a newer version of Countersign than this one. */
  | 'newer_version'
  /** Made by a version before 0.2.0, which cannot be upgraded. */
  | 'before_release'
  /** Migrations are pending, and the caller did not allow migrating. */
  | 'outdated'
  /** It holds an unfinished copy of another database. */
  | 'unfinished_copy'
  /** A restore was interrupted. */
  | 'unfinished_restore'
  /** The file does not exist, and the caller did not allow creating it. */
  | 'missing'
  /** Another process holds it. */
  | 'locked'
  /** Another server serves it. */
  | 'already_served'
  /** Not a SQLite file. */
  | 'not_a_database'
  /** A SQLite database of another application. */
  | 'foreign_database'
  /** SQLite finds its structure broken. */
  | 'damaged'
  /** No permission, no such place, or an I/O error. */
  | 'unreadable'
  /** This Node would crash with the SQLite driver. */
  | 'node_too_old';

/**
 * Says in one line that a database is damaged, and what to do.
 * @param reason what SQLite found
 */
export function damageText(file: string, reason: string): string {
  return `The database ${file} is damaged, restore it from a backup with \`countersign restore\`: ${reason}`;
}

/**
 * Why a database file was not opened: a stable code, and a message of one line for the operator. The file is untouched.
 */
export class SqliteOpenError extends Error {
  override readonly name = 'SqliteOpenError';
  readonly code: SqliteOpenErrorCode;

  constructor(code: SqliteOpenErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Why a backup was not made; nothing is left at the target. The message is one line for the operator. */
export class SqliteBackupError extends Error {
  override readonly name = 'SqliteBackupError';
}
