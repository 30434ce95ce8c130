import { readdir, stat } from 'node:fs/promises';
import type { EvidencePlace } from '@countersign/domain/evidence';
import { codeOf, diskFault } from '../disk/disk-fault.ts';
import { listFiles } from './list-files.ts';
import { evidencePathOf, HEAD_BYTES, isEvidenceName } from './stored-file.ts';

/** Later than any file was written. */
const FAR_AHEAD = new Date(8_640_000_000_000_000);

/**
 * Lists every stored file as `client/verification/file`, in any order, also during a hold. Files that are neither
 * evidence nor in such a folder are left out.
 * @throws CountersignError `SERVICE_UNAVAILABLE` if the disk is full, failing or not reachable; otherwise an Error with the system's code
 */
export async function* listEvidencePaths(directory: string): AsyncGenerator<string> {
  try {
    for await (const { clientId, verificationId, fileId } of listFiles(directory, FAR_AHEAD)) {
      yield [clientId, verificationId, fileId].join('/');
    }
  } catch (error) {
    throw diskFault('list the files of evidence', error);
  }
}

/** Returns whether a text is the path of a stored file, `client/verification/file`, which leads out of no folder. */
export function isEvidencePath(path: string): boolean {
  const names = path.split('/');
  return names.length === 3 && names.every(isEvidenceName);
}

/**
 * Returns how many bytes of content the file at this place has, or null if there is none. Does not read it. A file that was
 * cut off can have fewer than 0.
 * @throws CountersignError `SERVICE_UNAVAILABLE` if the disk is full, failing or not reachable; otherwise an Error with the system's code
 */
export async function evidenceContentBytes(directory: string, place: EvidencePlace): Promise<number | null> {
  const path = evidencePathOf(directory, place);
  if (path === null) return null;
  try {
    const found = await stat(path.file);
    return found.isFile() ? found.size - HEAD_BYTES : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return null;
    throw diskFault('find a file of evidence', error);
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
