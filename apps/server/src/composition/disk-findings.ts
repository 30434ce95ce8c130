import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DoctorSettings } from '../config/settings.ts';
import type { Findings } from '../database/findings.ts';
import { nearestExisting } from './evidence-findings.ts';

/** Free space of a file system that the server writes to. */
export interface DiskFacts {
  readonly path: string;
  readonly freeBytes: number;
}

/** Room for SQLite's write-ahead log, a group of uploads that are checked, and the log. */
const LOW_BYTES = 256 * 1024 * 1024;

/** Checks the free space of the folders that the server writes to, each file system once. */
export function examineDisk({
  dataDir,
  database,
  evidence,
}: Pick<DoctorSettings, 'dataDir' | 'database' | 'evidence'>): Findings<readonly DiskFacts[]> {
  const paths = [
    dataDir,
    ...(database.kind === 'sqlite' ? [dirname(database.file)] : []),
    ...(evidence.kind === 'folder' ? [evidence.directory] : []),
  ];
  const byDevice = new Map<number, DiskFacts>();
  for (const path of new Set(paths)) {
    const existing = nearestExisting(path);
    const { dev } = statSync(existing);
    const { bavail, bsize } = statfsSync(existing);
    if (!byDevice.has(dev)) byDevice.set(dev, { path, freeBytes: bavail * bsize });
  }
  const facts = [...byDevice.values()];
  return {
    facts,
    lines: facts.map(({ path, freeBytes }) => `Disk of ${path}, ${freeBytes} bytes free`),
    problems: facts
      .filter(({ freeBytes }) => freeBytes < LOW_BYTES)
      .map(
        ({ path, freeBytes }) =>
          `The disk of ${path} has ${freeBytes} bytes free, fewer than ${LOW_BYTES}: free some space`,
      ),
  };
}
