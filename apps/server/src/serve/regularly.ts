/** How often something is done, in milliseconds. */
export interface Rhythm {
  readonly everyMs: number;
  /** How long it then rests after a failure: whatever is in trouble is not asked again at once. Default `everyMs`. */
  readonly afterFaultMs?: number | undefined;
}

/**
 * Does a piece of work now and in its rhythm, one at a time, until the function given back is called: that waits for the
 * one that runs. A failure is told and tried again.
 */
export function regularly(
  work: () => Promise<unknown>,
  onFault: (fault: unknown) => void,
  { everyMs, afterFaultMs = everyMs }: Rhythm,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  let restsUntil = 0;

  function start(): void {
    if (running !== undefined || performance.now() < restsUntil) return;
    running = work()
      .then(
        () => undefined,
        (fault: unknown) => {
          restsUntil = performance.now() + afterFaultMs - everyMs / 2;
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
