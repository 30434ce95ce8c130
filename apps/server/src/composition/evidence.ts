import { join } from 'node:path';
import type { Evidence } from '@countersign/domain/evidence';
import { createEvidenceIntake, type DecodingIntake } from '@countersign/evidence';
import { ensureDataDirectory } from '../config/data-directory.ts';
import { SettingError } from '../config/errors.ts';
import type { DoctorSettings } from '../config/settings.ts';
import { isBucketError, type OpenEvidence, openEvidence } from '../evidence/open-evidence.ts';
import { type WatchedStore, watchStore } from '../evidence/watched-store.ts';
import type { Log } from '../logging/log.ts';

/** Files of verifications, with an intake that says what its decoder does. */
export interface ServerEvidence extends Evidence, Pick<OpenEvidence, 'probe' | 'close'>, WatchedStore {
  readonly intake: DecodingIntake;
}

/** Folder in the data directory for uploads that are being checked. They are encrypted. */
const SPOOL = 'uploads';

/**
 * Creates the store for files of verifications, which the core seals. Its folder is created with the first file, the data directory
 * immediately.
 * @throws SettingError when the data directory cannot be created
 */
export async function createEvidence({
  evidence,
  dataDir,
}: Pick<DoctorSettings, 'evidence' | 'dataDir'>): Promise<ServerEvidence> {
  ensureDataDirectory(dataDir);
  const { store, probe, close } = await openEvidence(evidence);
  return {
    ...watchStore(store),
    probe,
    close,
    intake: createEvidenceIntake({ spoolDirectory: join(dataDir, SPOOL) }),
  };
}

/** What a log line adds about a bucket that keeps deleted files. */
export const KEEPS_VERSIONS =
  'the bucket keeps versions of deleted files: add a rule to its lifecycle that deletes versions that are not current';

/**
 * Checks a bucket before a server listens. One that does not answer is only logged: uploads get 503 until it does, and everything else
 * works.
 * @throws SettingError if a setting or a right is wrong
 */
export async function requireBucket(
  { probe }: Pick<ServerEvidence, 'probe'>,
  log: Pick<Log, 'warning'>,
): Promise<void> {
  if (probe === undefined) return;
  try {
    const { keepsVersions } = await probe();
    if (keepsVersions === true) log.warning(KEEPS_VERSIONS);
  } catch (error) {
    if (!isBucketError(error)) throw error;
    if (!error.isTemporary)
      throw new SettingError('EVIDENCE_URL', `cannot be used: ${error.message}`, { cause: error });
    log.warning(`uploads and downloads get 503: ${error.message}`);
  }
}
