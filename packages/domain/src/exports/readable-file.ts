import { faultBehind, VerificationFault } from '../errors.ts';
import type { EvidenceKeeper, FilePart } from '../evidence/evidence-keeper.ts';

type ReadFile = (
  ports: { evidence: Pick<EvidenceKeeper, 'read'>; onFault: (fault: unknown) => void },
  ...of: Parameters<EvidenceKeeper['read']>
) => Promise<FilePart | null>;

/**
 * Reads a file for an export, which names the files that cannot be read.
 * @returns null if the content is missing or cannot be read, which is reported to `onFault`
 */
export const readOrReport: ReadFile = readUnless(() => true);

/**
 * Reads a file for an export that its reader can ask for again.
 * @returns null if the content is missing or damaged, which stays so and is reported to `onFault`
 * @throws every other fault, such as one of the disk: the export must not look whole then, because the next one may be
 */
export const readUnlessLost: ReadFile = readUnless((cause) => cause instanceof VerificationFault);

/** Reads a file, and reports faults that leave it out. */
function readUnless(isLeftOut: (cause: unknown) => boolean): ReadFile {
  return async ({ evidence, onFault }, ...of) => {
    try {
      return await evidence.read(...of);
    } catch (fault) {
      const cause = faultBehind(fault) ?? fault;
      if (!isLeftOut(cause)) throw fault;
      onFault(cause);
      return null;
    }
  };
}
