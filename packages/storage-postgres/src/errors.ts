export type PostgresOpenErrorCode =
  /** Not a `postgres://` URL, or one that asks for something this adapter does not do. */
  | 'invalid_url'
  /** Nothing answers there: refused, no such host, or no answer in time. */
  | 'unreachable'
  /** The server does not take this user or this password. */
  | 'access_denied'
  /** The server has no database of this name. */
  | 'database_missing'
  /** Older than Postgres 15. */
  | 'server_too_old'
  /** The server takes encrypted connections only. */
  | 'tls_required'
  /** Encryption was asked for and the server has none, or its certificate is not trusted. */
  | 'tls_failed'
  /** Written by a newer version of Countersign than this one. */
  | 'newer_version'
  /** Made by a version before 0.2.0, which cannot be upgraded. */
  | 'before_release'
  /** Older than this version needs, and migrating it was not asked for. */
  | 'outdated'
  /** It holds a part of another database: a copy into it was begun and not finished. */
  | 'unfinished_copy'
  /** The user may not create what a migration makes. */
  | 'no_permission'
  /** Another process kept migrating, or hung while it did. */
  | 'locked'
  /** A migration was refused. Nothing of it was kept. */
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
