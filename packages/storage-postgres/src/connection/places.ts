import { unavailable } from './faults.ts';

/** Lets a number of callers in at the same time. Others wait in the order in which they came. */
export interface Places {
  /**
   * Resolves when there is room. The caller calls the result once, when it leaves.
   * @throws CountersignError `SERVICE_UNAVAILABLE` when there is no room by the deadline
   */
  enter(): Promise<() => void>;
  /** Number of callers that wait. */
  readonly waiting: number;
}

export function createPlaces(count: number, deadlineMs: number): Places {
  const waiting: (() => void)[] = [];
  let free = count;

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    enter() {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(leave);
      }
      return new Promise((resolve, reject) => {
        const next = (): void => {
          clearTimeout(timer);
          resolve(leave);
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(next), 1);
          reject(unavailable(`No transaction could begin within ${deadlineMs} ms`));
        }, deadlineMs);
        waiting.push(next);
      });
    },
    get waiting() {
      return waiting.length;
    },
  };
}
