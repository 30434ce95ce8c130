import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SettingError } from '../config/errors.ts';
import { folderOf } from '../config/evidence-setting.ts';
import { isWithin } from '../config/file-urls.ts';
import type { StorageSettings } from '../config/settings.ts';
import { realPath } from '../files.ts';
import { MANIFEST, parseManifest } from './manifest.ts';
import { isAsideName } from './old-copies.ts';

/** The folder of the erasure log, and that of the evidence, from which it is apart. */
export type ErasureLogPlaces = Pick<StorageSettings, 'erasureLogDir' | 'evidence'>;

/**
 * Requires that the erasure log is in no folder that a backup copies or is, and in none that `restore` moved aside, also by a
 * link: there, it would be replaced by one that knows fewer erasures, or deleted.
 * @throws SettingError
 */
export async function requireErasureLogApart(places: ErasureLogPlaces): Promise<void> {
  const problem = await misplacementOf(places);
  if (problem !== undefined) throw new SettingError('ERASURE_LOG_URL', problem);
}

/** Returns what is wrong with the place of the erasure log, as the end of a sentence about ERASURE_LOG_URL. */
export async function misplacementOf({ erasureLogDir, evidence }: ErasureLogPlaces): Promise<string | undefined> {
  const directory = realPath(erasureLogDir);
  const expected = 'expected a folder outside the evidence and all backups';
  const evidenceDir = folderOf(evidence);
  if (evidenceDir !== undefined && isWithin(directory, realPath(evidenceDir))) {
    return `is in the folder of EVIDENCE_URL: ${expected}`;
  }
  for (let folder = directory; folder !== dirname(folder); folder = dirname(folder)) {
    if (isAsideName(basename(folder))) return `is in ${folder}, which restore moved aside: ${expected}`;
    if (await isBackup(folder)) return `is in the backup ${folder}: ${expected}`;
  }
  return undefined;
}

async function isBackup(folder: string): Promise<boolean> {
  try {
    parseManifest(await readFile(join(folder, MANIFEST), 'utf8'));
    return true;
  } catch {
    // There is no such file, or it is of another program.
    return false;
  }
}
