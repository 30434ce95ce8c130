import type { SenderUse } from './sender-use.ts';

/** How long a job may take: as a picture of a webcam, as a photo of a phone, or longer. In this order. */
export const WEIGHTS = ['small', 'light', 'heavy'] as const;
export type Weight = (typeof WEIGHTS)[number];

/** Number of jobs of each weight that may run at once, together with all heavier ones. */
export type Slots = Readonly<Record<Weight, number>>;

/** Processor time after which all jobs of a sender count as heavy, in milliseconds: five photos of a phone. */
const USE_MAX_MS = 2000;

export interface DecodeJob {
  /** Whose job it is. A job without a sender is a sender of its own. */
  readonly sender: string | undefined;
  readonly weight: Weight;
}

/**
 * Limits how much is decoded at the same time, and shares it between senders. The sender that has used the least time recently is
 * next, however many files others have sent, and has one job at a time. Heavy jobs leave slots to lighter ones,
 * and a sender that has used much time has only heavy ones: a job waits for none that takes much longer than itself.
 */
export interface DecodeQueue {
  /**
   * Runs the job once it is its turn. Jobs of one sender run one after the other.
   * @param work receives the weight that the job counts as
   */
  run<T>(job: DecodeJob, work: (weight: Weight) => Promise<T>): Promise<T>;
  /** Number of jobs that wait, and that run. */
  stats(): { readonly waiting: number; readonly running: number };
}

interface Waiting {
  readonly weight: Weight;
  readonly start: (weight: Weight) => void;
}

/** @param use how much each sender has used; the caller adds what a job took before the job ends */
export function createDecodeQueue(slots: Slots, use: SenderUse): DecodeQueue {
  /** Waiting jobs by sender, in the order of their turns. */
  const waiting = new Map<string | symbol, Waiting[]>();
  /** The weight of the running job of each sender. */
  const running = new Map<string | symbol, Weight>();

  const useOf = (sender: string | symbol): number => (typeof sender === 'string' ? use.of(sender) : 0);

  /** Whether one more job leaves enough slots to all that are lighter. */
  function hasSlot(weight: Weight): boolean {
    const rank = WEIGHTS.indexOf(weight);
    const ranks = [...running.values()].map((other) => WEIGHTS.indexOf(other));
    return WEIGHTS.slice(0, rank + 1).every((each, least) => ranks.filter((r) => r >= least).length < slots[each]);
  }

  /** Starts the next job that may run: of the sender with the least use, among equals the one whose turn is first. */
  function startNext(): boolean {
    const turns = [...waiting].map(([sender, jobs]) => ({ sender, jobs, use: useOf(sender) }));
    for (const { sender, jobs, use } of turns.sort((a, b) => a.use - b.use)) {
      const [next, ...later] = jobs;
      if (next === undefined || running.has(sender)) continue;
      const weight = use > USE_MAX_MS ? 'heavy' : next.weight;
      if (!hasSlot(weight)) continue;
      waiting.delete(sender);
      if (later.length > 0) waiting.set(sender, later);
      running.set(sender, weight);
      next.start(weight);
      return true;
    }
    return false;
  }

  function startAll(): void {
    while (startNext());
  }

  return {
    async run({ sender, weight }, work) {
      const turn = sender ?? Symbol();
      const counted = await new Promise<Weight>((start) => {
        waiting.set(turn, [...(waiting.get(turn) ?? []), { weight, start }]);
        startAll();
      });
      try {
        return await work(counted);
      } finally {
        running.delete(turn);
        startAll();
      }
    },
    stats: () => ({
      running: running.size,
      waiting: [...waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0),
    }),
  };
}
