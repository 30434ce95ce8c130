import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isHeicInstalled } from '@countersign/evidence';
import { isSystemError } from '../config/errors.ts';
import { isWithin } from '../config/file-urls.ts';
import type { DoctorSettings } from '../config/settings.ts';
import { clockProblem, clockText, type Findings } from '../database/findings.ts';
import { isBucketError, type OpenEvidence, openEvidence } from '../evidence/open-evidence.ts';
import { KEEPS_VERSIONS } from './evidence.ts';

/** State of the folder for files of verifications. */
export interface FolderFacts {
  readonly directory: string;
  /** False before the first upload, which creates the folder. */
  readonly exists: boolean;
  /** For a missing folder: whether it can be created. */
  readonly writable: boolean;
  /** True when the folder lies outside the data directory and needs its own backup. */
  readonly apartFromDataDir: boolean;
}

/** State of the bucket for files of verifications. */
export interface BucketFacts {
  readonly bucket: string;
  /** Whether files can be listed, written, read and deleted. */
  readonly writable: boolean;
  /** Null while the bucket cannot be used, or where its versioning may not be read. */
  readonly keepsVersions: boolean | null;
}

/** Whether HEIC pictures can be decoded. */
interface HeicFacts {
  readonly heic: boolean;
}

export type EvidenceFacts = (FolderFacts | BucketFacts) & HeicFacts;

/** Checks the evidence. Creates no folder. In a bucket, a test object is written and deleted. */
export async function examineEvidence(
  settings: Pick<DoctorSettings, 'evidence' | 'dataDir'>,
): Promise<Findings<EvidenceFacts>> {
  const found = await examineStore(settings);
  const heic = isHeicInstalled();
  const line = heic
    ? 'HEIC pictures are decoded by heic-decode'
    : 'HEIC pictures are refused: the optional package heic-decode is not installed';
  return { facts: { ...found.facts, heic }, lines: [...found.lines, line], problems: found.problems };
}

async function examineStore(
  settings: Pick<DoctorSettings, 'evidence' | 'dataDir'>,
): Promise<Findings<FolderFacts | BucketFacts>> {
  const { evidence } = settings;
  if (evidence.kind === 'folder') return examineFolder(evidence.directory, settings);
  const { files, probe, close } = await openEvidence(evidence);
  try {
    return await examineBucket(files.place, probe);
  } finally {
    close();
  }
}

async function examineBucket(bucket: string, probe: OpenEvidence['probe']): Promise<Findings<BucketFacts>> {
  try {
    const found = await probe?.();
    const keepsVersions = found?.keepsVersions ?? null;
    return {
      facts: { bucket, writable: true, keepsVersions },
      lines: [
        `Evidence ${bucket}, writable`,
        ...(found === undefined ? [] : [clockText('the object storage', found)]),
        ...(keepsVersions === true ? [KEEPS_VERSIONS] : []),
      ],
      problems: found === undefined ? [] : clockProblem('the object storage', found),
    };
  } catch (error) {
    if (!isBucketError(error)) throw error;
    const facts = { bucket, writable: false, keepsVersions: null };
    return {
      facts,
      lines: [`Evidence ${bucket}, not usable`],
      problems: [`EVIDENCE_URL cannot be used: ${error.message}`],
    };
  }
}

/** Checks the evidence folder. Creates nothing. */
export function examineFolder(
  directory: string,
  { dataDir }: Pick<DoctorSettings, 'dataDir'>,
): Findings<FolderFacts> {
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

function stateOf({ exists, writable }: FolderFacts): string {
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
