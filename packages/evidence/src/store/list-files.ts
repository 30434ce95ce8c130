import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EvidencePlace } from '@countersign/domain/evidence';
import { isEvidenceName } from '@countersign/evidence-format';
import { codeOf } from '../disk/disk-fault.ts';

/**
 * Yields the places of all files last written before a time. Reads folders in chunks, so that large ones need little
 * memory.
 */
export async function* listFiles(directory: string, moment: Date): AsyncGenerator<EvidencePlace> {
  for await (const clientId of foldersIn(directory)) {
    for await (const verificationId of foldersIn(join(directory, clientId))) {
      for await (const place of listFilesOf(directory, { clientId, verificationId })) {
        if (await isOlder(join(directory, clientId, verificationId, place.fileId), moment)) yield place;
      }
    }
  }
}

/** Yields the places of all files of one verification, whose ids can be file names. */
export async function* listFilesOf(
  directory: string,
  { clientId, verificationId }: Pick<EvidencePlace, 'clientId' | 'verificationId'>,
): AsyncGenerator<EvidencePlace> {
  for await (const entry of entriesOf(join(directory, clientId, verificationId))) {
    if (entry.isFile() && isEvidenceName(entry.name)) yield { clientId, verificationId, fileId: entry.name };
  }
}

async function* foldersIn(folder: string): AsyncGenerator<string> {
  for await (const entry of entriesOf(folder)) {
    if (entry.isDirectory() && isEvidenceName(entry.name)) yield entry.name;
  }
}

/** Empty if the folder does not exist: another call may have emptied and removed it. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

async function isOlder(file: string, moment: Date): Promise<boolean> {
  const found = await stat(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  return found !== null && found.mtimeMs < moment.getTime();
}
