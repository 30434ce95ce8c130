import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The processes that this one started and that still exist. */
export function childrenOf(pid: number): number[] {
  return parents()
    .filter(({ parent }) => parent === pid)
    .map((entry) => entry.pid);
}

interface Entry {
  readonly pid: number;
  readonly parent: number;
}

function parents(): Entry[] {
  if (existsSync('/proc/self/stat')) return readdirSync('/proc').flatMap(fromProc);
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0]) => ({ pid, parent }));
}

/** proc(5): the name, which is in brackets and may hold anything, then the state, then the parent. */
function fromProc(name: string): Entry[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [{ pid: Number(name), parent: Number(parent) }];
  } catch {
    // It ended while we looked.
    return [];
  }
}
