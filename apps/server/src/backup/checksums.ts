import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isEvidencePath } from '@countersign/evidence-format';
import { BackupError } from '../database/backup-error.ts';
import { DUMP_FILE, EVIDENCE, MANIFEST, SQLITE_FILE } from '../database/manifest.ts';
import { exists, renameDurably } from '../files.ts';

/**
 * The list of a backup's files, in the format of `sha256sum`. It gets its name last: a folder without it holds no complete
 * backup.
 */
export const CHECKSUMS = 'SHA256SUMS';

/** One file of a backup. */
export interface ListedFile {
  /** Relative to the backup, with `/`. */
  readonly path: string;
  readonly sha256: string;
}

/** Writes the list, file by file. */
export interface ChecksumWriter {
  add(files: readonly ListedFile[]): Promise<void>;
  /** Completes the backup: flushes the list and gives it its name. */
  finish(): Promise<void>;
  /** Closes the list without completing it. */
  abandon(): Promise<void>;
}

export async function writeChecksums(directory: string): Promise<ChecksumWriter> {
  const partial = join(directory, `${CHECKSUMS}.partial`);
  const handle = await open(partial, 'wx', 0o600);
  return {
    add: (files) => handle.appendFile(files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')),
    async finish() {
      await handle.sync();
      await handle.close();
      await renameDurably(partial, join(directory, CHECKSUMS));
    },
    abandon: () => handle.close(),
  };
}

const LINE = /^([0-9a-f]{64}) {2}(\S+)$/;

/**
 * Reads the list. Accepts only paths that a backup has, so that none leads out of its folder.
 * @throws BackupError
 */
export async function* readChecksums(directory: string): AsyncGenerator<ListedFile> {
  const file = join(directory, CHECKSUMS);
  if (!(await exists(file))) {
    throw new BackupError(`${directory} is not a complete backup: ${CHECKSUMS} is missing, which is written last`);
  }
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: 0 });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const [, sha256, path] = LINE.exec(line) ?? [];
    if (sha256 === undefined || path === undefined) {
      throw new BackupError(`The backup's ${CHECKSUMS} is damaged in line ${number}`);
    }
    if (!isPathOfBackup(path)) {
      throw new BackupError(`The backup's ${CHECKSUMS} names in line ${number} a file that a backup cannot have`);
    }
    yield { path, sha256 };
  }
}

function isPathOfBackup(path: string): boolean {
  if (path.startsWith(`${EVIDENCE}/`)) return isEvidencePath(path.slice(EVIDENCE.length + 1));
  return [MANIFEST, SQLITE_FILE, DUMP_FILE].includes(path);
}
