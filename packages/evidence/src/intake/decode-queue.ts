/**
 * Limits how much is decoded at once. Waiting owners take turns, so an owner with forty pictures does not delay one
 * with a
 * single picture. A heavy job is never overtaken while it waits for its slots.
 */
export interface DecodeQueue {
  /**
   * Runs the job once `weight` slots are free and frees them when it ends. Jobs of one `owner` run in order; a job
   * without
   * an owner has its own turn.
   */
  run<T>(weight: number, job: () => Promise<T>, owner?: string): Promise<T>;
}

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/** @param slots total weight of the jobs that may run at once */
export function createDecodeQueue(slots: number): DecodeQueue {
  let free = slots;
  /** Waiting jobs by owner, in the order of their turns. */
  const waiting = new Map<string | symbol, Waiting[]>();

  function startNext(): void {
    for (const [owner, jobs] of waiting) {
      const [next, ...later] = jobs;
      if (next === undefined || next.weight > free) return;
      waiting.delete(owner);
      if (later.length > 0) waiting.set(owner, later);
      free -= next.weight;
      next.start();
    }
  }

  return {
    async run(weight, job, owner) {
      // A job heavier than all slots runs alone.
      const taken = Math.min(weight, slots);
      await new Promise<void>((start) => {
        const turn = owner ?? Symbol();
        waiting.set(turn, [...(waiting.get(turn) ?? []), { weight: taken, start }]);
        startNext();
      });
      try {
        return await job();
      } finally {
        free += taken;
        startNext();
      }
    },
  };
}
