import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Memory that a process holds at this moment, in MB (10^6 bytes). */
export function residentMegabytesOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  const kilobytes = existsSync(file)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return (Number(kilobytes) * 1024) / 1e6;
}
