import { createHash } from 'node:crypto';
import { createStoredFileCheck, type StoredFiles } from '@countersign/evidence-format';
import { BackupError } from '../database/backup-error.ts';
import { inBatches, type OnProgress } from '../database/progress.ts';

/** A finished copy of evidence. */
export interface CopiedEvidence {
  /** Files of the source. */
  readonly files: number;
  readonly bytes: number;
  /** Files that this run wrote; the others were there. */
  readonly written: number;
  /** Paths of files that were damaged in the source. They are copied as they are. */
  readonly damaged: readonly string[];
  /** Files of the target that the source does not have. They stay. */
  readonly others: number;
}

/** Files in progress. A file is never in memory as a whole. */
const FILES_AT_ONCE = 4;

/**
 * Copies all files of evidence into another store, as they are stored, and compares each copy with its original, byte for byte. Files that
 * are there already are only compared, so an interrupted copy goes on. Servers may run: a file that is deleted meanwhile is left
 * out.
 * @throws BackupError if a copy differs from its original; CountersignError `SERVICE_UNAVAILABLE`
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
  const copies = inBatches(from.list(), FILES_AT_ONCE, ({ path }) => copyFile(from, to, path));
  for await (const batch of copies) {
    for (const file of batch) {
      if (file === null) continue;
      copied.files += 1;
      copied.bytes += file.bytes;
      if (file.isNew) copied.written += 1;
      if (file.isDamaged) damaged.push(file.path);
    }
    onProgress({ doing: 'copying evidence', done: copied.files, total: Math.max(total, copied.files) });
  }
  let there = 0;
  for await (const _ of to.list()) there += 1;
  return { ...copied, damaged, others: Math.max(there - copied.files, 0) };
}

interface CopiedFile extends CheckedDigest {
  readonly path: string;
  readonly isNew: boolean;
}

/** Returns null if the file was deleted meanwhile. */
async function copyFile(from: StoredFiles, to: StoredFiles, path: string): Promise<CopiedFile | null> {
  const present = await digestAt(to, path);
  if (present !== null) {
    const original = await digestAt(from, path);
    if (original === null) return null;
    if (original.sha256 === present.sha256) return { path, isNew: false, ...original };
    throw new BackupError(
      `File ${path} in ${to.place} differs from that in ${from.place}: find out which is right, and delete the other`,
    );
  }
  const chunks = await from.read(path);
  if (chunks === null) return null;
  const original = observe(chunks);
  await to.write(path, original.chunks);
  const copy = await digestAt(to, path);
  if (copy?.sha256 !== original.digest().sha256) {
    throw new BackupError(`File ${path} in ${to.place} is not what was written: run the copy again`);
  }
  return { path, isNew: true, ...original.digest() };
}

interface CheckedDigest {
  readonly bytes: number;
  readonly sha256: string;
  /** Whether the content differs from the checksum at the start of the file. */
  readonly isDamaged: boolean;
}

/** Returns null if there is no file. */
async function digestAt(files: StoredFiles, path: string): Promise<CheckedDigest | null> {
  const chunks = await files.read(path);
  if (chunks === null) return null;
  const observed = observe(chunks);
  for await (const _ of observed.chunks);
  return observed.digest();
}

/** Passes chunks on. Once the last is passed on, `digest` returns that of all. */
function observe(chunks: AsyncIterable<Uint8Array>): {
  readonly chunks: AsyncIterable<Uint8Array>;
  digest(): CheckedDigest;
} {
  const hash = createHash('sha256');
  const check = createStoredFileCheck();
  let bytes = 0;
  let last: CheckedDigest | undefined;
  async function* passed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      check.add(chunk);
      bytes += chunk.byteLength;
      yield chunk;
    }
  }
  return {
    chunks: passed(),
    digest() {
      last ??= { bytes, sha256: hash.digest('hex'), isDamaged: check.isDamaged() };
      return last;
    },
  };
}
