import { readFileSync } from 'node:fs';

/** Figures of a process in MB, as Linux tells them; 0 for one that has ended. */
export function memoryOf(pid: number | 'self', file: 'status' | 'smaps_rollup', field: string): number {
  try {
    const figure = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'));
    return Number(figure?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The processes that this one has started and that still run. */
export function children(): readonly number[] {
  const list = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
  return list.split(' ').filter(Boolean).map(Number);
}
