import type { Log } from '../logging/log.ts';
import type { Output } from '../logging/output.ts';

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
