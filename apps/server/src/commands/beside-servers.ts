import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkOptions } from '@countersign/domain/storage';
import { Option } from 'commander';
import type { CommandIo } from './command-context.ts';
import { percent } from './option-values.ts';
import { createProgressLine } from './terminal.ts';

/**
 * Percent of one processor that the work uses by default. A request beside the work may wait for a slice of the processor. This share of the
 * requests at most does so: too few to change the slowest hundredth.
 */
const DEFAULT_SHARE_PERCENT = 0.5;
/** Nice value of the process: servers on the same machine go first. */
const NICENESS = 10;

/** The option of commands that run long work beside servers. */
export interface ShareOption {
  /** Percent of one processor that the work uses: 0.1 to 100. */
  readonly share: number;
}

/** Makes the option `--share` for the work of a command. */
export function shareOption(): Option {
  return new Option(
    '--share <percent>',
    'percent of one processor that it uses, 0.1 to 100; more is faster, and slows down servers on the same machine',
  )
    .argParser(percent)
    .default(DEFAULT_SHARE_PERCENT);
}

/** Runs long work beside servers, at a low priority and with a share of one processor. Shows its progress. */
export async function besideServers<R>(
  { err, setPriority }: Pick<CommandIo, 'err' | 'setPriority'>,
  { doing, share }: ShareOption & { readonly doing: string },
  work: (options: WorkOptions) => Promise<R>,
): Promise<R> {
  const pace = createPace(share);
  const progress = createProgressLine<{ done: number; total: number }>(err, {
    textOf: (at) => `${doing}: ${progressText({ ...at, workedMs: pace.workedMs(), share })}`,
    isTerminal: process.stderr.isTTY,
  });
  setPriority?.(NICENESS);
  try {
    return await work({
      onProgress: (at) => {
        if (at.done === 0) pace.begin();
        if (at.total > 0) progress.show(at);
      },
      pause: pace.pause,
    });
  } finally {
    progress.end();
  }
}

const MINUTE_MS = 60_000;

/** Says how far work is, and how long the rest takes at the same pace: `300 of 1200, about 3 min left`. */
export function progressText(
  at: ShareOption & { readonly done: number; readonly total: number; readonly workedMs: number },
): string {
  const { done, total, workedMs, share } = at;
  const text = `${done} of ${total}`;
  if (done === 0 || done === total) return text;
  const workMs = (workedMs / done) * (total - done);
  const minutes = Math.max(1, Math.round((workMs + pauseMs(workMs, share)) / MINUTE_MS));
  return `${text}, about ${minutes} min left`;
}

/** Returns how long to pause after processor time of work, in milliseconds, so that the work has a share of one processor, in percent. */
export function pauseMs(workedMs: number, share: number): number {
  return workedMs * (100 / share - 1);
}

/** Measures the processor time of work that goes page by page, and makes the pauses between pages. */
function createPace(share: number) {
  let beforeMs = 0;
  let begunMs: number | undefined;
  return {
    /** Begins: what came before does not count. */
    begin() {
      beforeMs = processorMs();
    },
    workedMs: () => processorMs() - beforeMs,
    async pause() {
      // No pause after the first page, in which code is loaded and compiled.
      if (begunMs !== undefined) await sleep(pauseMs(processorMs() - begunMs, share));
      begunMs = processorMs();
    },
  };
}

/** Returns the processor time of this process, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
