import { statSync } from 'node:fs';
import { type Connection, WAL_KEPT_BYTES } from './connection.ts';

/** Number of pages in the write-ahead log from which it is copied into the database: SQLite's default. */
const CHECKPOINT_PAGES = 1_000;

/** Maximum number of pages that are copied on the event loop. */
const PAGES_AT_ONCE = 4_000;

/** Number of bytes by which a large log is shortened whenever it begins again: to shorten 700 MB at once took 180 ms. */
const SHORTENED_BYTES = 32 * 1024 * 1024;

const UNLIMITED = -1;

/** Pause after a checkpoint that a reader kept from copying anything, in milliseconds. */
const PAUSE_MS = 1_000;

/** Runs a checkpoint where it holds up neither requests nor commits. */
export type CheckpointApart = () => Promise<unknown>;

export interface CheckpointOptions {
  readonly checkpointApart: CheckpointApart;
  /** Gets the error of a checkpoint. The next commit tries again. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Moves the write-ahead log into the database, in place of SQLite, which does so within a commit. That takes as long as the
 * log is large, and a reader that stays for seconds keeps all pages written meanwhile in the log: after a backup of 15 s
 * with 230 commits a second, one commit took 2.7 s. Such a log is copied apart, and its last pages here, so that the next
 * commit begins it again.
 *
 * @returns the function to call after each commit
 */
export function createCheckpoints(
  connection: Connection,
  { checkpointApart, onFault }: CheckpointOptions,
): () => void {
  connection.pragma('wal_autocheckpoint = 0');
  const look = connection.prepare('PRAGMA wal_checkpoint(NOOP)').raw();
  const copy = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)').raw();
  let keptBytes = WAL_KEPT_BYTES;
  let isRunningApart = false;
  let notBefore = Number.NEGATIVE_INFINITY;

  function pages(): { readonly written: number; readonly copied: number } {
    const [, written, copied] = look.get() as number[];
    return { written: Number(written), copied: Number(copied) };
  }

  /** SQLite shortens the log to this size, if it is not negative, when a commit begins it again. */
  function keep(bytes: number): void {
    if (bytes === keptBytes) return;
    keptBytes = bytes;
    connection.pragma(`journal_size_limit = ${bytes}`);
  }

  async function copyApart(before: number): Promise<void> {
    isRunningApart = true;
    try {
      keep(UNLIMITED);
      await checkpointApart();
    } finally {
      isRunningApart = false;
      if (connection.open) {
        keep(statSync(`${connection.name}-wal`).size);
        if (pages().copied <= before) notBefore = performance.now() + PAUSE_MS;
      }
    }
  }

  function checkpoint(): void {
    if (isRunningApart || !connection.open) return;
    const { written, copied } = pages();
    if (written < CHECKPOINT_PAGES || written === copied) return;
    if (written - copied > PAGES_AT_ONCE) {
      if (performance.now() >= notBefore) copyApart(copied).then(afterCommit, onFault);
      return;
    }
    copy.get();
    keep(Math.max(WAL_KEPT_BYTES, keptBytes - SHORTENED_BYTES));
  }

  function afterCommit(): void {
    try {
      checkpoint();
    } catch (fault) {
      onFault(fault);
    }
  }

  return afterCommit;
}
