import { join } from 'node:path';
import type { Evidence } from '@countersign/domain/evidence';
import { createEvidenceIntake, createFileEvidenceStore, type DecodingIntake } from '@countersign/evidence';
import { ensureDataDirectory } from '../config/data-directory.ts';
import type { DoctorSettings } from '../config/settings.ts';

/** Files of verifications, with an intake that says what its decoder does. */
export interface ServerEvidence extends Evidence {
  readonly intake: DecodingIntake;
}

/** Folder in the data directory for uploads that are being checked. They are encrypted. */
const SPOOL = 'uploads';

/**
 * Creates the store for files of verifications, which the core seals. Its folder is created with the first file, the data directory
 * at once.
 * @throws SettingError when the data directory cannot be created
 */
export function createEvidence({
  evidenceDir,
  dataDir,
}: Pick<DoctorSettings, 'evidenceDir' | 'dataDir'>): ServerEvidence {
  ensureDataDirectory(dataDir);
  return {
    store: createFileEvidenceStore({ directory: evidenceDir }),
    intake: createEvidenceIntake({ spoolDirectory: join(dataDir, SPOOL) }),
  };
}
