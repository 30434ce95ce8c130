import type { AccountsDatabase } from '@countersign/accounts';
import type { Storage } from '@countersign/domain';
import type { SharedRateLimiter } from '@countersign/rate-limit';
import type { PostgresFacts } from '@countersign/storage-postgres';
import type { SqliteFacts } from '@countersign/storage-sqlite';
import type { Findings } from './findings.ts';

export type DatabaseFacts = ({ kind: 'sqlite' } & SqliteFacts) | ({ kind: 'postgres' } & PostgresFacts);

/** A database of one kind. Everything that depends on the kind is here. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** Path of the file, or host and name of the database. Never holds a password. */
  readonly place: string;
  /** Where user accounts are stored, in the same database. */
  readonly accounts: AccountsDatabase;
  /** Opens the database. Servers may run meanwhile. @throws SqliteOpenError, PostgresOpenError */
  open(): Promise<Storage>;
  /** Opens an existing database without creating or migrating it. @throws SqliteOpenError, PostgresOpenError */
  openToRead(): Promise<Storage>;
  /** Opens the database for a server. SQLite admits one server at a time. @throws SqliteOpenError, PostgresOpenError */
  openForServing(): Promise<Storage>;
  /**
   * Migrates the database, accounts included, to this version's schema.
   * @returns the names of the applied migrations
   * @throws SqliteOpenError, PostgresOpenError, AccountsOpenError
   */
  migrate(): Promise<readonly string[]>;
  /** Reads everything and changes nothing. */
  examine(): Promise<Findings<DatabaseFacts>>;
  /** Copies the database to a new file. @throws SqliteBackupError, SqliteOpenError; SettingError on PostgreSQL */
  backUp(file: string): Promise<void>;
  /** Creates a limiter that counts in the database. Undefined for SQLite, which one server uses alone. */
  createRateLimiter(): SharedRateLimiter | undefined;
}
