export interface PostgresOptions {
  /** Server settings, for instance `{ max_connections: 20 }`. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Whether a commit waits for the disk, as it does in production. Default: true. */
  readonly fsync?: boolean;
  /** Starts a separate server, for tests that freeze it or read all its connections and locks. `settings` imply it. */
  readonly own?: boolean;
  /** Folder with `bin` of another Postgres than the default. Implies a separate server. */
  readonly installation?: string | undefined;
}
