import { statSync } from 'node:fs';
import { type Connection, WAL_KEPT_BYTES } from './connection.ts';

/** Number of pages in the write-ahead log from which it is copied into the database: SQLite's default. */
const CHECKPOINT_PAGES = 1_000;

/** Number of pages from which the log is copied apart. */
const PAGES_APART = 4_000;

/**
 * Pause between two checkpoints on the event loop, in milliseconds: 1,000 pages take about 10 ms, of which most is the sync
 * of the database. Two of them a second were the slowest hundredth of all requests.
 */
const PAUSE_HERE_MS = 5_000;

/** Number of bytes by which a large log is shortened whenever it begins again: to shorten 700 MB at once took 180 ms. */
const SHORTENED_BYTES = 32 * 1024 * 1024;

const UNLIMITED = -1;

/** Pause after a checkpoint apart that a reader kept from copying anything, in milliseconds. */
const PAUSE_APART_MS = 1_000;

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
 * with 230 commits a second, one commit took 2.7 s. Such a log, and one that commits fill again within seconds, is copied
 * apart, and its last pages here, so that the next commit begins it again.
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
  let hereNotBefore = Number.NEGATIVE_INFINITY;
  let apartNotBefore = Number.NEGATIVE_INFINITY;

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

  function copyHere(): void {
    copy.get();
    hereNotBefore = performance.now() + PAUSE_HERE_MS;
    keep(Math.max(WAL_KEPT_BYTES, keptBytes - SHORTENED_BYTES));
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
        if (pages().copied <= before) apartNotBefore = performance.now() + PAUSE_APART_MS;
      }
    }
  }

  function copyRest(): void {
    if (!connection.open) return;
    const { written, copied } = pages();
    if (written - copied > PAGES_APART) afterCommit();
    else copyHere();
  }

  function checkpoint(): void {
    if (isRunningApart || !connection.open) return;
    const { written, copied } = pages();
    if (written < CHECKPOINT_PAGES || written === copied) return;
    const now = performance.now();
    if (written - copied > PAGES_APART) {
      if (now >= apartNotBefore) copyApart(copied).then(copyRest).catch(onFault);
    } else if (now >= hereNotBefore) {
      copyHere();
    }
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
