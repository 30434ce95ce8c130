import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { connect } from '../connection/connection.ts';
import { SqliteBackupError } from '../errors.ts';
import { integrityOf } from './facts.ts';
import { reasonOf } from './files.ts';

/**
 * Copies a snapshot of the database into a new file. Servers and commands continue to use the database.
 * The copy is renamed to `target` once it is complete, checked and flushed to disk.
 * @throws SqliteBackupError
 */
export async function backUp(file: string, target: string): Promise<void> {
  requireFree(target);
  const partial = `${target}.${randomUUID()}.partial`;
  await createPrivately(partial, target);
  try {
    await copy(file, partial);
    requireSound(partial, target);
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

/**
 * Copies in portions and yields to the event loop in between. The open transaction keeps one snapshot: without it, SQLite
 * would restart the copy after each write of another process.
 */
async function copy(file: string, partial: string): Promise<void> {
  const source = connect(file, { fileMustExist: true });
  try {
    source.exec('BEGIN');
    source.prepare('SELECT 1 FROM sqlite_master').get();
    await source.backup(partial);
  } finally {
    source.close();
  }
}

function requireSound(partial: string, target: string): void {
  const connection = connect(partial, { fileMustExist: true });
  try {
    const integrity = integrityOf(connection);
    if (integrity === 'ok') return;
    throw new SqliteBackupError(
      `The backup ${target} was not made, the database is damaged: ${integrity.join('; ')}`,
    );
  } finally {
    connection.close();
  }
}

async function flush(partial: string): Promise<void> {
  const handle = await open(partial, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
