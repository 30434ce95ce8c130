// What a process uses, as Linux tells it. Elsewhere nothing is known of another process without a tool.
import { readFileSync } from 'node:fs';

/** Linux fixes the unit of these times for programs to hundredths of a second, whatever its own clock (proc(5)). */
const TICKS_PER_SECOND = 100;

/**
 * CPU time so far, in seconds, the kernel's work for it included; null where it is not known.
 * @param {number} pid
 */
export function cpuSeconds(pid) {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name of the program stands in parentheses and may hold anything; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * The same with that of its children, as far as they still run: a Postgres is a process for each connection.
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
 * Resident memory now and at its highest, in MB (10^6 bytes); null where it is not known.
 * @param {number} pid
 */
export function residentMegabytes(pid) {
  const status = read(`/proc/${pid}/status`);
  if (status === null) return null;
  /** @param {string} name */
  const megabytes = (name) => (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024) / 1e6;
  return { now: megabytes('VmRSS'), highest: megabytes('VmHWM') };
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Another system, or the process has just ended.
    return null;
  }
}
