import { setTimeout as pause } from 'node:timers/promises';

/** Long enough for a busy machine, and shorter than a test's timeout, so that the failure names the condition. */
const WITHIN_MS = 50_000;

/** The shortest pause between two looks. */
const PAUSE_MS = 5;

/**
 * Polls until the condition holds. It pauses for as long as the condition took, so that asking a database takes at most half of a
 * processor.
 * @returns how long it took, in milliseconds
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { withinMs = WITHIN_MS }: { withinMs?: number } = {},
): Promise<number> {
  const start = performance.now();
  for (let asked = start; !(await condition()); asked = performance.now()) {
    const now = performance.now();
    if (now - start > withinMs) {
      throw new Error(`the condition was not met within ${withinMs} ms: ${String(condition)}`);
    }
    await pause(Math.max(PAUSE_MS, now - asked));
  }
  return performance.now() - start;
}
