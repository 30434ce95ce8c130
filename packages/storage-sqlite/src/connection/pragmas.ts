import { SqliteOpenError } from '../errors.ts';
import type { Connection } from './connection.ts';

/** Bytes the write-ahead log may keep on the disk once it is checkpointed; a long backup can make it larger. */
const WAL_KEPT_BYTES = 64 * 1024 * 1024;

/** Pages kept in memory, in KiB. The driver's default is 16 MB; the system keeps the file in its own cache anyway. */
const CACHE_KIB = 4_000;

/**
 * What holds for one connection only and so is set on every open. Without `synchronous`, a re-opened WAL database
 * runs at NORMAL and a write that was acknowledged can be lost with the power. `secure_delete` overwrites what was
 * replaced: the rows are personal data.
 */
export function setPragmas(connection: Connection): void {
  const mode = connection.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') {
    const message = `The database ${connection.name} cannot be opened: its file system holds no write-ahead log`;
    throw new SqliteOpenError('unreadable', message);
  }
  connection.pragma(`cache_size = -${CACHE_KIB}`);
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('secure_delete = ON');
  connection.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
}
