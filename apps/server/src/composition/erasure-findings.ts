import { findUnfinishedErasures } from '@countersign/domain/retention';
import type { Storage } from '@countersign/domain/storage';
import { type Findings, listed } from '../database/findings.ts';

/** What `doctor` finds in the erasures of a database. */
export interface ErasureFacts {
  /** Erasures that began more than ten minutes ago and have not finished, counted up to 1,000. */
  readonly unfinished: number;
}

const COUNTED = 1_000;

/** Finds erasures that have not finished in time. */
export async function examineErasures(
  { retention }: Pick<Storage, 'retention'>,
  now: Date,
): Promise<Findings<ErasureFacts>> {
  const found = await findUnfinishedErasures(retention, { now, limit: COUNTED });
  return {
    facts: { unfinished: found.length },
    lines: [`Erasures that have not finished ${found.length}`],
    problems: listed(
      found,
      ({ id, erasedAt, erasureNumber }) =>
        `The erasure of verification ${id} began at ${erasedAt?.toISOString()} and has not finished: its ${erasureNumber === null ? 'data is' : 'files are'} left. A server tries again each hour, and its log names the fault`,
      'erasures',
    ),
  };
}
