export interface PostgresOptions {
  /** Server settings, for instance `{ max_connections: 20 }`. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Whether a commit waits for the disk, as it does in production. Default: true. */
  readonly fsync?: boolean;
  /** Even if there is another: for tests that freeze it, or look at all of its connections and locks. Servers with settings are always started. */
  readonly own?: boolean;
}
