export interface StoreDownDetectorOptions {
  /** Milliseconds without any answer from the store. */
  readonly silenceMs: number;
  /** Milliseconds one request may wait while others are answered. */
  readonly longestMs: number;
}

/**
 * Detects a store that is down, as opposed to slow. A slow store answers earlier requests while later ones wait; a
 * store that is down answers none.
 * @returns a function that resolves as the work does, or rejects when the store is silent for too long. The work
 * continues, and
 * its outcome is ignored.
 */
export function createStoreDownDetector({
  silenceMs,
  longestMs,
}: StoreDownDetectorOptions): <T>(work: Promise<T>) => Promise<T> {
  let answeredAt = Number.NEGATIVE_INFINITY;

  return (work) =>
    new Promise((resolve, reject) => {
      const asked = performance.now();
      let isSettled = false;
      let timer = setTimeout(look, silenceMs);

      function look(): void {
        // Timers run before network events: after a pause of this process, the answer may have arrived already.
        setImmediate(() => {
          if (isSettled) return;
          const silent = Math.max(asked, answeredAt) + silenceMs;
          const left = Math.min(silent, asked + longestMs) - performance.now();
          if (left > 0) timer = setTimeout(look, Math.ceil(left));
          else reject(new Error(`no answer within ${silent < asked + longestMs ? silenceMs : longestMs} ms`));
        });
      }

      const settle = () => {
        isSettled = true;
        clearTimeout(timer);
      };
      work.then(
        (answer) => {
          answeredAt = performance.now();
          settle();
          resolve(answer);
        },
        (fault: Error) => {
          settle();
          reject(fault);
        },
      );
    });
}

/**
 * Resolves as the work does, or rejects at the deadline. The work continues, and its outcome is ignored.
 */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // Timers run before network events: after a pause of this process, the answer may have arrived already.
      setImmediate(() => reject(new Error(`no answer within ${ms} ms`)));
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
