/** What a pool is doing, for metrics. */
export interface PoolStats {
  /** Connections, those being opened included. */
  readonly connections: number;
  readonly connectionsMax: number;
  /** Queries that wait for a connection, and transactions that wait to begin. */
  readonly queriesWaiting: number;
}
