export type { PoolStats } from './connection/pool-stats.ts';
export type { DescribedRows as PostgresRows } from './connection/rows.ts';
export type { Transaction as PostgresTransaction } from './connection/transaction.ts';
export type { ReplacedStatistics } from './database/erased-statistics.ts';
export { POSTGRES_MIGRATIONS } from './database/migrations.ts';
export type { PostgresConnections, PostgresPool, SimpleQuery } from './database/postgres-connections.ts';
export type { PostgresFacts } from './database/postgres-facts.ts';
export { PostgresOpenError, type PostgresOpenErrorCode } from './errors.ts';
export {
  connectPostgres,
  createPostgresStorage,
  inspectPostgres,
  migratePostgres,
  type PostgresStorage,
  type PostgresStorageOptions,
} from './postgres-storage.ts';
export {
  createPostgresTransferSource,
  createPostgresTransferTarget,
  type PostgresTransferOptions,
  type PostgresTransferSource,
  type PostgresTransferTarget,
} from './transfer/postgres-transfer.ts';
