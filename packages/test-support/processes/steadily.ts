import { until } from './until.ts';

/** Work that repeats until it is stopped or fails. */
export interface Steady {
  /** Waits until the condition holds. Rejects when the work has failed. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Stops repeating and waits for the running work. Rejects when the work has failed. */
  stop(): Promise<void>;
}

/** Repeats the work without a pause, `atOnce` times concurrently. */
export function steadily(atOnce: number, work: () => Promise<void>): Steady {
  let isOver = false;
  const repeat = async () => {
    while (!isOver) await work();
  };
  const done = Promise.all(Array.from({ length: atOnce }, repeat)).finally(() => {
    isOver = true;
  });
  // `until` and `stop` report the failure.
  done.catch(() => undefined);

  return {
    async until(condition) {
      await until(async () => isOver || (await condition()), { withinMs: Number.POSITIVE_INFINITY });
      if (isOver) await done;
    },
    async stop() {
      isOver = true;
      await done;
    },
  };
}
