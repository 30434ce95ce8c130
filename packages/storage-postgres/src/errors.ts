/** Why a database cannot be opened. */
export type PostgresOpenErrorCode =
  /** Not a `postgres://` URL, or one with an unsupported parameter. */
  | 'invalid_url'
  /** No server answers: connection refused, unknown host, or no answer in time. */
  | 'unreachable'
  /** The server refuses this user or password. */
  | 'access_denied'
  /** The server has no database of this name. */
  | 'database_missing'
  /** Older than Postgres 15. */
  | 'server_too_old'
  /** The server accepts encrypted connections only. */
  | 'tls_required'
  /** Encryption is required and the server has none, or its certificate is not trusted. */
  | 'tls_failed'
  /** Written by a newer version of Countersign than this one. */
  | 'newer_version'
  /** Made by a version before 0.2.0, which cannot be upgraded. */
  | 'before_release'
  /** Migrations are pending, and the caller did not allow migrating. */
  | 'outdated'
  /** It holds an unfinished copy of another database. */
  | 'unfinished_copy'
  /** The user lacks the rights that a migration needs. */
  | 'no_permission'
  /** Another process held the migration lock for too long. */
  | 'locked'
  /** A migration failed and was rolled back. */
  | 'migration_failed';

/** Why a database was not opened: a stable code, and a message of one line, without the password, for the operator. */
export class PostgresOpenError extends Error {
  override readonly name = 'PostgresOpenError';
  readonly code: PostgresOpenErrorCode;

  constructor(code: PostgresOpenErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
