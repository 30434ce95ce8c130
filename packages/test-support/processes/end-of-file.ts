const cleanups: (() => unknown)[] = [];

/**
 * Registers `cleanup` to run after the tests of each file. Test files share a process and its modules, so a vitest hook in a
 * module would run for the first file only.
 */
export function atEndOfFile(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Runs the cleanups, last registered first: a process ends before its folder is removed. */
export async function cleanUpFile(): Promise<void> {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}
