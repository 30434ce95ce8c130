// A lock between processes, without a library.
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_MS = 100;

/**
 * Runs the work while no other process holds the lock, and waits until then. The lock of a killed process is ignored.
 * @param {string} file exists while the lock is held, and contains the id of the process
 * @param {() => void} onWait called once if it has to wait
 * @param {() => Promise<void>} work may end the process
 */
export async function withLock(file, onWait, work) {
  for (let attempts = 1; !acquire(file); attempts++) {
    if (attempts === 2) onWait();
    await pause(RETRY_MS);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/**
 * @param {string} file
 * @returns {boolean} whether this process has the lock
 */
function acquire(file) {
  // Linked after it is written, so that no process reads it empty.
  const own = `${file}-${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // Acquired at the next attempt: by then, all processes that saw it stale have removed it.
    if (isStale(file)) rmSync(file, { force: true });
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Whether the process that holds the lock has ended. In a container, this process may have the same id.
 * @param {string} file
 */
function isStale(file) {
  try {
    const id = Number(readFileSync(file, 'utf8'));
    return id === process.pid || !isRunning(id);
  } catch {
    // Released in this moment.
    return false;
  }
}

/** @param {number} id */
function isRunning(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // A process of another user.
    return codeOf(error) === 'EPERM';
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
