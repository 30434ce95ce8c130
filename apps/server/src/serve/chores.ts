import type { Countersign, TidyEvidence } from '@countersign/domain';
import type { Log } from '../logging/log.ts';
import { regularly } from './regularly.ts';

const HOUR_MS = 60 * 60 * 1_000;
const SECOND_MS = 1_000;
const FAULT_REST_MS = 30 * SECOND_MS;

/** What a server does by itself, until the function given back is called: that waits for what is under way. */
export function keepDoingChores(
  { evidence, sandbox }: Pick<Countersign, 'evidence' | 'sandbox'>,
  log: Pick<Log, 'event' | 'warning' | 'fault'>,
): () => Promise<void> {
  const stops = [
    regularly(() => tidyEvidence(evidence, log), log.fault, { everyMs: HOUR_MS }),
    regularly(() => sandbox.drive(), log.fault, { everyMs: SECOND_MS, afterFaultMs: FAULT_REST_MS }),
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

/** Deletes contents of files that belong to nothing, and says where they seem to belong to another database. */
export async function tidyEvidence(evidence: TidyEvidence, log: Pick<Log, 'event' | 'warning'>): Promise<void> {
  const { deleted, foreign } = await evidence.tidy();
  if (deleted > 0) log.event('deleted files that belonged to nothing', { count: deleted });
  if (foreign > 0)
    log.warning('files belong to verifications that are not in this database, and stay', { count: foreign });
}
