import type { AccountsDatabase } from '@countersign/accounts';
import type { Storage } from '@countersign/domain/storage';
import type { SharedRateLimiter } from '@countersign/rate-limit';
import type { PoolStats, PostgresFacts, ReplacedStatistics } from '@countersign/storage-postgres';
import type {
  CheckedTables,
  ClearedSpace,
  ErasedSpace,
  SqliteFacts,
  UnclearedSpace,
} from '@countersign/storage-sqlite';
import type { Environment } from '../config/parse-environment.ts';
import type { Findings } from './findings.ts';
import type { Manifest } from './manifest.ts';
import type { OnProgress } from './progress.ts';

export interface BackupOptions {
  /** Copies the evidence only. The database is backed up by other means, such as snapshots of a managed server. */
  readonly evidenceOnly: boolean;
  readonly onProgress: OnProgress;
  /** For the programs that a backup starts, such as `pg_dump`. */
  readonly environment: Environment;
}

/** The database in a backup. */
export interface BackedUpDatabase {
  readonly database: Manifest['database'];
  /** Names of the keys that wrap its data keys. */
  readonly wrappedBy: readonly string[];
}

/** What a check of the database in a backup found. */
export interface InspectedBackup {
  readonly problems: readonly string[];
  /** Names of the keys that wrap data keys of the database. */
  readonly wrappedBy: readonly string[];
  /**
   * Opens the database to read its verifications. Undefined where that is not possible: an older version made it, or
   * another program restores it.
   */
  readonly open: (() => Promise<Storage>) | undefined;
  /** Why the rest cannot be restored yet, although the backup may be sound: one line for the operator. */
  readonly notReady?: string;
}

/** How a restored database replaces the present one. */
export interface Replacement {
  /**
   * Makes sure that no server uses what is replaced until `release`.
   * @throws SqliteOpenError `already_served`, BackupError
   */
  lock(): Promise<{ release(): Promise<void> }>;
  /** Marks an unfinished restore: while the file exists, no server starts and no command opens SQLite. */
  readonly markFile: string;
  /** The files of the present database; none where another program restores it. */
  readonly files: readonly string[];
}

export type DatabaseFacts =
  | ({
      readonly kind: 'sqlite';
      /** Whether the last server was killed, or found the database damaged. */
      readonly isAfterUncleanEnd: boolean;
      /** Erasures after which copies of erased values can still be in the file. */
      readonly uncleared: UnclearedSpace;
    } & SqliteFacts)
  | ({ readonly kind: 'postgres' } & PostgresFacts);

/** What a database reports while the server runs. */
export interface ServingEvents {
  onFault(fault: unknown): void;
  /** Called once, with SQLite's findings, when the file is found damaged. */
  onDamage(reason: string): void;
}

/** The storage of a server, with figures for its metrics. */
export interface ServedStorage extends Storage {
  /** Where user accounts are stored. On SQLite, accounts and storage stop writing once either finds the file damaged. */
  readonly accounts: AccountsDatabase;
  /** Returns the size of the database, on SQLite with what waits in its log. */
  sizeBytes(): Promise<number>;
  /** Copies of erased values in the free space of the file. Undefined for Postgres, which reuses free space itself. */
  readonly erasedSpace?: ErasedSpace;
  /** Whether the file was not found damaged since it was opened. Undefined for Postgres, which checks its pages itself. */
  isSound?(): boolean;
  /** Checks the file table by table, until the signal. Damage stops writes. Undefined for Postgres. */
  checkTables?(options: { readonly signal: AbortSignal }): Promise<CheckedTables>;
  /** Returns what the pool of connections is doing. Undefined for SQLite, which has none. */
  poolStats?(): PoolStats;
  /** Replaces statistics of the planner that may contain erased values. Undefined for SQLite, which has none. */
  replaceErasedStatistics?(): Promise<ReplacedStatistics>;
  /** Returns how many creations wait for others of their client. Undefined for SQLite, whose creations share commits. */
  creationsWaiting?(): number;
}

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
  /** Whether a server is serving the database now; undefined where this cannot be seen. */
  isServed(): boolean | undefined;
  /**
   * Opens the database for a server. SQLite admits one server at a time.
   * @param events what is found later
   * @throws SqliteOpenError, PostgresOpenError, BackupError
   */
  openForServing(events: ServingEvents): Promise<ServedStorage>;
  /** Returns an error that names the damage of the file if it caused the given one, which is returned otherwise. */
  explained(error: unknown): unknown;
  /**
   * Migrates the database, accounts included, to this version's schema.
   * @param options.waitMs how long to wait for a database server that starts; default: not at all
   * @returns the names of the applied migrations
   * @throws SqliteOpenError, PostgresOpenError, AccountsOpenError
   */
  migrate(options?: { readonly waitMs?: number }): Promise<readonly string[]>;
  /** Reads everything and changes nothing. */
  examine(): Promise<Findings<DatabaseFacts | null>>;
  /**
   * Removes copies of erased values from the free space of the file, also while a server runs. Undefined for Postgres.
   * @throws SqliteOpenError
   */
  clearErasedSpace?(): Promise<ClearedSpace>;
  /** Size of the database on the disk. @throws SqliteOpenError, PostgresOpenError */
  sizeBytes(): Promise<number>;
  /**
   * Writes a snapshot of the database into the folder of a backup, while servers run.
   * @throws SqliteBackupError, SqliteOpenError, PostgresOpenError, BackupError
   */
  backUp(directory: string, options: BackupOptions): Promise<BackedUpDatabase>;
  /**
   * Checks the database in a backup, which is of this kind.
   * @throws SqliteOpenError if it is no database of Countersign, or one of a newer version
   */
  inspectBackup(directory: string, manifest: Manifest): Promise<InspectedBackup>;
  /** How a restored database replaces this one. */
  readonly replacement: Replacement;
  /** Creates a limiter that counts in the database. Undefined for SQLite, which one server uses alone. */
  createRateLimiter(): SharedRateLimiter | undefined;
}
