/**
 * Lets only so much be decoded at once. Of those who wait for anything, each has a turn after the other: somebody with
 * forty pictures holds up nobody with one. Whoever's turn it is is never passed by, however heavy the job.
 */
export interface DecodeQueue {
  /**
   * Runs the job once `weight` of the slots are free, and gives them back however it ends. Jobs of one `owner` run in
   * their order; without one, a job is its own.
   */
  run<T>(weight: number, job: () => Promise<T>, owner?: string): Promise<T>;
}

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/** @param slots how much weight may run at once */
export function createDecodeQueue(slots: number): DecodeQueue {
  let free = slots;
  /** By their owners, in the order of their turns. */
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
      // What weighs more than there is runs alone.
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
