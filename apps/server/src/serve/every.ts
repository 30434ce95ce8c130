/** Intervals of a background job, in milliseconds. */
export interface Interval {
  readonly everyMs: number;
  /** How long the job pauses after a fault. Default `everyMs`. */
  readonly afterFaultMs?: number | undefined;
}

/**
 * Runs a job now and at an interval, one run at a time. Reports a fault and tries again.
 * @returns stops the job, and waits for the run in progress
 */
export function every(
  work: () => Promise<unknown>,
  onFault: (fault: unknown) => void,
  { everyMs, afterFaultMs = everyMs }: Interval,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  let pausedUntil = 0;

  function start(): void {
    if (running !== undefined || performance.now() < pausedUntil) return;
    running = work()
      .then(
        () => undefined,
        (fault: unknown) => {
          pausedUntil = performance.now() + afterFaultMs - everyMs / 2;
          onFault(fault);
        },
      )
      .finally(() => {
        running = undefined;
      });
  }

  start();
  const timer = setInterval(start, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
