import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Lists the running child processes of a process. */
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

/** Reads the parent from /proc (proc(5)): the name in brackets, which may contain any character, the state, the parent. */
function fromProc(name: string): Entry[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [{ pid: Number(name), parent: Number(parent) }];
  } catch {
    // The process has ended in the meantime.
    return [];
  }
}
