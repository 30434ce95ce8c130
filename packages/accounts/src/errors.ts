export type AccountsOpenErrorCode =
  /** There is no file, and the file is the storage's to make. */
  | 'missing'
  /** Older than this version needs, and migrating it was not asked for. */
  | 'outdated'
  /** Written by a newer version of Countersign than this one. */
  | 'newer_version'
  /** Nothing answers there, or it does not let this user in. */
  | 'unreachable'
  /** Another process kept the database locked. */
  | 'locked'
  /** A migration was refused. Nothing of it was kept. */
  | 'migration_failed';

/** Why the tables of accounts cannot be used: a stable code, and a message of one line for the operator, without a password. */
export class AccountsOpenError extends Error {
  override readonly name = 'AccountsOpenError';
  readonly code: AccountsOpenErrorCode;

  constructor(code: AccountsOpenErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Why accounts were not copied. The message is one line for the operator and names ids only. */
export class AccountsCopyError extends Error {
  override readonly name = 'AccountsCopyError';
}

/** Why a second factor was not sealed anew. The message is one line for the operator. */
export class AccountsSealError extends Error {
  override readonly name = 'AccountsSealError';
}

/** What a database said, without what must not reach a log: `detail` of a driver's error quotes whole rows. */
export class AccountsFault extends Error {
  override readonly name = 'AccountsFault';
  /** SQLSTATE, or Node's code. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
