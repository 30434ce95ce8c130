import { type Connection, connect, requireNode } from '../connection/connection.ts';
import { createPrivately } from './files.ts';

/** A held lock of a file. */
export interface FileLock {
  /** Releases the lock. Calling it twice is harmless. */
  release(): void;
}

/** Keeps connections referenced: the garbage collector would close them. */
const held = new Set<Connection>();

/**
 * Takes a lock that the kernel releases when this process ends, even by kill -9. It is an exclusive SQLite transaction on an
 * empty database, so it works on every file system that SQLite supports. The file is never removed: two processes could
 * otherwise lock two files of the same name.
 * @throws an error that `isBusy` recognises while another connection holds the lock
 */
export function takeLock(file: string): FileLock {
  requireNode(process.versions.node);
  createPrivately(file);
  const connection = connect(file);
  try {
    // The database is never written, so its journal can stay in memory.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    throw error;
  }
  held.add(connection);
  return { release: () => release(connection) };
}

function release(connection: Connection): void {
  if (!held.delete(connection)) return;
  connection.exec('ROLLBACK');
  connection.close();
}
