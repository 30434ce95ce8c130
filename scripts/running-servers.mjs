// Records in node_modules which servers and commands run from this clone, because no install may change the libraries under them.
import { mkdir, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimes } from 'node:fs';
import { join } from 'node:path';
import { ignoring, REFRESH_MS, RETRY_MS, STALE_ATTEMPTS } from './process-lock.mjs';

/** Error codes for a folder of another user, or one on a read-only disk. */
const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS'];

/**
 * Returns the folder with an entry for each running server or command, which refreshes it as the holder of a lock does.
 * @param {string} modules
 */
const folderIn = (modules) => join(modules, '.countersign-running');

/**
 * Records this process until it ends. Does nothing in a clone that it cannot write to.
 * @param {string} modules the folder node_modules
 */
export function recordRunning(modules) {
  const folder = folderIn(modules);
  const entry = ignoring(NOT_WRITABLE, () => {
    mkdirSync(folder, { recursive: true });
    return mkdtempSync(join(folder, 'process-'));
  });
  if (entry === undefined) return;
  // Not the synchronous form: a server must not wait for a slow disk.
  const refresh = () =>
    utimes(entry, new Date(), new Date(), (error) => {
      // An install took this process for a killed one, because it was suspended. Fails if node_modules was deleted.
      if (error?.code === 'ENOENT') mkdir(entry, () => {});
    });
  setInterval(refresh, REFRESH_MS).unref();
  process.once('exit', () => rmSync(entry, { recursive: true, force: true }));
}

/**
 * Checks whether a recorded process runs. A killed process leaves an entry that is no longer refreshed. It takes ten
 * seconds to detect this.
 * @param {string} modules the folder node_modules
 * @param {() => void} onWait called once if it takes longer than a running process needs to refresh its entry
 * @returns {Promise<boolean>}
 */
export async function isAnyRunning(modules, onWait) {
  const first = refreshedIn(modules);
  for (let attempt = 0; attempt < STALE_ATTEMPTS; attempt++) {
    const now = refreshedIn(modules);
    if (now.size === 0) return false;
    if ([...now].some(([entry, time]) => first.get(entry) !== time)) return true;
    if (attempt * RETRY_MS === 2 * REFRESH_MS) onWait();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  for (const entry of first.keys()) ignoring(NOT_WRITABLE, () => rmSync(entry, { recursive: true, force: true }));
  return false;
}

/**
 * Lists the entries and when each was refreshed.
 * @param {string} modules
 */
function refreshedIn(modules) {
  const folder = folderIn(modules);
  const names = ignoring(['ENOENT'], () => readdirSync(folder)) ?? [];
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const name of names) {
    const time = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
    if (time !== undefined) times.set(join(folder, name), time);
  }
  return times;
}
