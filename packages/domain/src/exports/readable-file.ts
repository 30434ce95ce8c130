import { isCountersignError } from '../errors.ts';
import type { EvidenceKeeper, FilePart } from '../evidence/evidence-keeper.ts';

/**
 * Reads a file for an export, which names the files that cannot be read.
 * @returns null if the content is missing or cannot be read, which is reported to `onFault`
 */
export async function readOrReport(
  { evidence, onFault }: { evidence: Pick<EvidenceKeeper, 'read'>; onFault: (fault: unknown) => void },
  ...of: Parameters<EvidenceKeeper['read']>
): Promise<FilePart | null> {
  try {
    return await evidence.read(...of);
  } catch (fault) {
    // A missing content is reported already.
    if (!isCountersignError(fault, 'FILE_NOT_FOUND')) onFault(fault);
    return null;
  }
}
