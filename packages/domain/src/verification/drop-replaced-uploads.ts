import type { ReplacedUploadsPlan } from './replaced-uploads.ts';
import { requireMove } from './status.ts';
import { type QuietTransition, quietly } from './transition.ts';
import type { Verification } from './verification.ts';

/**
 * Deletes replaced uploads. Their answers stay, encrypted with the verification, until its erasure.
 * @throws CountersignError `ILLEGAL_TRANSITION` once the erasure has begun
 */
export function dropReplacedUploads(
  verification: Verification,
  { due, checkAt }: ReplacedUploadsPlan,
): QuietTransition {
  requireMove('dropReplacedUploads', verification);
  const files = verification.files.filter(({ id }) => !due.includes(id));
  return quietly({ ...verification, files, uploadsCheckAt: checkAt });
}
