import type { Countersign } from '@countersign/domain';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The background jobs of the service. */
export interface Jobs {
  /** Starts no further run, waits for running ones and for warnings, and writes what is still to be written. Close the storage after it. */
  stop(): Promise<void>;
}

/**
 * Starts the jobs that Countersign leaves to its program: test mode, expiry, retention and summaries of refused attempts. Any number of
 * instances may run them at once. A service that stores files also calls `evidence.tidy`, one with a mailer `mails.send`.
 * @param onFault receives what a run rejects with; the next run comes at its time
 */
export function startJobs(countersign: Countersign, onFault: (fault: unknown) => void): Jobs {
  const running = new Set<Promise<void>>();
  let isStopping = false;

  async function untilDone(run: () => Promise<{ readonly isDone: boolean }>): Promise<void> {
    while (!isStopping && !(await run()).isDone);
  }

  function every(milliseconds: number, job: () => Promise<unknown>): NodeJS.Timeout {
    let last: Promise<void> | undefined;
    return setInterval(() => {
      // A run that takes longer than the interval is not run twice at the same time.
      if (last !== undefined) return;
      const run = job().then(() => undefined, onFault);
      last = run;
      running.add(run);
      void run.then(() => {
        last = undefined;
        running.delete(run);
      });
    }, milliseconds);
  }

  const timers = [
    every(SECOND, () => countersign.sandbox.drive()),
    every(MINUTE, () => countersign.summariseRefusals()),
    every(10 * MINUTE, () => untilDone(() => countersign.expiry.expire())),
    ...(countersign.parts.has('retention')
      ? [every(10 * MINUTE, () => untilDone(() => countersign.retention.run()))]
      : []),
  ];

  return {
    async stop() {
      isStopping = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
      await countersign.warnings.settled();
      await countersign.summariseRefusals().catch(onFault);
    },
  };
}
