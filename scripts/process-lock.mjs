// A lock between processes, without a library.
//
// It is a folder with one entry, whose name is unique. A folder can be renamed to the lock only while the lock has no entry, and a
// process removes only the entry that it has seen. So a paused process never removes the lock that another one has acquired since.
import {
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

export const RETRY_MS = 100;
export const REFRESH_MS = 1_000;
/**
 * A lock that was not refreshed over so many attempts, 10 s, is taken over. They are counted because a clock also advances while the
 * computer sleeps.
 */
export const STALE_ATTEMPTS = 100;

/**
 * Runs the work while no other process holds the lock, and waits until then. The lock of a killed process is taken over.
 * @param {string} lock a folder that exists while the lock is held
 * @param {() => void} onWait called once if it has to wait
 * @param {() => Promise<void>} work may end the process
 */
export async function withLock(lock, onWait, work) {
  const entry = await acquire(lock, onWait);
  const refreshing = setInterval(
    () => ignoring(['ENOENT'], () => utimesSync(entry, new Date(), new Date())),
    REFRESH_MS,
  );
  const release = () => remove(lock, entry);
  process.once('exit', release);
  try {
    await work();
  } finally {
    clearInterval(refreshing);
    process.off('exit', release);
    release();
  }
}

/**
 * @param {string} lock
 * @param {() => void} onWait
 * @returns {Promise<string>} the entry of this process
 */
async function acquire(lock, onWait) {
  let seen = '';
  for (let attempts = 1, unchanged = 0; ; attempts++) {
    const held = entryIn(lock);
    if (held === undefined) {
      const entry = addEntry(lock);
      if (entry !== undefined) return entry;
    } else {
      const state = `${held.entry} ${held.refreshed}`;
      unchanged = state === seen ? unchanged + 1 : 0;
      seen = state;
      if (unchanged >= STALE_ATTEMPTS) remove(lock, held.entry);
    }
    if (attempts === 2) onWait();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** @param {string} lock */
function entryIn(lock) {
  return ignoring(['ENOENT'], () => {
    const [name] = readdirSync(lock);
    if (name === undefined) return undefined;
    const entry = join(lock, name);
    return { entry, refreshed: statSync(entry).mtimeMs };
  });
}

/**
 * @param {string} lock
 * @returns {string | undefined} undefined if another process was faster
 */
function addEntry(lock) {
  const own = mkdtempSync(`${lock}-`);
  const name = basename(own);
  try {
    writeFileSync(join(own, name), '');
    return ignoring(['ENOTEMPTY', 'EEXIST'], () => {
      renameSync(own, lock);
      return join(lock, name);
    });
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/**
 * @param {string} lock
 * @param {string} entry
 */
function remove(lock, entry) {
  rmSync(entry, { force: true });
  ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => rmdirSync(lock));
}

/**
 * @template T
 * @param {readonly string[]} codes of errors that another process can cause
 * @param {() => T} access
 * @returns {T | undefined} undefined after such an error
 */
export function ignoring(codes, access) {
  try {
    return access();
  } catch (error) {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined;
    throw error;
  }
}
