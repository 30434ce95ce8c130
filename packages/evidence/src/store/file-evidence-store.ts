import { readFile, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EvidenceFault, type EvidencePlace, type EvidenceStore } from '@countersign/domain/evidence';
import { checkedContent, checkedHead, evidencePathOf, isEvidenceName } from '@countersign/evidence-format';
import { codeOf, diskFault } from '../disk/disk-fault.ts';
import { removeUnfinished, unlinkIfThere, writeOnce } from '../disk/write-once.ts';
import { areDeletionsHeld } from './deletion-hold.ts';
import { listFiles, listFilesOf } from './list-files.ts';
import { foldersOf, incomingOf } from './stored-place.ts';

/** Options of `createFileEvidenceStore`. */
export interface FileEvidenceStoreOptions {
  /** Root folder, with a folder for each client and, in it, one for each verification. Created with the first file. */
  readonly directory: string;
}

/**
 * Stores files of evidence in folders, which several processes may share. Errors contain the system's code and no path.
 * Listing also removes unfinished files of killed processes. Requires a file system with hard links: otherwise `put`
 * rejects. While `holdDeletions` holds the folder, `delete` leaves the file, which `filesOf` still lists, and `listWrittenBefore`
 * lists none, so that `TidyEvidence` deletes it after the backup.
 */
export function createFileEvidenceStore({ directory }: FileEvidenceStoreOptions): EvidenceStore {
  const incoming = incomingOf(directory);
  const fileOf = (place: EvidencePlace): string | null => {
    const path = evidencePathOf(place);
    return path === null ? null : join(directory, path);
  };

  return {
    async put(place, content) {
      const file = fileOf(place);
      if (file === null) throw new Error('An id of the file to keep cannot be the name of a file.');
      let isNew: boolean;
      try {
        isNew = await writeOnce({ file, folders: foldersOf(directory, dirname(file)), incoming }, [
          checkedHead(content),
          content,
        ]);
      } catch (error) {
        throw diskFault('keep a file of evidence', error);
      }
      if (!isNew) throw new EvidenceFault('FILE_EXISTS', place);
    },

    async get(place) {
      const stored = await read(fileOf(place));
      return stored === null ? null : checkedContent(stored, place);
    },

    async delete(place) {
      const file = fileOf(place);
      if (file === null) return;
      try {
        if (await areDeletionsHeld(directory)) return;
        await unlinkIfThere(file);
        const folder = dirname(file);
        if (await removeIfEmpty(folder)) await removeIfEmpty(dirname(folder));
      } catch (error) {
        throw diskFault('delete a file of evidence', error);
      }
    },

    async filesOf(verification) {
      if (![verification.clientId, verification.verificationId].every(isEvidenceName)) return [];
      try {
        const places: EvidencePlace[] = [];
        for await (const place of listFilesOf(directory, verification)) places.push(place);
        return places;
      } catch (error) {
        throw diskFault('list the files of evidence', error);
      }
    },

    async *listWrittenBefore(moment): AsyncGenerator<EvidencePlace> {
      try {
        if (await areDeletionsHeld(directory)) return;
        await removeUnfinished(incoming);
        yield* listFiles(directory, moment);
      } catch (error) {
        throw diskFault('list the files of evidence', error);
      }
    },
  };
}

async function read(file: string | null): Promise<Uint8Array | null> {
  if (file === null) return null;
  try {
    return await readFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw diskFault('read a file of evidence', error);
  }
}

/** Removes a folder if it is empty. Returns whether it is gone. */
async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return true;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}
