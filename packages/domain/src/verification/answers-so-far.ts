import { mergeAnswers } from '../fields/pages.ts';
import type { JsonObject } from '../input/json.ts';
import { emptiedPages } from './emptied-pages.ts';
import { type StepKey, stepOf } from './flow.ts';
import { isStepCompleted } from './progress.ts';
import { isAskedByField } from './redo.ts';
import type { Verification } from './verification.ts';

/**
 * Returns the answers with which a step would be completed now: the current ones, overlaid with its draft.
 * @param answered slugs of the pages whose answers were just drafted
 */
export function answersSoFar(
  verification: Verification,
  key: StepKey,
  answered: readonly string[] = [],
): JsonObject {
  const step = stepOf(verification.flow, key);
  if (step === null) return {};
  const answers = verification.steps[key]?.answers;
  const draft = verification.drafts[key];
  const isCompleted = keepsAnswers(verification, key);
  return mergeAnswers(step, { answers, draft, isCompleted }, [...answered, ...emptiedPages(verification, key)]);
}

/** Whether the current answers of a step stay where no draft replaces them. */
export function keepsAnswers(verification: Verification, key: StepKey): boolean {
  return isStepCompleted(verification, key) || isAskedByField(verification, key);
}
