/** How much of a second of decoding time a sender is forgiven each second. */
const FORGIVEN_SHARE = 0.1;
/** Decoding time after which all jobs of a sender count as heavy: six photos of a phone. */
const LIGHT_USE_MAX_MS = 3000;

export interface DecodeJob {
  /** Whose job it is. A job without a sender is a sender of its own. */
  readonly sender: string | undefined;
  /** Whether it takes much time or memory. */
  readonly isHeavy: boolean;
}

/**
 * Limits how much is decoded at once, and shares it between senders. The sender that has used the least time recently is
 * next, however many files others have sent. Heavy jobs leave one slot to light ones, and all jobs of a sender that has
 * used much time count as heavy: no sender or file takes all slots.
 */
export interface DecodeQueue {
  /** Runs the job once it is its turn. Jobs of one sender begin in order. */
  run<T>(job: DecodeJob, work: () => Promise<T>): Promise<T>;
  /** Number of jobs that wait, and that run. */
  stats(): { readonly waiting: number; readonly running: number };
}

interface Waiting {
  readonly isHeavy: boolean;
  readonly start: (isHeavy: boolean) => void;
}

/** Decoding time that a sender has used, at a moment from which on it is forgiven. */
interface Use {
  readonly milliseconds: number;
  readonly at: number;
}

/**
 * @param slots number of jobs that may run at once
 * @param now a clock in milliseconds that never goes back
 */
export function createDecodeQueue(slots: number, now: () => number = () => performance.now()): DecodeQueue {
  const heavySlots = Math.max(1, slots - 1);
  let running = 0;
  let runningHeavy = 0;
  /** Waiting jobs by sender, in the order of their turns. */
  const waiting = new Map<string | symbol, Waiting[]>();
  const used = new Map<string | symbol, Use>();

  function useOf(sender: string | symbol): number {
    const use = used.get(sender);
    return use === undefined ? 0 : Math.max(0, use.milliseconds - (now() - use.at) * FORGIVEN_SHARE);
  }

  function charge(sender: string | symbol, milliseconds: number): void {
    for (const known of used.keys()) if (useOf(known) === 0) used.delete(known);
    if (typeof sender === 'string') used.set(sender, { milliseconds: useOf(sender) + milliseconds, at: now() });
  }

  function countsAsHeavy(sender: string | symbol, { isHeavy }: Waiting): boolean {
    return isHeavy || useOf(sender) > LIGHT_USE_MAX_MS;
  }

  /** Takes the next job that may run: of the sender with the least use, among equals the one whose turn is first. */
  function takeNext(): Waiting | null {
    const turns = [...waiting].map(([sender, jobs]) => ({ sender, jobs, use: useOf(sender) }));
    for (const { sender, jobs } of turns.sort((a, b) => a.use - b.use)) {
      const [next, ...later] = jobs;
      if (next === undefined) continue;
      const isHeavy = countsAsHeavy(sender, next);
      if (isHeavy && runningHeavy >= heavySlots) continue;
      waiting.delete(sender);
      if (later.length > 0) waiting.set(sender, later);
      return { isHeavy, start: next.start };
    }
    return null;
  }

  function startNext(): void {
    while (running < slots) {
      const next = takeNext();
      if (next === null) return;
      running++;
      if (next.isHeavy) runningHeavy++;
      next.start(next.isHeavy);
    }
  }

  return {
    async run({ sender, isHeavy }, work) {
      const turn = sender ?? Symbol();
      const ranAsHeavy = await new Promise<boolean>((start) => {
        waiting.set(turn, [...(waiting.get(turn) ?? []), { isHeavy, start }]);
        startNext();
      });
      const begun = now();
      try {
        return await work();
      } finally {
        charge(turn, now() - begun);
        running--;
        if (ranAsHeavy) runningHeavy--;
        startNext();
      }
    },
    stats: () => ({
      running,
      waiting: [...waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0),
    }),
  };
}
