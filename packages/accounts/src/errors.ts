/** Why the tables of accounts cannot be opened. */
export type AccountsOpenErrorCode =
  /** The SQLite file does not exist. The storage creates it. */
  | 'missing'
  /** A migration is pending, and the caller did not ask for it. */
  | 'outdated'
  /** A development version made the tables. There is no migration from it. */
  | 'older_version'
  /** A newer version of Countersign made the tables. */
  | 'newer_version'
  /** Another process holds the lock. */
  | 'locked'
  /** The database refused a migration and kept nothing of it. */
  | 'migration_failed';

/** The tables of accounts cannot be used. The message is one line for the operator, without a password. */
export class AccountsOpenError extends Error {
  override readonly name = 'AccountsOpenError';
  readonly code: AccountsOpenErrorCode;

  constructor(code: AccountsOpenErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Accounts were not copied. The message is one line for the operator and names ids only. */
export class AccountsCopyError extends Error {
  override readonly name = 'AccountsCopyError';
}

/** A second factor was not re-sealed. The message is one line for the operator. */
export class AccountsSealError extends Error {
  override readonly name = 'AccountsSealError';
}

/** A fault of the database or of the key ring, safe to log: a driver's own error quotes whole rows in `detail`. */
export class AccountsFault extends Error {
  override readonly name = 'AccountsFault';
  /** SQLSTATE, Node's code, or `UNKNOWN_KEY`: the ring lacks the secret that sealed a value. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the code of a driver's error: an SQLSTATE, or a code of SQLite or Node. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

/**
 * Returns undefined for the error of a row whose user was removed, and throws any other: every foreign key of these tables refers to a
 * user.
 */
export function unlessUserGone(error: unknown): undefined {
  if (!['23503', 'SQLITE_CONSTRAINT_FOREIGNKEY'].includes(codeOf(error))) throw error;
}
