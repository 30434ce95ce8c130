import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isSystemError } from '../config/errors.ts';
import { isWithin } from '../config/file-urls.ts';
import type { DoctorSettings } from '../config/settings.ts';
import type { Findings } from '../database/findings.ts';

/** State of the folder for files of verifications. */
export interface EvidenceFacts {
  readonly directory: string;
  /** False before the first upload, which creates the folder. */
  readonly exists: boolean;
  /** For a missing folder: whether it can be created. */
  readonly writable: boolean;
  /** True when the folder lies outside the data directory and needs its own backup. */
  readonly apartFromDataDir: boolean;
}

/** Checks the evidence folder. Creates nothing. */
export function examineEvidence({
  evidenceDir: directory,
  dataDir,
}: Pick<DoctorSettings, 'evidenceDir' | 'dataDir'>): Findings<EvidenceFacts> & { readonly facts: EvidenceFacts } {
  const place = nearestExisting(directory);
  const exists = place === directory;
  const writable = isWritableDirectory(place);
  const apartFromDataDir = !isWithin(realPath(directory), realPath(dataDir));
  const facts = { directory, exists, writable, apartFromDataDir };
  const lines = [`Evidence ${directory}, ${stateOf(facts)}, ${apartFromDataDir ? 'outside' : 'inside'} DATA_DIR`];
  const problem = exists
    ? `The evidence folder ${directory} is not a writable directory: check its permissions`
    : `The evidence folder ${directory} cannot be created: ${place} is not a writable directory`;
  return { facts, lines, problems: writable ? [] : [problem] };
}

function stateOf({ exists, writable }: EvidenceFacts): string {
  if (!writable) return 'not writable';
  return exists ? 'writable' : 'not created yet';
}

/** Returns the path itself if it exists, else its nearest existing parent. */
export function nearestExisting(path: string): string {
  try {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  } catch (error) {
    // A parent is a file, or this process may not enter it.
    if (!isSystemError(error)) throw error;
  }
  return dirname(path) === path ? path : nearestExisting(dirname(path));
}

function isWritableDirectory(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** Resolves symbolic links in the existing part of a path. */
function realPath(path: string): string {
  const existing = nearestExisting(path);
  try {
    return realpathSync(existing) + path.slice(existing === '/' ? 0 : existing.length);
  } catch (error) {
    if (isSystemError(error)) return path;
    throw error;
  }
}
