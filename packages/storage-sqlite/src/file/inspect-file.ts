import { existsSync } from 'node:fs';
import { type Connection, connect, whileBusy } from '../connection/connection.ts';
import { isBusy, sqliteCode } from '../connection/sqlite-codes.ts';
import { damageText, SqliteOpenError } from '../errors.ts';
import { requireAccess, statOf } from './files.ts';
import {
  appliedMigrations,
  isFromBeforeRelease,
  isNewer,
  isUnfinishedCopy,
  type Migration,
} from './migrations.ts';

/** `PRAGMA application_id` of our files: "Csgn". It is in the header, so `file` and a hex dump show it too. */
export const APPLICATION_ID = 0x43_73_67_6e;

/** The header of every SQLite file (https://sqlite.org/fileformat.html, section 1.3). */
const HEADER_BYTES = 100;

/** The content of a path: nothing that could be lost, or a database of Countersign with its applied migrations. */
export type FileState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'ours'; readonly applied: readonly Migration[] };

/**
 * Inspects a database file without changing it and without leaving files beside it.
 * @param forCopying whether to accept a database with an unfinished copy
 * @param readonly whether the file is only read, so that it may be on a read-only disk
 * @throws SqliteOpenError for a file that this version must not write to
 */
export async function inspectFile(
  file: string,
  waitMs: number,
  {
    forCopying = false,
    readonly = false,
  }: { forCopying?: boolean | undefined; readonly?: boolean | undefined } = {},
): Promise<FileState> {
  const stat = statOf(file);
  if (stat === null) return { kind: 'empty' };
  if (!stat.isFile())
    throw new SqliteOpenError('unreadable', `The database ${file} cannot be opened: it is not a file`);
  requireAccess(file, { readonly });
  if (stat.size === 0) return { kind: 'empty' };
  // SQLite treats a file of one byte as empty and would overwrite it.
  if (stat.size < HEADER_BYTES) throw new SqliteOpenError('not_a_database', `${file} is not a SQLite database`);
  const state = await translated(file, () => whileBusy(() => look(file, readonly), waitMs));
  if (state.kind === 'ours' && isFromBeforeRelease(state.applied)) {
    throw new SqliteOpenError(
      'before_release',
      `The database ${file} was made by a version before 0.2.0 and cannot be upgraded: move it away to start with an empty one`,
    );
  }
  if (state.kind === 'ours' && isNewer(state.applied)) {
    throw new SqliteOpenError(
      'newer_version',
      `The database ${file} was written by a newer version of Countersign: use that version, or restore an older backup`,
    );
  }
  if (state.kind === 'ours' && isUnfinishedCopy(state.applied) && !forCopying) {
    throw new SqliteOpenError(
      'unfinished_copy',
      `The database ${file} holds an unfinished copy: run \`countersign copy\` again, or remove the file`,
    );
  }
  return state;
}

/**
 * Closing the last connection moves a write-ahead log that was left behind into the database, and rolls back a
 * journal: a read-only connection does neither. Without such a file it is the other way round: there a read-only
 * connection leaves an empty log behind, and one that may write cleans up after itself.
 */
function look(file: string, mustNotWrite: boolean): FileState {
  const readonly = mustNotWrite || existsSync(`${file}-wal`) || existsSync(`${file}-journal`);
  const connection = connect(file, { readonly, fileMustExist: true });
  try {
    return stateOf(connection);
  } finally {
    connection.close();
  }
}

function stateOf(connection: Connection): FileState {
  const applicationId = connection.pragma('application_id', { simple: true });
  const table = connection.prepare('SELECT name FROM sqlite_master LIMIT 1').get();
  if (applicationId === APPLICATION_ID) return { kind: 'ours', applied: appliedMigrations(connection) };
  if (applicationId === 0 && table === undefined) return { kind: 'empty' };
  const message = `${connection.name} is a SQLite database, but of another application`;
  throw new SqliteOpenError('foreign_database', message);
}

/** SQLite's own reasons not to open a file, in words for the operator. */
export async function translated<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const code = sqliteCode(cause);
    if (code === '') throw cause;
    const options = { cause };
    if (isBusy(cause)) {
      throw new SqliteOpenError('locked', `The database ${file} is locked by another process`, options);
    }
    if (code === 'SQLITE_NOTADB') {
      throw new SqliteOpenError('not_a_database', `${file} is not a SQLite database`, options);
    }
    if (code.startsWith('SQLITE_CORRUPT')) {
      throw new SqliteOpenError('damaged', damageText(file, (cause as Error).message), options);
    }
    const reason = cause instanceof Error ? cause.message : code;
    throw new SqliteOpenError('unreadable', `The database ${file} cannot be opened: ${reason}`, options);
  }
}
