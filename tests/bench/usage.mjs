// Resource usage of a process, from Linux's /proc. Other systems need a separate tool and return null here.
import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports these times in hundredths of a second (proc(5)). */
const TICKS_PER_SECOND = 100;

/**
 * Returns the user and system CPU time in seconds, or null if unknown.
 * @param {number} pid
 */
export function cpuSeconds(pid) {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The program's name, in parentheses, may contain any character; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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
