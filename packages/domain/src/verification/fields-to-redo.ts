import type { FlowAsks } from '../fields/conditions.ts';
import { pagesFor } from '../fields/pages.ts';
import type { PlacedField } from '../fields/placed-fields.ts';
import { answersSoFar } from './answers-so-far.ts';
import { type StepKey, stepOf } from './flow.ts';
import type { Verification } from './verification.ts';

/**
 * Lists the fields of a step that a reviewer may ask for without the rest of the step: those that the answers and the client's settings
 * call for, without statements. None if there is only one, which is the whole step.
 */
export function fieldsToRedo(verification: Verification, key: StepKey, asks: FlowAsks): readonly PlacedField[] {
  const step = stepOf(verification.flow, key);
  if (step === null) return [];
  const fields = pagesFor(step, answersSoFar(verification, key), asks)
    .flatMap((page) => page.fields)
    .filter(({ field }) => field.by === undefined && field.kind !== 'statement');
  return fields.length > 1 ? fields : [];
}
