import type { EvidenceWarning } from '../../evidence/evidence-file.ts';
import { currentUses, isSameContent } from '../file-uses.ts';
import type { Verification } from '../verification.ts';
import type { ReviewWarning, WarningCode } from './review-warning.ts';

const CODES: Readonly<Record<EvidenceWarning, WarningCode>> = {
  blur: 'picture_blurred',
  glare: 'picture_glare',
  script: 'pdf_script',
  attachment: 'pdf_attachment',
  form: 'pdf_form',
  launch: 'pdf_launch',
  pages_left_out: 'pdf_pages_left_out',
};

/**
 * Warns of files in the current answers: pictures that are hard to read, PDFs with active content, the same content in two places, and
 * files that a redo kept.
 */
export function fileWarnings(verification: Verification): ReviewWarning[] {
  const uses = currentUses(verification);
  return uses.flatMap(({ step, path, file }) => {
    const codes: WarningCode[] = file.warnings.map((warning) => CODES[warning]);
    if (file.isUnchanged) codes.push('file_unchanged');
    const same = uses
      .filter((other) => isSameContent(other.file, file))
      .map((other): ReviewWarning => ({ code: 'same_file', step, path, detail: other.file.kind }));
    return [...codes.map((code) => ({ code, step, path })), ...same];
  });
}
