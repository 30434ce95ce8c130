import type { AccountsDatabase } from '@countersign/accounts';
import type { Storage } from '@countersign/domain';
import type { SharedRateLimiter } from '@countersign/rate-limit';
import type { PostgresFacts } from '@countersign/storage-postgres';
import type { SqliteFacts } from '@countersign/storage-sqlite';

/** What `doctor` finds of a database. */
export interface DatabaseFindings {
  /** Null where it cannot be opened. */
  readonly facts: ({ kind: 'sqlite' } & SqliteFacts) | ({ kind: 'postgres' } & PostgresFacts) | null;
  /** The facts for people. */
  readonly lines: readonly string[];
  /** One line for each thing that is wrong. */
  readonly problems: readonly string[];
}

/** Everything that is different from one kind of database to the other. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** What may be told of it: a path, or host and name. */
  readonly place: string;
  /** Where it keeps the accounts of staff, beside everything else. */
  readonly accounts: AccountsDatabase;
  /** Opens it, also beside a running server. @throws SqliteOpenError, PostgresOpenError */
  open(): Promise<Storage>;
  /** Opens it as it is: makes nothing and migrates nothing. @throws SqliteOpenError, PostgresOpenError */
  openToRead(): Promise<Storage>;
  /** Opens it for a server; closing lets the next one in. @throws SqliteOpenError, PostgresOpenError */
  openForServing(): Promise<Storage>;
  /**
   * Brings it to this version's schema, accounts included, and says what was applied.
   * @throws SqliteOpenError, PostgresOpenError, AccountsOpenError
   */
  migrate(): Promise<readonly string[]>;
  /** Reads everything and changes nothing. */
  examine(): Promise<DatabaseFindings>;
  /** Copies it to a new file. @throws SqliteBackupError, SqliteOpenError, SettingError where it has no such copy */
  backUp(file: string): Promise<void>;
  /** Counts requests in the database, if several servers may use it. */
  createRateLimiter(): SharedRateLimiter | undefined;
}
