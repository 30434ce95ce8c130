// Lets one of several processes work at a time, without a library.
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_AGAIN_MS = 100;

/**
 * Works while no other process does, and waits until then. A process that was killed at work holds nobody up.
 * @param {string} file exists while one of them works, and holds its id
 * @param {() => void} onWait called once, when it waits
 * @param {() => Promise<void>} work may end the process
 */
export async function whileAlone(file, onWait, work) {
  for (let looks = 0; !take(file); looks++) {
    if (looks === 1) onWait();
    await pause(LOOK_AGAIN_MS);
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
 * @returns {boolean} whether it is this process's turn
 */
function take(file) {
  // Linked once it is written: a file is never seen without its id.
  const own = `${file}-${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    // Taken at the next look, when every process that saw it left has removed it.
    if (isLeft(file)) rmSync(file, { force: true });
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Whether the process of a file has ended. Its id may be that of this process by now, in a container for example.
 * @param {string} file
 */
function isLeft(file) {
  try {
    const id = Number(readFileSync(file, 'utf8'));
    return id === process.pid || !isRunning(id);
  } catch {
    // It was removed in this moment.
    return false;
  }
}

/** @param {number} id */
function isRunning(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // A process of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
