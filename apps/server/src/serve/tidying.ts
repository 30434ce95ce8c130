import type { TidyEvidence } from '@countersign/domain';
import type { Log } from '../logging/log.ts';

/** How often contents of files that belong to nothing are looked for, in milliseconds. */
const EVERY_MS = 60 * 60 * 1_000;

/**
 * Tidies now and every hour, one at a time, until the function given back is called: that waits for the one that runs.
 * A failure is told and tried again the next time.
 */
export function keepTidying(
  tidy: () => Promise<unknown>,
  onFault: (fault: unknown) => void,
  everyMs: number = EVERY_MS,
): () => Promise<void> {
  let running: Promise<void> | undefined;

  function start(): void {
    running ??= tidy()
      .then(() => undefined, onFault)
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

/** Deletes contents of files that belong to nothing, and says where they seem to belong to another database. */
export async function tidyEvidence(evidence: TidyEvidence, log: Pick<Log, 'event' | 'warning'>): Promise<void> {
  const { deleted, foreign } = await evidence.tidy();
  if (deleted > 0) log.event('deleted files that belonged to nothing', { count: deleted });
  if (foreign > 0)
    log.warning('files belong to verifications that are not in this database, and stay', { count: foreign });
}
