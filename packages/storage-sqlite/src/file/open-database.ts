import { type Connection, connect, setPragmas, whileBusy } from '../connection/connection.ts';
import { SqliteOpenError } from '../errors.ts';
import { createPrivately, makeDirectoryOf, statOf } from './files.ts';
import { APPLICATION_ID, type FileState, inspectFile, translated } from './inspect-file.ts';
import { takeLock } from './locks.ts';
import type { MigrationSteps } from './migration-steps.ts';
import { applyMigrations, MIGRATIONS, pendingMigrations } from './migrations.ts';
import { requireFinishedRestore } from './restore-mark.ts';

/**
 * Opens the database for reading and writing, with the schema of this version. The file is looked at before anything
 * is written.
 * @param file as `realFile` gives it
 */
export async function openDatabase(
  file: string,
  {
    migrate,
    waitMs,
    forCopying,
    readonly,
  }: { migrate: boolean; waitMs: number; forCopying?: boolean; readonly?: boolean },
): Promise<Connection> {
  requireFinishedRestore(file);
  if (!migrate && statOf(file) === null) throw new SqliteOpenError('missing', `There is no database at ${file}`);
  const pending = pendingIn(await inspectFile(file, waitMs, { forCopying, readonly }));
  if (pending.length > 0) {
    if (!migrate) {
      throw new SqliteOpenError('outdated', `The database ${file} needs migrations: run \`countersign migrate\``);
    }
    await migrateDatabase(file, waitMs);
  }
  return translated(file, async () => {
    const connection = connect(file, { fileMustExist: true, readonly: readonly ?? false });
    if (readonly) return connection;
    try {
      await whileBusy(() => setPragmas(connection), waitMs);
      // Fails now, not with the first write, if another process holds the lock for good.
      await whileBusy(() => connection.exec('BEGIN IMMEDIATE'), waitMs);
      connection.exec('ROLLBACK');
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

/**
 * Creates the database if there is none and applies pending migrations. Of several processes at once, one does it and the others
 * wait. A process that dies halfway leaves no partial migration and no lock.
 * @returns names of the migrations that were applied
 */
export async function migrateDatabase(
  file: string,
  waitMs: number,
  { before, after }: MigrationSteps = {},
): Promise<readonly string[]> {
  requireFinishedRestore(file);
  await inspectFile(file, waitMs);
  makeDirectoryOf(file);
  return translated(file, async () => {
    const lock = await whileBusy(() => takeLock(`${file}-migrate.lock`), waitMs);
    try {
      const state = await inspectFile(file, waitMs);
      const pending = pendingIn(state);
      const names = pending.map(({ name }) => name);
      if (state.kind === 'ours') await before?.(names);
      if (pending.length > 0) await apply(file, state, waitMs);
      return [...names, ...((await after?.()) ?? [])];
    } finally {
      lock.release();
    }
  });
}

async function apply(file: string, state: FileState, waitMs: number): Promise<void> {
  createPrivately(file);
  const connection = connect(file, { fileMustExist: true });
  try {
    await whileBusy(() => {
      if (state.kind === 'empty') mark(connection);
      setPragmas(connection);
      applyMigrations(connection);
    }, waitMs);
  } finally {
    connection.close();
  }
}

/**
 * Marks the file as ours before there is a write-ahead log, so that the mark stands in the file itself whatever
 * happens next; and without a journal on the disk, which would have to be rolled back if this process died here.
 */
function mark(connection: Connection): void {
  connection.pragma('journal_mode = MEMORY');
  connection.pragma(`application_id = ${APPLICATION_ID}`);
}

function pendingIn(state: FileState): typeof MIGRATIONS {
  return state.kind === 'empty' ? MIGRATIONS : pendingMigrations(state.applied);
}
