import type { StepPart } from '../fields/step-part.ts';
import { rememberEmptied } from './emptied-pages.ts';
import { requireOneUse } from './file-uses.ts';
import { type MoveContext, type OpenStep, requireOpenStep } from './open-step.ts';
import { requireMove } from './status.ts';
import { type QuietTransition, quietly } from './transition.ts';
import { usableFiles, type Verification } from './verification.ts';

/** Part of the answers to a step, saved before the step is completed. */
export interface DraftPart extends StepPart {
  readonly step: string;
}

/**
 * The subject answers part of an open step. Only issues within that part are reported. A draft is not an answer of the
 * step: no event is written before the step is completed.
 * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS`, `FILE_USED_ELSEWHERE`
 */
export function saveDraft(
  verification: Verification,
  { step: name, fields, input }: DraftPart,
  context: MoveContext,
): QuietTransition {
  requireMove('saveDraft', verification);
  const open = requireOpenStep(verification, name);
  return quietly(withDraft(verification, open, { fields, input }, context));
}

/**
 * Returns the verification with a part of the answers to a step in its draft.
 * @throws CountersignError `INVALID_PARAMETERS`, `FILE_USED_ELSEWHERE`
 */
export function withDraft<V extends Verification>(
  verification: V,
  { key, step }: OpenStep,
  { fields, input }: StepPart,
  context: MoveContext,
): V {
  const files = usableFiles(verification).filter((file) => file.step === key);
  const draft = step.acceptPart(verification.drafts[key] ?? {}, { fields, input }, { ...context, files });
  requireOneUse(verification, { step: key, answers: draft, within: fields });
  const drafted = { ...verification, drafts: { ...verification.drafts, [key]: draft } };
  return rememberEmptied(drafted, { key, step }, fields);
}
