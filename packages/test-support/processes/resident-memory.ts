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

/** Returns the resident memory of the children of a process together, in MB (10^6 bytes). Linux only. */
export function childrenMegabytesOf(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${child}/status`))?.[1] ?? 0;
    return sum + (Number(kilobytes) * 1024) / 1e6;
  }, 0);
}

function childrenOf(pid: number): readonly number[] {
  return readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Returns an empty string for a process that has just ended. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
