import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkOptions } from '@countersign/domain/storage';
import type { CommandIo } from './command-context.ts';
import { createProgressLine } from './terminal.ts';

/** Share of the time in which the work runs. */
const WORKING = 1 / 4;
/** Nice value of the process: servers on the same machine go first. */
const NICENESS = 10;

/** Runs long work beside servers, at a low priority and for a quarter of the time. Shows its progress. */
export async function besideServers<R>(
  { err }: Pick<CommandIo, 'err'>,
  doing: string,
  work: (options: WorkOptions) => Promise<R>,
): Promise<R> {
  const progress = createProgressLine<{ done: number; total: number }>(err, {
    textOf: ({ done, total }) => `${doing}: ${done} of ${total}`,
    isTerminal: process.stderr.isTTY,
  });
  setPriority(NICENESS);
  try {
    return await work({
      onProgress: (at) => {
        if (at.total > 0) progress.show(at);
      },
      pause: createPause(),
    });
  } finally {
    progress.end();
  }
}

/** Makes the pause after each page, so that the database has most of the time for others. */
function createPause(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    await sleep((performance.now() - begun) * (1 / WORKING - 1));
    begun = performance.now();
  };
}
