import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when the condition holds, which other processes bring about. The test's own time limit ends it else. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(5);
}
