import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from '../processes/server-process.ts';

/** Lists the files below a folder, as full paths. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Counts a server's stored files: accepted evidence and uploads still to be checked. */
export function keptUploads({ dataDir }: Pick<ServerProcess, 'dataDir'>): { evidence: number; waiting: number } {
  return {
    evidence: filesBelow(join(dataDir, 'evidence')).length,
    waiting: filesBelow(join(dataDir, 'uploads')).length,
  };
}

/** Counts the uploads that a server is receiving: their files are unlinked but open, and Linux lists them. */
export function openUploads({ pid }: Pick<ServerProcess, 'pid'>): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => targetOf(join(folder, name)).includes('.upload')).length;
}

/** Returns an empty string for a file closed in the meantime. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
