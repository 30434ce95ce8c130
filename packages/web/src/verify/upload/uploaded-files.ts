import type { EvidenceFile, Verification } from '@countersign/domain';
import type { UploadPage } from '../step-page.ts';
import { valueAt } from '../value-at.ts';
import { uploadPlace } from './places.ts';

/** What was uploaded on a page so far. */
export interface Uploaded {
  /** The file to look at and to decide on: the last upload, else the one that the answers name. */
  readonly file: EvidenceFile | null;
  /** Whether the subject sent it before a reviewer asked for it again. */
  readonly isFromBefore: boolean;
  /** Pictures of this kind that came with a warning, since a reviewer asked last. */
  readonly warnedTries: number;
}

export function uploadedOn(verification: Verification, page: UploadPage): Uploaded {
  const { step, evidence } = page;
  const since = verification.status === 'action_needed' ? verification.request.requestedAt : '';
  const files = verification.files.filter((file) => file.step === step && file.kind === evidence);
  const recent = files.filter(({ uploadedAt }) => uploadedAt >= since);
  const named = namedFile(verification, page);
  const file = recent.at(-1) ?? files.find(({ id }) => id === named) ?? null;
  return {
    file,
    isFromBefore: file !== null && !recent.includes(file),
    warnedTries: recent.filter(({ warnings }) => warnings.length > 0).length,
  };
}

/** The id of the file that the draft, or else the answers that stand, name. */
function namedFile({ type, drafts, steps }: Verification, { step, evidence }: UploadPage): unknown {
  const place = uploadPlace(type, step, evidence);
  if (place === null) return undefined;
  return valueAt(drafts[step] ?? {}, place.field) ?? valueAt(steps[step]?.answers ?? {}, place.field);
}
