import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './disk-fault.ts';

/**
 * Creates a folder and its missing parents, for their owner only. Node's recursive `mkdir` reports a read-only disk as ENOENT;
 * this reports EROFS.
 * @returns whether the folder was missing
 * @throws Error of the system
 */
export async function makeFolders(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return false;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
  }
  await makeFolders(dirname(folder));
  return makeFolders(folder);
}
