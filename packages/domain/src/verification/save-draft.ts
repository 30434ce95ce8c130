import type { StepPart } from '../fields/step-part.ts';
import { requireOpenStep } from './open-step.ts';
import { requireMove } from './status.ts';
import type { QuietTransition } from './transition.ts';
import type { Verification } from './verification.ts';

/** A part of the answers to a step, given before the step is completed. */
export interface DraftPart extends StepPart {
  readonly step: string;
}

/**
 * The subject answers a part of an open step. Only what lies within that part is checked; it is no answer of the step,
 * and no event, before the step is completed.
 * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS`
 */
export function saveDraft(
  verification: Verification,
  { step: name, fields, input }: DraftPart,
  { now, minimumAge }: { now: Date; minimumAge: number },
): QuietTransition {
  requireMove('saveDraft', verification);
  const { key, step } = requireOpenStep(verification, name);
  const files = verification.files.filter((file) => file.step === key);
  const draft = step.acceptPart(verification.drafts[key] ?? {}, { fields, input }, { now, minimumAge, files });
  const drafts = { ...verification.drafts, [key]: draft };
  return { next: { ...verification, version: verification.version + 1, drafts }, happening: null };
}
