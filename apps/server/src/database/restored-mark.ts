import { exists, removeAll } from '../files.ts';

/**
 * Returns the path of the file that exists from the end of a restore until a server has started on what it restored.
 *
 * @param markFile marks an unfinished restore
 */
export function restoredMarkOf(markFile: string): string {
  return `${markFile}.finished`;
}

/** Runs work once after a restore: at the next call, and again at the following one if it fails or the process is killed. */
export async function onceAfterRestore(
  { markFile }: { readonly markFile: string },
  work: () => Promise<void>,
): Promise<void> {
  const mark = restoredMarkOf(markFile);
  if (!(await exists(mark))) return;
  await work();
  await removeAll(mark);
}
