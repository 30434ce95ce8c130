import type { Page } from '../fields/pages.ts';
import { isWithin } from '../fields/paths.ts';
import type { ActionItem } from './decision.ts';
import type { StepKey } from './flow.ts';
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

/**
 * Lists the pages of a step that the subject is asked for: all, unless a reviewer asks for something else. All too if none has a field
 * that a reviewer asks for, because the client's settings no longer ask for it.
 * @param pages those that the answers and the client's settings call for
 */
export function askedPages(verification: Verification, key: StepKey, pages: readonly Page[]): readonly Page[] {
  if (verification.status !== 'action_needed') return pages;
  const items = itemsOf(verification, key);
  if (items.length === 0) return [];
  const asked = pages.filter(({ fields }) =>
    items.some(({ field }) => field === undefined || fields.some(({ path }) => isWithin(field, path))),
  );
  return asked.length === 0 ? pages : asked;
}
