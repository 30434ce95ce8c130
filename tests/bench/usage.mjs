// Resource usage of a process, from Linux's /proc. Other systems need a separate tool and return null here.
import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports these times in hundredths of a second (proc(5)). */
const TICKS_PER_SECOND = 100;

/**
 * Returns the user and system CPU time in seconds, or null if unknown.
 * @param {number} pid
 */
export function cpuSeconds(pid) {
  const fields = fieldsOf(pid);
  if (fields === null) return null;
  // User and system time are fields 14 and 15; those of children that were waited for follow.
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * Returns the CPU time of a process's running threads in microseconds, as the scheduler counts it, for parts of a second; NaN if
 * unknown.
 * @param {number} pid
 */
export function cpuMicroseconds(pid) {
  const threads = entries(`/proc/${pid}/task`).map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`));
  return threads.length === 0
    ? Number.NaN
    : threads.reduce((sum, times) => sum + Number(times?.split(' ')[0] ?? 0) / 1_000, 0);
}

/**
 * Returns the CPU time of the running children of a process in microseconds, as `cpuMicroseconds` counts it: Postgres runs one process
 * per connection.
 * @param {number} pid
 */
export function cpuMicrosecondsOfChildren(pid) {
  const children = read(`/proc/${pid}/task/${pid}/children`) ?? '';
  return children
    .split(' ')
    .filter((child) => child !== '')
    .reduce((sum, child) => sum + cpuMicroseconds(Number(child)), 0);
}

/**
 * Returns the CPU time of a process and its running children: Postgres runs one process per connection.
 * @param {number} pid
 */
export function cpuSecondsWithChildren(pid) {
  const own = cpuSeconds(pid);
  const children = read(`/proc/${pid}/task/${pid}/children`);
  if (own === null || children === null) return null;
  return children
    .split(' ')
    .filter((child) => child !== '')
    .reduce((sum, child) => sum + (cpuSeconds(Number(child)) ?? 0), own);
}

/**
 * Returns the CPU time in seconds of a process and its descendants, those included that have ended and were waited for; null if unknown.
 * @param {number} pid
 * @returns {number | null}
 */
export function cpuSecondsOfTree(pid) {
  const own = fieldsOf(pid);
  const children = read(`/proc/${pid}/task/${pid}/children`);
  if (own === null || children === null) return null;
  const ticks = own.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return children
    .split(' ')
    .filter((child) => child !== '')
    .reduce((sum, child) => sum + (cpuSecondsOfTree(Number(child)) ?? 0), ticks / TICKS_PER_SECOND);
}

/**
 * Returns what the system tells about a process, from the third field on (proc(5)).
 * @param {number} pid
 */
function fieldsOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  // The second field, the program's name in parentheses, may contain any character.
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/**
 * Returns the current and the highest resident memory in MB (10^6 bytes), or null if unknown.
 * @param {number} pid
 */
export function residentMegabytes(pid) {
  const status = read(`/proc/${pid}/status`);
  if (status === null) return null;
  /** @param {string} name */
  const megabytes = (name) => (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024) / 1e6;
  return { now: megabytes('VmRSS'), highest: megabytes('VmHWM') };
}

/** @param {string} folder */
function entries(folder) {
  try {
    return readdirSync(folder);
  } catch {
    // Not Linux, or the process has exited.
    return [];
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not Linux, or the process has exited.
    return null;
  }
}
