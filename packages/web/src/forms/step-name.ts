import type { SubjectType } from '@countersign/domain';
import type { StepKey } from '@countersign/domain/flows';
import { findText, type Translate } from '../site/messages.ts';

/** Names a step to the subject. The text of a type of subject comes first: a business's consent has contact details too. */
export function stepName(t: Translate, step: StepKey, type: SubjectType): string {
  return findText(t, [`verify:steps.${step}_${type}`]) ?? t(`verify:steps.${step}`);
}
