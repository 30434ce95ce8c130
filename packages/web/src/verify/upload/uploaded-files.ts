import { type EvidenceFile, type Verification, valueAt } from '@countersign/domain';
import type { UploadPage } from '../navigation.ts';

/** Uploads of a page. */
export interface Uploaded {
  /** The file to show: the last upload, or else the one that the answers name. */
  readonly file: EvidenceFile | null;
  /** Whether the subject sent it before a reviewer asked for it again. */
  readonly isFromBefore: boolean;
  /** Pictures with a warning since a reviewer last asked. */
  readonly warnedTries: number;
}

/** Finds what was uploaded on a page. */
export function uploadedOn(verification: Verification, { step, upload }: UploadPage): Uploaded {
  const { drafts, steps } = verification;
  const since = verification.status === 'action_needed' ? verification.request.requestedAt : '';
  const files = verification.files.filter((file) => file.step === step && file.kind === upload.evidence);
  const recent = files.filter(({ uploadedAt }) => uploadedAt >= since);
  const named = valueAt(drafts[step], upload.path) ?? valueAt(steps[step]?.answers, upload.path);
  const file = recent.at(-1) ?? files.find(({ id }) => id === named) ?? null;
  return {
    file,
    isFromBefore: file !== null && !recent.includes(file),
    warnedTries: recent.filter(({ warnings }) => warnings.length > 0).length,
  };
}
