import { inspectVerifications, type Storage } from '@countersign/domain';
import { hasEvidenceFile } from '@countersign/evidence';
import { createSealedStorage, type KeyWrapping } from '@countersign/sealing';
import type { Findings } from '../database/findings.ts';
import { FLOWS } from './core.ts';

/** What `doctor` finds in the verifications of a database and in their files. */
export interface VerificationFacts {
  /** Verifications that cannot be read. */
  readonly unreadable: number;
  /** Files that readable verifications name. */
  readonly files: number;
  /** Files among them that the evidence folder lacks. */
  readonly missingFiles: number;
}

/** The most problems of one kind that are listed. */
const LISTED = 10;

interface Inspection {
  readonly unreadable: readonly string[];
  readonly files: number;
  /** Missing files, by their ids, with their verifications. */
  readonly missing: ReadonlyMap<string, string>;
}

/** Reads every verification and looks for each of its files. Changes nothing. */
export async function examineVerifications(
  storage: Storage,
  { keys, evidenceDir }: { readonly keys: KeyWrapping; readonly evidenceDir: string },
): Promise<Findings<VerificationFacts> & { readonly facts: VerificationFacts }> {
  const sealed = createSealedStorage(storage, { keys });
  const { unreadable, files, missing } = await inspect(sealed, evidenceDir);
  // A server may have replaced a file after its verification was read. The second inspection leaves it out.
  const still = missing.size === 0 ? missing : (await inspect(sealed, evidenceDir)).missing;
  const lost = [...missing].filter(([fileId]) => still.has(fileId));
  return {
    facts: { unreadable: unreadable.length, files, missingFiles: lost.length },
    lines: [`Files of verifications ${files}, of which ${lost.length} are missing`],
    problems: [
      ...listed(
        unreadable,
        (id) => `Verification ${id} cannot be read: restore it from a backup`,
        'verifications',
      ),
      ...listed(
        lost,
        ([file, id]) => `File ${file} of verification ${id} is missing: restore it from a backup`,
        'files',
      ),
    ],
  };
}

async function inspect(storage: Storage, evidenceDir: string): Promise<Inspection> {
  const unreadable: string[] = [];
  const missing = new Map<string, string>();
  let files = 0;
  for await (const inspected of inspectVerifications(storage, FLOWS)) {
    const { clientId, verificationId } = inspected;
    if (inspected.outcome === 'unreadable') {
      unreadable.push(verificationId);
      continue;
    }
    for (const { id: fileId } of inspected.files) {
      files += 1;
      const isThere = await hasEvidenceFile(evidenceDir, { clientId, verificationId, fileId });
      if (!isThere) missing.set(fileId, verificationId);
    }
  }
  return { unreadable, files, missing };
}

function listed<T>(found: readonly T[], lineOf: (one: T) => string, things: string): string[] {
  const lines = found.slice(0, LISTED).map(lineOf);
  return found.length > LISTED ? [...lines, `${found.length - LISTED} more ${things} like these`] : lines;
}
