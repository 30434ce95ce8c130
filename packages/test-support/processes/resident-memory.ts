import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Returns the resident memory of a process, in MB (10^6 bytes). */
export function residentMegabytesOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  const kilobytes = existsSync(file)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return (Number(kilobytes) * 1024) / 1e6;
}

/** Returns the memory of a process and its children, shared memory counted once, in MB (10^6 bytes). Linux only. */
export function sharedMegabytesOf(pid: number): number {
  const children = readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  const own = /^Pss:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0;
  return (Number(own) * 1024) / 1e6 + children.reduce((sum, child) => sum + sharedMegabytesOf(child), 0);
}

/** Returns an empty string for a process that has just ended. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
