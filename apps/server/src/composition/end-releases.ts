import type { Countersign } from '@countersign/domain';
import type { Database } from '../database/database.ts';
import { onceAfterRestore } from '../database/restored-mark.ts';
import type { Log } from '../logging/log.ts';

/** What ends at the first start after a restore. */
type EndedAfterRestore = Pick<Countersign, 'endHandOvers'> & {
  readonly exports: Pick<Countersign['exports'], 'endAll'>;
};

/**
 * Ends the releases of copies of people's data and all hand-over codes if this is the first start after a restore: some of them ended or
 * were used after the backup was made. Run before a server listens.
 */
export async function endReleasesAfterRestore(
  { exports, endHandOvers }: EndedAfterRestore,
  {
    replacement,
    log,
  }: { readonly replacement: Pick<Database['replacement'], 'markFile'>; readonly log: Pick<Log, 'event'> },
): Promise<void> {
  await onceAfterRestore(replacement, async () => {
    await endHandOvers();
    log.event('ended releases of copies after a restore', { count: await exports.endAll() });
  });
}
