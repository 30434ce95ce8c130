import { join } from 'node:path';
import type { CountersignPorts, Storage } from '@countersign/domain';
import { createEvidenceIntake, createFileEvidenceStore } from '@countersign/evidence';
import { createSealedEvidenceStore, type KeyWrapping } from '@countersign/sealing';
import { ensureDataDirectory } from '../config/data-directory.ts';
import type { DoctorSettings } from '../config/settings.ts';

/** Below the data directory: uploads wait there, encrypted, while they are judged. */
const SPOOL = 'uploads';

/**
 * Files of verifications, sealed, in the folder that the settings name. The folder is made with the first file; the
 * data directory, where uploads wait, is made now.
 * @throws SettingError where the data directory cannot be made
 */
export function createEvidence(
  { evidenceDir, dataDir }: Pick<DoctorSettings, 'evidenceDir' | 'dataDir'>,
  { dataKeys, keys }: Pick<Storage, 'dataKeys'> & { readonly keys: KeyWrapping },
): NonNullable<CountersignPorts['evidence']> {
  ensureDataDirectory(dataDir);
  const files = createFileEvidenceStore({ directory: evidenceDir });
  return {
    store: createSealedEvidenceStore(files, { keys, dataKeys }),
    intake: createEvidenceIntake({ spoolDirectory: join(dataDir, SPOOL) }),
  };
}
