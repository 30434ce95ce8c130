import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { connect } from '../connection/connection.ts';
import { sqliteCode } from '../connection/sqlite-codes.ts';
import { SqliteBackupError } from '../errors.ts';
import { reasonOf } from './files.ts';
import type { Checked } from './reports.ts';

/** Progress of a backup, in pages of the database. */
export interface SqliteBackupProgress {
  readonly done: number;
  readonly total: number;
}

export interface BackUpOptions {
  /** Checks a whole file where it does not hold up the event loop. */
  readonly checkFile: (file: string) => Promise<Checked>;
  readonly onProgress?: ((progress: SqliteBackupProgress) => void) | undefined;
}

/**
 * Copies a snapshot of the database into a new file. Servers and commands continue to use the database.
 * The copy is renamed to `target` once it is complete, checked and flushed to disk. It has no write-ahead log, so that it
 * can be read from a read-only disk.
 * @throws SqliteBackupError
 */
export async function backUp(
  file: string,
  target: string,
  { checkFile, onProgress = () => undefined }: BackUpOptions,
): Promise<void> {
  requireFree(target);
  const partial = `${target}.${randomUUID()}.partial`;
  await createPrivately(partial, target);
  try {
    await copy(file, partial, onProgress).catch((cause: unknown) => refuseFull(target, cause));
    keepNoLog(partial);
    requireSound(await checkFile(partial), target);
    await flush(partial);
    requireFree(target);
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}

function requireFree(target: string): void {
  if (existsSync(target)) throw new SqliteBackupError(`The backup ${target} exists already: choose another name`);
}

async function createPrivately(partial: string, target: string): Promise<void> {
  try {
    const handle = await open(partial, 'wx', 0o600);
    await handle.close();
  } catch (cause) {
    const directory = dirname(resolve(target));
    const reason = existsSync(directory) ? reasonOf(cause) : `there is no directory ${directory}`;
    throw new SqliteBackupError(`The backup ${target} cannot be written: ${reason}`, { cause });
  }
}

/** Blocks the event loop for about a millisecond. */
const PAGES_AT_ONCE = 256;

function refuseFull(target: string, cause: unknown): never {
  if (!['SQLITE_FULL', 'SQLITE_IOERR_WRITE'].includes(sqliteCode(cause))) throw cause;
  throw new SqliteBackupError(`The backup ${target} cannot be written: the disk is full`, { cause });
}

/**
 * Copies in portions and yields to the event loop in between. The open transaction keeps one snapshot: without it, SQLite
 * would restart the copy after each write of another process.
 */
async function copy(
  file: string,
  partial: string,
  onProgress: (progress: SqliteBackupProgress) => void,
): Promise<void> {
  const source = connect(file, { fileMustExist: true });
  try {
    source.exec('BEGIN');
    source.prepare('SELECT 1 FROM sqlite_master').get();
    const { totalPages } = await source.backup(partial, {
      progress({ totalPages: total, remainingPages }) {
        if (remainingPages > 0) onProgress({ done: total - remainingPages, total });
        return PAGES_AT_ONCE;
      },
    });
    onProgress({ done: totalPages, total: totalPages });
  } finally {
    source.close();
  }
}

/** Ends the use of a write-ahead log, so that nothing stands beside the file. */
function keepNoLog(partial: string): void {
  const connection = connect(partial, { fileMustExist: true });
  try {
    connection.pragma('journal_mode = DELETE');
  } finally {
    connection.close();
  }
}

function requireSound(integrity: Checked, target: string): void {
  if (integrity === 'ok') return;
  throw new SqliteBackupError(
    `The backup ${target} was not made, the database is damaged: ${integrity.join('; ')}`,
  );
}

async function flush(partial: string): Promise<void> {
  const handle = await open(partial, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
