import type { EvidenceStore } from '@countersign/domain/evidence';
import { createEvidenceFolder, createFileEvidenceStore } from '@countersign/evidence';
import type { StoredFiles } from '@countersign/evidence-format';
import type { S3Evidence } from '@countersign/evidence-s3';
import type { EvidenceSettings } from '../config/evidence-setting.ts';

/** Evidence of an installation. */
export interface OpenEvidence {
  readonly store: EvidenceStore;
  readonly files: StoredFiles;
  /** Checks a bucket. Undefined for a folder. */
  readonly probe: S3Evidence['probe'] | undefined;
  close(): void;
}

/** Opens the store for files of verifications. The SDK of S3 is loaded for a bucket only. Reads and writes nothing yet. */
export async function openEvidence(settings: EvidenceSettings): Promise<OpenEvidence> {
  if (settings.kind === 's3') {
    const { createS3Evidence } = await import('@countersign/evidence-s3');
    return createS3Evidence(settings);
  }
  const { directory } = settings;
  return {
    store: createFileEvidenceStore({ directory }),
    files: createEvidenceFolder(directory),
    probe: undefined,
    close: () => undefined,
  };
}

/** Whether an error says what is wrong with a bucket. By its name, because importing the class would load the SDK. */
export function isBucketError(error: unknown): error is Error & { readonly isTemporary: boolean } {
  return error instanceof Error && error.name === 'S3EvidenceError';
}
