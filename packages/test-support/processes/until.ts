import { setTimeout as pause } from 'node:timers/promises';

/** Long enough for a busy machine, and shorter than a test's timeout, so that the failure names the condition. */
const WITHIN_MS = 50_000;

/**
 * Polls until the condition holds.
 * @returns how long it took, in milliseconds
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { withinMs = WITHIN_MS }: { withinMs?: number } = {},
): Promise<number> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > withinMs) {
      throw new Error(`the condition was not met within ${withinMs} ms: ${String(condition)}`);
    }
    await pause(5);
  }
  return performance.now() - start;
}
