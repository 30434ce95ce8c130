/** Result of a check: 'ok', or a line for each damage. */
export type Checked = 'ok' | readonly string[];

/** Result of a check of the tables. */
export type CheckedTables =
  | { readonly outcome: 'sound'; readonly tables: number }
  /** With a line for each damage of the first damaged table, one at least. */
  | { readonly outcome: 'damaged'; readonly found: readonly string[] }
  /** The check was ended early. */
  | { readonly outcome: 'stopped' };

/** What `countersign doctor` reports about a database. */
export interface SqliteFacts {
  /** Path of the database file. */
  readonly file: string;
  /** Size of the database without its write-ahead log. */
  readonly sizeBytes: number;
  readonly sqliteVersion: string;
  /** Names, oldest first. */
  readonly appliedMigrations: readonly string[];
  readonly pendingMigrations: readonly string[];
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Number of data keys by the name of the key that wraps them. */
  readonly dataKeysBy: Readonly<Record<string, number>>;
  /** 'ok', or a line for each damage. The other counts are empty unless it is 'ok'. */
  readonly integrity: Checked;
}

/** Erasures after which copies of erased values can still be in the free space of the file. */
export interface UnclearedSpace {
  readonly erasures: number;
  /** When the oldest of them began; null without any. */
  readonly since: Date | null;
  /** Whether the database is so small that writes wait for less than half a second while it is cleared. */
  readonly isSmall: boolean;
}

/** The result of clearing the free space. */
export type ClearedSpace =
  | { readonly outcome: 'cleared'; readonly erasures: number; readonly durationMs: number }
  | { readonly outcome: 'nothing_to_clear' }
  /** Another process clears it, or a reader, such as a backup, still uses the write-ahead log. */
  | { readonly outcome: 'busy' }
  | ({ readonly outcome: 'no_space' } & MissingSpace);

/** A folder whose disk is too full to rewrite the file. */
export interface MissingSpace {
  readonly folder: string;
  readonly neededBytes: number;
  readonly freeBytes: number;
}

/**
 * Copies of erased values in the free space of the file. SQLite overwrites what is deleted (`secure_delete`), but when it moves rows or
 * index entries to another page, the old page keeps copies of them. No SQL reaches these copies; VACUUM writes the file without them.
 */
export interface ErasedSpace {
  /** Reads whether the file may have such copies. Survives restarts. */
  find(): Promise<UnclearedSpace>;
  /**
   * Removes them from the file and its write-ahead log. Reads continue; writes of this process and of others wait, and get
   * `SERVICE_UNAVAILABLE` if they wait too long. Of several processes at once, one does it and the others receive `busy`. A process that
   * dies meanwhile leaves the file as it was.
   * @throws CountersignError `SERVICE_UNAVAILABLE` if the database is damaged. Its structure is checked first, because VACUUM would hide
   * that rows are lost; then writes stop, and the file stays as it is.
   * @throws Error if the file was removed or replaced
   */
  clear(): Promise<ClearedSpace>;
}
