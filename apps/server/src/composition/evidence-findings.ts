import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isSystemError } from '../config/errors.ts';
import { isWithin } from '../config/file-urls.ts';
import type { DoctorSettings } from '../config/settings.ts';

/** The folder of files of verifications. */
export interface EvidenceFacts {
  readonly directory: string;
  /** It is made with the first file. */
  readonly exists: boolean;
  /** Of a missing one: whether it can be made. */
  readonly writable: boolean;
  /** Whether it lies outside the data directory, and so needs a backup of its own. */
  readonly apartFromDataDir: boolean;
}

export interface EvidenceFindings {
  readonly facts: EvidenceFacts;
  readonly lines: readonly string[];
  readonly problems: readonly string[];
}

/** Looks, and makes nothing. */
export function examineEvidence({
  evidenceDir: directory,
  dataDir,
}: Pick<DoctorSettings, 'evidenceDir' | 'dataDir'>): EvidenceFindings {
  const place = nearestThere(directory);
  const exists = place === directory;
  const writable = isWritableDirectory(place);
  const apartFromDataDir = !isWithin(realPath(directory), realPath(dataDir));
  const facts = { directory, exists, writable, apartFromDataDir };
  const lines = [`Evidence ${directory}, ${stateOf(facts)}, ${apartFromDataDir ? 'apart from' : 'in'} DATA_DIR`];
  const problem = exists
    ? `The evidence folder ${directory} is no directory that this process may write to`
    : `The evidence folder ${directory} cannot be made: ${place} is no directory that this process may write to`;
  return { facts, lines, problems: writable ? [] : [problem] };
}

function stateOf({ exists, writable }: EvidenceFacts): string {
  if (!writable) return 'not writable';
  return exists ? 'writable' : 'not there yet';
}

/** The path itself where there is something, else the nearest one above it where there is. */
function nearestThere(path: string): string {
  try {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  } catch (error) {
    // A file among its parents, or a parent that may not be looked into.
    if (!isSystemError(error)) throw error;
  }
  return dirname(path) === path ? path : nearestThere(dirname(path));
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

/** With links followed, as far as the path is there. */
function realPath(path: string): string {
  const there = nearestThere(path);
  try {
    return realpathSync(there) + path.slice(there === '/' ? 0 : there.length);
  } catch (error) {
    if (isSystemError(error)) return path;
    throw error;
  }
}
