import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from '../processes/server-process.ts';

/** Every file below a folder, as full paths. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** What a server has kept of uploads: files of verifications, and what it has not judged yet. */
export function keptUploads({ dataDir }: Pick<ServerProcess, 'dataDir'>): { evidence: number; waiting: number } {
  return {
    evidence: filesBelow(join(dataDir, 'evidence')).length,
    waiting: filesBelow(join(dataDir, 'uploads')).length,
  };
}

/** How many uploads a server is taking in: it has their files open, which have no name any more. Linux lists them. */
export function openUploads({ pid }: Pick<ServerProcess, 'pid'>): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => targetOf(join(folder, name)).includes('.upload')).length;
}

/** Empty where it was closed in the meantime. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
