import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';

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
