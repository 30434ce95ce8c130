import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until the answer is yes; gives how long it took, in ms. */
export async function until(condition: () => Promise<boolean>, withinMs = 10_000): Promise<number> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > withinMs) throw new Error(`did not come true within ${withinMs} ms`);
    await pause(10);
  }
  return performance.now() - start;
}

/** Whether it resolves. */
export function works(attempt: () => Promise<unknown>): Promise<boolean> {
  return attempt().then(
    () => true,
    () => false,
  );
}
