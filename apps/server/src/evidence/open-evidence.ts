import type { EvidenceStore } from '@countersign/domain/evidence';
import { createEvidenceFolder, createFileEvidenceStore } from '@countersign/evidence';
import type { StoredFiles } from '@countersign/evidence-format';
import type { S3Evidence, S3EvidenceOptions } from '@countersign/evidence-s3';
import type { EvidenceSettings } from '../config/evidence-setting.ts';

/** Evidence of an installation. */
export interface OpenEvidence {
  readonly store: EvidenceStore;
  readonly files: StoredFiles;
  /** Checks a bucket. Undefined for a folder. */
  readonly probe: S3Evidence['probe'] | undefined;
  close(): void;
}

/** How long calls of a bucket may take while many files are transferred at once, perhaps over a slow line. */
export const TRANSFER_DEADLINES: NonNullable<S3EvidenceOptions['deadlines']> = {
  callMs: 60_000,
  fileMs: 5 * 60_000,
};

/**
 * Opens the store for files of verifications. The SDK of S3 is loaded for a bucket only. Reads and writes nothing yet.
 * @param deadlines of a bucket's calls. Default: those for requests, whose senders wait
 */
export async function openEvidence(
  settings: EvidenceSettings,
  deadlines?: S3EvidenceOptions['deadlines'],
): Promise<OpenEvidence> {
  if (settings.kind === 's3') {
    const { createS3Evidence } = await import('@countersign/evidence-s3');
    return createS3Evidence({ ...settings, deadlines });
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
