type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];
const lastCleanups: Cleanup[] = [];

/**
 * Registers `cleanup` to run after the tests of each file. Test files share a process and its modules, so a vitest hook in a
 * module would run for the first file only.
 */
export function atEndOfFile(cleanup: Cleanup, { isLast = false }: { isLast?: boolean } = {}): void {
  (isLast ? lastCleanups : cleanups).push(cleanup);
}

/** Runs the cleanups: a process ends before its folder is removed, whatever was registered first. */
export async function cleanUpFile(): Promise<void> {
  for (const cleanup of [...cleanups.toReversed(), ...lastCleanups]) await cleanup();
}
