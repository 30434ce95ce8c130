/** What `countersign doctor` reports about a database. */
export interface PostgresFacts {
  /** `host:port` of queries. */
  readonly host: string;
  readonly database: string;
  readonly user: string;
  /** The server's version: `18.4`. */
  readonly serverVersion: string;
  /** Names, oldest first. */
  readonly appliedMigrations: readonly string[];
  readonly pendingMigrations: readonly string[];
  /**
   * The database's clock minus this process's, in ms: positive if the database is ahead. Exact to half a round trip.
   */
  readonly clockDifferenceMs: number;
  /** The shortest of three measurements. */
  readonly roundTripMs: number;
  /** Maximum number of connections. */
  readonly poolSize: number;
  /** Address and user for migrations and statistics, and whether it can be reached. */
  readonly direct: { readonly host: string; readonly user: string; readonly isReachable: boolean };
  /**
   * Tables with personal data, and their partitions, whose statistics this user may not replace, so that erased values stay in them; none if it cannot be reached.
   * It must own them or, from Postgres 17 on, have MAINTAIN on them.
   */
  readonly notAnalyzable: readonly string[];
}
