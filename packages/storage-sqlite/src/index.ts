export { damageIn } from './connection/sqlite-codes.ts';
export { damageText, SqliteBackupError, SqliteOpenError, type SqliteOpenErrorCode } from './errors.ts';
export type { SqliteBackupProgress } from './file/backup.ts';
export type { FileLock } from './file/locks.ts';
export type { CheckedTables, ClearedSpace, ErasedSpace, SqliteFacts, UnclearedSpace } from './file/reports.ts';
export { COMPANIONS, restoreMarkOf } from './file/restore-mark.ts';
export {
  beginServing,
  endedUncleanly,
  isServed,
  lockForServing,
  type Serving,
  servingMarkOf,
} from './file/serving.ts';
export {
  backUpSqlite,
  createSqliteStorage,
  inspectSqliteBackup,
  inspectSqliteSchema,
  migrateSqlite,
  type QuickCheck,
  type SqliteStorage,
  type SqliteStorageOptions,
} from './sqlite-storage.ts';
export {
  createSqliteTransferSource,
  createSqliteTransferTarget,
  type SqliteTransferOptions,
  type SqliteTransferSource,
  type SqliteTransferTarget,
} from './transfer/sqlite-transfer.ts';
