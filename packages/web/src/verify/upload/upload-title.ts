import type { Verification } from '@countersign/domain';
import type { MessageKey } from '../../site/messages.ts';
import { answersSoFar } from '../answers.ts';
import type { UploadPage } from '../step-page.ts';
import { valueAt } from '../value-at.ts';

/** What a page asks for. A passport has a page with a photo, and no front. */
export function uploadTitle(verification: Verification, { evidence, step }: UploadPage): MessageKey {
  if (evidence !== 'document_front') return `capture:kind.${evidence}.title`;
  const answers = answersSoFar(verification, step);
  const type = valueAt(answers, step === 'representative' ? 'document.type' : 'type');
  return type === 'passport' ? 'capture:kind.document_front.passportTitle' : 'capture:kind.document_front.title';
}
