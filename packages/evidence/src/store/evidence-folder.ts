import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  evidencePathOf,
  HEAD_BYTES,
  isEvidenceName,
  isEvidencePath,
  type StoredFile,
  type StoredFiles,
} from '@countersign/evidence-format';
import { codeOf, diskFault } from '../disk/disk-fault.ts';
import { unlinkIfThere, writeOnce } from '../disk/write-once.ts';
import { holdDeletions } from './deletion-hold.ts';
import { listFiles, listFilesOf } from './list-files.ts';
import { foldersOf, incomingOf } from './stored-place.ts';

/** Later than any file was written. */
const FAR_AHEAD = new Date(8_640_000_000_000_000);

const CHUNK_BYTES = 1024 * 1024;

/** Opens an evidence folder to back up, copy and check its files as they are stored. Creates nothing before the first file. */
export function createEvidenceFolder(directory: string): StoredFiles {
  return {
    place: directory,

    async *list(): AsyncGenerator<StoredFile> {
      try {
        for await (const place of listFiles(directory, FAR_AHEAD)) {
          const path = evidencePathOf(place);
          const bytes = path === null ? null : await sizeOf(join(directory, path));
          if (path !== null && bytes !== null) yield { path, bytes };
        }
      } catch (error) {
        throw diskFault('list the files of evidence', error);
      }
    },

    async contentBytesOf(verification) {
      const sizes = new Map<string, number>();
      if (![verification.clientId, verification.verificationId].every(isEvidenceName)) return sizes;
      try {
        for await (const { clientId, verificationId, fileId } of listFilesOf(directory, verification)) {
          const bytes = await sizeOf(join(directory, clientId, verificationId, fileId));
          if (bytes !== null) sizes.set(fileId, bytes - HEAD_BYTES);
        }
        return sizes;
      } catch (error) {
        if (codeOf(error) === 'ENOTDIR') return sizes;
        throw diskFault('find a file of evidence', error);
      }
    },

    async read(path) {
      if (!isEvidencePath(path)) return null;
      try {
        const handle = await open(join(directory, path), 'r');
        return createReadStream('', { fd: handle, highWaterMark: CHUNK_BYTES });
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null;
        throw diskFault('read a file of evidence', error);
      }
    },

    async write(path, chunks, { replace = false } = {}) {
      if (!isEvidencePath(path)) throw new Error('The path of the file to keep is not that of a stored file.');
      const file = join(directory, path);
      try {
        if (replace) await unlinkIfThere(file);
        return await writeOnce(
          { file, folders: foldersOf(directory, dirname(file)), incoming: incomingOf(directory) },
          chunks,
        );
      } catch (error) {
        throw diskFault('keep a file of evidence', error);
      }
    },

    holdDeletions: () => holdDeletions(directory),
  };
}

/** Returns null for a file that was deleted meanwhile. */
async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Lists the names of the clients' folders, which hold all files of evidence.
 * @throws CountersignError `SERVICE_UNAVAILABLE` if the disk is full, failing or not reachable; otherwise an Error with the system's code
 */
export async function listClientFolders(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && isEvidenceName(entry.name)).map(({ name }) => name);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw diskFault('list the files of evidence', error);
  }
}
