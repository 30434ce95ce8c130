import { join } from 'node:path';
import { type BegunUse, beginUse } from '@countersign/evidence';
import { exists } from '../files.ts';
import { BackupError } from './backup-error.ts';

// On PostgreSQL, `restore` replaces the evidence only. All servers share its folder, whichever database and pooler they use.
// Therefore what excludes servers and restores from each other is kept there.

/** Returns the path of the file that marks an unfinished restore, in the evidence folder or beside a bucket's. No client has such a name. */
export function restoreMarkIn(folder: string): string {
  return join(folder, '.unfinished-restore');
}

/** Returns what is wrong if a restore into the folder was interrupted. */
export async function unfinishedRestoreIn(evidenceDir: string): Promise<string | undefined> {
  if (!(await exists(restoreMarkIn(evidenceDir)))) return undefined;
  return `A restore into ${evidenceDir} was interrupted: run \`countersign restore\` again`;
}

/** @throws BackupError */
export async function requireFinishedRestore(evidenceDir: string): Promise<void> {
  const problem = await unfinishedRestoreIn(evidenceDir);
  if (problem !== undefined) throw new BackupError(problem);
}

/**
 * Keeps restores from replacing the files that a server serves.
 * @throws BackupError during a restore, and after an interrupted one
 */
export async function beginServingFiles(
  evidenceDir: string,
  onFault: (fault: unknown) => void,
): Promise<BegunUse> {
  const begun = await beginUse(evidenceDir, { use: 'serve', onFault });
  if (begun === null) throw new BackupError(`A restore into ${evidenceDir} is running: wait until it is done`);
  try {
    await requireFinishedRestore(evidenceDir);
    return begun;
  } catch (error) {
    await begun.end();
    throw error;
  }
}

/**
 * Keeps servers and other restores from using the files that a restore replaces.
 * @throws BackupError if one uses them
 */
export async function beginReplacingFiles(evidenceDir: string, place: string): Promise<BegunUse> {
  // A renewal that fails while everything else can be written is made up for by the next one.
  const begun = await beginUse(evidenceDir, { use: 'replace', onFault: () => undefined });
  if (begun !== null) return begun;
  throw new BackupError(`A server serves the database ${place}: stop it first`);
}
