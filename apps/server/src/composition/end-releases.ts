import type { Countersign } from '@countersign/domain';
import type { Database } from '../database/database.ts';
import { onceAfterRestore } from '../database/restored-mark.ts';
import type { Log } from '../logging/log.ts';

/**
 * Ends the releases of copies of people's data if this is the first start after a restore: some of them ended or were declined after the
 * backup was made. Run before a server listens.
 */
export async function endReleasesAfterRestore(
  { endAll }: Pick<Countersign['exports'], 'endAll'>,
  {
    replacement,
    log,
  }: { readonly replacement: Pick<Database['replacement'], 'markFile'>; readonly log: Pick<Log, 'event'> },
): Promise<void> {
  await onceAfterRestore(replacement, async () => {
    log.event('ended releases of copies after a restore', { count: await endAll() });
  });
}
