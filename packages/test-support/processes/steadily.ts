import { until } from './until.ts';

/** Work that is done again and again until it is stopped or fails. */
export interface Steady {
  /** Resolves when the condition holds, which the work or others bring about. Rejects when the work has failed. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Begins nothing any more, and waits for what was begun. Rejects when the work has failed. */
  stop(): Promise<void>;
}

/** Does the work without a pause, so many times beside itself. */
export function steadily(atOnce: number, work: () => Promise<void>): Steady {
  let isOver = false;
  const repeat = async () => {
    while (!isOver) await work();
  };
  const done = Promise.all(Array.from({ length: atOnce }, repeat)).finally(() => {
    isOver = true;
  });
  // Whoever waits for something or stops it is told.
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
