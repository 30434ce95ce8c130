import { canHaveBytes } from '@countersign/domain/evidence';
import { inspectVerifications, type Storage } from '@countersign/domain/storage';
import type { StoredFiles } from '@countersign/evidence-format';
import { createSealedStorage, type KeyWrapping, SEALED_FILE_ADDS } from '@countersign/sealing';
import { type Findings, listed } from '../database/findings.ts';
import { FLOWS } from './core.ts';

/** What `doctor` finds in the verifications of a database and in their files. */
export interface VerificationFacts {
  /** Verifications that cannot be read. */
  readonly unreadable: number;
  /** Files that readable verifications name. */
  readonly files: number;
  /** Files among them that the store of evidence lacks. */
  readonly missingFiles: number;
  /** Files among them that have another size in the store of evidence than the database knows. */
  readonly damagedFiles: number;
}

interface Inspection {
  readonly unreadable: readonly string[];
  readonly files: number;
  /** Missing and damaged files, by their ids. */
  readonly lost: ReadonlyMap<string, LostFile>;
}

interface LostFile {
  readonly fileId: string;
  readonly verificationId: string;
  readonly state: 'missing' | 'damaged';
}

/**
 * Reads every verification, looks for each of its files and compares its size. Changes nothing.
 * @param given.files undefined when they cannot be reached
 */
export async function examineVerifications(
  storage: Storage,
  {
    keys,
    files: store,
  }: { readonly keys: KeyWrapping; readonly files: Pick<StoredFiles, 'contentBytesOf'> | undefined },
): Promise<Findings<VerificationFacts> & { readonly facts: VerificationFacts }> {
  const sealed = createSealedStorage(storage, { keys });
  const { unreadable, files, lost: first } = await inspect(sealed, store);
  // A server may have replaced a file after its verification was read. The second inspection leaves it out.
  const still = first.size === 0 ? first : (await inspect(sealed, store)).lost;
  const lost = [...first.values()].filter(({ fileId }) => still.has(fileId));
  const missing = lost.filter(({ state }) => state === 'missing');
  const damaged = lost.filter(({ state }) => state === 'damaged');
  return {
    facts: {
      unreadable: unreadable.length,
      files,
      missingFiles: missing.length,
      damagedFiles: damaged.length,
    },
    lines: [
      store === undefined
        ? `Files of verifications ${files}, not looked for: the evidence cannot be reached`
        : `Files of verifications ${files}, of which ${missing.length} are missing and ${damaged.length} have a wrong size`,
    ],
    problems: [
      ...listed(
        unreadable,
        (id) => `Verification ${id} cannot be read: restore it from a backup`,
        'verifications',
      ),
      ...listed(
        missing,
        (file) =>
          `File ${file.fileId} of verification ${file.verificationId} is missing: restore it from a backup`,
        'files',
      ),
      ...listed(
        damaged,
        (file) =>
          `File ${file.fileId} of verification ${file.verificationId} is damaged, its size is wrong: restore it from a backup`,
        'files',
      ),
    ],
  };
}

async function inspect(
  storage: Storage,
  store: Pick<StoredFiles, 'contentBytesOf'> | undefined,
): Promise<Inspection> {
  const unreadable: string[] = [];
  const lost = new Map<string, LostFile>();
  let files = 0;
  for await (const inspected of inspectVerifications(storage, FLOWS)) {
    const { clientId, verificationId } = inspected;
    if (inspected.outcome === 'unreadable') {
      unreadable.push(verificationId);
      continue;
    }
    if (store === undefined) files += inspected.files.length;
    if (store === undefined || inspected.files.length === 0) continue;
    const stored = await store.contentBytesOf({ clientId, verificationId });
    for (const file of inspected.files) {
      files += 1;
      const { id: fileId } = file;
      const bytes = stored.get(fileId);
      if (bytes === undefined) lost.set(fileId, { fileId, verificationId, state: 'missing' });
      else if (!canHaveBytes(file, bytes - SEALED_FILE_ADDS)) {
        lost.set(fileId, { fileId, verificationId, state: 'damaged' });
      }
    }
  }
  return { unreadable, files, lost };
}
