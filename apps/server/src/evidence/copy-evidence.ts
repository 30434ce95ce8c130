import type { StoredFiles } from '@countersign/evidence-format';
import { BackupError } from '../database/backup-error.ts';
import { inBatches, type OnProgress } from '../database/progress.ts';
import { type CheckedDigest, digestAt, observe } from './stored-digest.ts';

/** A finished copy of evidence. */
export interface CopiedEvidence {
  /** Files of the source. */
  readonly files: number;
  readonly bytes: number;
  /** Files that this run wrote; the others were there. */
  readonly written: number;
  /** Paths of files that were damaged in the source. They are copied as they are. */
  readonly damaged: readonly string[];
  /** Paths of files that differ in source and target although neither or each is damaged. They stay as they are. */
  readonly conflicts: readonly string[];
  /** Files of the target that the source does not have. They stay. */
  readonly others: number;
}

/** Files in progress. A file is never in memory as a whole. */
const FILES_AT_ONCE = 4;

/**
 * Copies all files of evidence into another store, as they are stored, and compares each copy with its original, byte for byte. Files that
 * are there already are only compared, and replaced if they are damaged, so an interrupted copy goes on. Servers may run: a file that
 * is deleted meanwhile is left out.
 * @throws BackupError if a new copy differs from its original; CountersignError `SERVICE_UNAVAILABLE`
 */
export async function copyEvidence(
  from: StoredFiles,
  to: StoredFiles,
  onProgress: OnProgress,
): Promise<CopiedEvidence> {
  let total = 0;
  for await (const _ of from.list()) total += 1;
  const copied = { files: 0, bytes: 0, written: 0 };
  const damaged: string[] = [];
  const conflicts: string[] = [];
  const copies = inBatches(from.list(), FILES_AT_ONCE, ({ path }) => copyFile(from, to, path));
  for await (const batch of copies) {
    for (const file of batch) {
      if (file === null) continue;
      copied.files += 1;
      copied.bytes += file.bytes;
      if (file.isNew) copied.written += 1;
      if (file.isConflict) conflicts.push(file.path);
      else if (file.isDamaged) damaged.push(file.path);
    }
    onProgress({ doing: 'copying evidence', done: copied.files, total: Math.max(total, copied.files) });
  }
  let there = 0;
  for await (const _ of to.list()) there += 1;
  return { ...copied, damaged, conflicts, others: Math.max(there - copied.files, 0) };
}

interface CopiedFile extends CheckedDigest {
  readonly path: string;
  readonly isNew: boolean;
  readonly isConflict: boolean;
}

/** Returns null if the file was deleted meanwhile. */
async function copyFile(from: StoredFiles, to: StoredFiles, path: string): Promise<CopiedFile | null> {
  const present = await digestAt(to, path);
  if (present !== null) {
    const original = await digestAt(from, path);
    if (original === null) return null;
    const isConflict = original.sha256 !== present.sha256 && original.isDamaged === present.isDamaged;
    // A sound copy of a file that was damaged later is the right one.
    if (isConflict || !present.isDamaged || original.isDamaged)
      return { path, isNew: false, isConflict, ...present };
  }
  const chunks = await from.read(path);
  if (chunks === null) return null;
  const original = observe(chunks);
  await to.write(path, original.chunks, { replace: present !== null });
  const copy = await digestAt(to, path);
  if (copy?.sha256 !== original.digest().sha256) {
    throw new BackupError(`File ${path} in ${to.place} is not what was written: run the copy again`);
  }
  return { path, isNew: true, isConflict: false, ...original.digest() };
}
