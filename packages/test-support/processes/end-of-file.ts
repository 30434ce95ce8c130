const cleanups: (() => unknown)[] = [];

/**
 * Calls `cleanup` after the tests of each file. Files share a process and its modules, so that a hook of vitest beside the
 * imports of a module would hold for the first file alone.
 */
export function atEndOfFile(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Cleans up what was registered last first: a process ends before its folder is removed. */
export async function cleanUpFile(): Promise<void> {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}
