import type { Log } from '../logging/log.ts';
import type { Output } from '../logging/output.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Signals within this time count as one. npm forwards a Ctrl-C that the terminal has already sent to its child, so one
 * Ctrl-C can arrive twice.
 */
const SAME_SIGNAL_MS = 1_000;

export interface StopSignals {
  /** Resolves to the first signal. */
  readonly first: Promise<string>;
  /** Restores Node's handling of signals. */
  ignore(): void;
}

/** Listens for stop signals. Calls `onSecond` for a later signal, which asks to stop without waiting. */
export function listenForStopSignals(options: {
  onSecond(signal: string): void;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  source?: Pick<NodeJS.Process, 'on' | 'off'>;
}): StopSignals {
  const { onSecond, now = () => performance.now(), source = process } = options;
  const { promise: first, resolve } = Promise.withResolvers<string>();
  let firstAt: number | undefined;

  function receive(signal: string): void {
    if (firstAt === undefined) {
      firstAt = now();
      resolve(signal);
    } else if (now() - firstAt >= SAME_SIGNAL_MS) {
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
 * Logs an uncaught fault and ends the process, whose state is unknown after it.
 * @returns removes the listener
 */
export function endOnUncaught(log: Log, output: Output): () => void {
  // Unhandled rejections arrive here too.
  const end = (fault: unknown) => {
    log.fatal(fault);
    endNow({ log, output }, 'stopped by an unexpected fault, see the log');
  };
  process.on('uncaughtException', end);
  return () => void process.off('uncaughtException', end);
}

/** Ends the process with exit code 1, after the buffered log lines are written. */
export function endNow({ log, output }: { log: Log; output: Output }, reason: string): never {
  log.flush();
  output.flushSync();
  process.stderr.write(`countersign: ${reason}\n`);
  process.exit(1);
}
