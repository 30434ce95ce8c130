import { faultBehind, VerificationFault } from '../errors.ts';
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
    onFault(faultBehind(fault) ?? fault);
    return null;
  }
}

/**
 * Reads a file for an export that its reader can ask for again.
 * @returns null if the content is missing or damaged, which stays so and is reported to `onFault`
 * @throws every other fault, such as one of the disk: the export must not look whole then, because the next one may be
 */
export async function readUnlessLost(
  { evidence, onFault }: { evidence: Pick<EvidenceKeeper, 'read'>; onFault: (fault: unknown) => void },
  ...of: Parameters<EvidenceKeeper['read']>
): Promise<FilePart | null> {
  try {
    return await evidence.read(...of);
  } catch (fault) {
    const lost = faultBehind(fault) ?? fault;
    if (!(lost instanceof VerificationFault)) throw fault;
    onFault(lost);
    return null;
  }
}
