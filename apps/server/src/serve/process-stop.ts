import type { Log } from '../logging/log.ts';
import type { Output } from '../logging/output.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * npm passes on a Ctrl-C that the terminal has sent to its child already, so one wish to stop can arrive twice. What
 * follows within this time is the same wish.
 */
const SAME_WISH_MS = 1_000;

export interface StopSignals {
  /** Resolves to the first signal. */
  readonly first: Promise<string>;
  /** Leaves signals to Node again. */
  ignore(): void;
}

/** Listens for the wish to stop. `onSecond` is told when it comes again, from somebody who will not wait. */
export function listenForStopSignals(options: {
  onSecond(signal: string): void;
  /** Milliseconds on a clock that never steps back. */
  now?: () => number;
  source?: Pick<NodeJS.Process, 'on' | 'off'>;
}): StopSignals {
  const { onSecond, now = () => performance.now(), source = process } = options;
  const { promise: first, resolve } = Promise.withResolvers<string>();
  let asked: number | undefined;

  function receive(signal: string): void {
    if (asked === undefined) {
      asked = now();
      resolve(signal);
    } else if (now() - asked >= SAME_WISH_MS) {
      onSecond(signal);
    }
  }

  for (const signal of SIGNALS) source.on(signal, receive);
  return {
    first,
    ignore() {
      for (const signal of SIGNALS) source.off(signal, receive);
    },
  };
}

/**
 * Logs what nobody caught and ends the process: after it, nothing is known to be whole any more.
 * @returns takes the listener off again
 */
export function endOnUncaught(log: Log, output: Output): () => void {
  // Rejections that nobody handles arrive here too.
  const end = (fault: unknown) => {
    log.fatal(fault);
    endNow({ log, output }, 'stopped by an unexpected fault, see the log');
  };
  process.on('uncaughtException', end);
  return () => void process.off('uncaughtException', end);
}

/** Ends the process without waiting for anything but the lines that are still to be written. */
export function endNow({ log, output }: { log: Log; output: Output }, reason: string): never {
  log.flush();
  output.flushSync();
  process.stderr.write(`countersign: ${reason}\n`);
  process.exit(1);
}
