import { type FlowAsks, requiredByConditions } from '../fields/conditions.ts';
import { isDrafted, type Page, pageOfPath, pathsOf } from '../fields/pages.ts';
import { isWithin, withValuesOf } from '../fields/paths.ts';
import type { JsonObject } from '../input/json.ts';
import type { ActionItem } from './decision.ts';
import { type StepKey, stepOf } from './flow.ts';
import { isStepCompleted } from './progress.ts';
import type { Verification } from './verification.ts';

/** Lists what a reviewer asks the subject to redo in a step; nothing unless the status is `action_needed`. */
export function itemsOf(verification: Verification, key: StepKey): readonly ActionItem[] {
  if (verification.status !== 'action_needed') return [];
  return verification.request.items.filter(({ step }) => step === key);
}

/** Whether a reviewer asks for fields of the step alone, so that its other answers stay. */
export function isAskedByField(verification: Verification, key: StepKey): boolean {
  const items = itemsOf(verification, key);
  return items.length > 0 && items.every(({ field }) => field !== undefined);
}

/** Returns the paths that a reviewer asks for in a step that is asked by field. */
export function askedFields(verification: Verification, key: StepKey): readonly string[] {
  return itemsOf(verification, key).flatMap(({ field }) => field ?? []);
}

/** Returns the answers with which the reviewer asked for the step again; undefined if it was not asked for. */
export function reviewedAnswers(verification: Verification, key: StepKey): JsonObject | undefined {
  if (verification.status !== 'action_needed' || itemsOf(verification, key).length === 0) return undefined;
  const { awaiting, steps, earlierAnswers } = verification;
  if (awaiting.includes(key)) return steps[key]?.answers;
  return earlierAnswers.findLast(({ step }) => step === key)?.answers;
}

/** A step with its answers so far, and what they and the client's settings call for. */
interface NeededPages {
  readonly pages: readonly Page[];
  readonly answers: JsonObject;
  readonly asks: FlowAsks;
}

/**
 * Lists the pages of a step that the subject is asked for: all, unless a reviewer asks for something else. All too if none has a field
 * that a reviewer asks for, because the client's settings no longer ask for it.
 *
 * A step that is asked by field also has the pages that were drafted (`withPagesToCorrect`), those that the new answers require, such
 * as the back of a card that replaces a passport, and, once it is completed, those whose answers have changed since the request.
 */
export function askedPages(
  verification: Verification,
  key: StepKey,
  { pages, answers, asks }: NeededPages,
): readonly Page[] {
  if (verification.status !== 'action_needed') return pages;
  const items = itemsOf(verification, key);
  if (items.length === 0) return [];
  const named = pages.filter(({ fields }) =>
    items.some(({ field }) => field === undefined || fields.some(({ path }) => isWithin(field, path))),
  );
  if (named.length === 0) return pages;
  const step = stepOf(verification.flow, key);
  if (step === null) return named;
  const missing = requiredByConditions(step.fields, answers, asks).map(({ path }) => pageOfPath(step, path)?.slug);
  const draft = verification.drafts[key];
  const reviewed = reviewedAnswers(verification, key) ?? {};
  const isChanged = (page: Page) => {
    const [before, now] = [reviewed, answers].map((all) => withValuesOf({}, all, pathsOf(page)));
    return isStepCompleted(verification, key) && !step.isSame(now ?? {}, before ?? {});
  };
  return pages.filter(
    (page) => named.includes(page) || missing.includes(page.slug) || isDrafted(page, draft) || isChanged(page),
  );
}
