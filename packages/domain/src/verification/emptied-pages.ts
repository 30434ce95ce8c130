import { isDrafted, type Page, pageOfPath } from '../fields/pages.ts';
import type { StepKey } from './flow.ts';
import type { OpenStep } from './open-step.ts';
import type { Verification } from './verification.ts';

/*
 * A draft cannot say that a page was left empty. In a redo it must be known: otherwise the answer that the reviewer saw would stay,
 * such as a file that the subject chose to leave out.
 */

/** Lists the slugs of the pages of a step that the subject left empty in a redo. */
export function emptiedPages(verification: Verification, key: StepKey): readonly string[] {
  const all = verification.status === 'action_needed' ? (verification.emptiedPages ?? []) : [];
  return all.filter(({ step }) => step === key).map(({ page }) => page);
}

/** Whether a page of an open step has a draft, or was left empty in a redo. */
export function isPageAnswered(verification: Verification, key: StepKey, page: Page): boolean {
  return isDrafted(page, verification.drafts[key]) || emptiedPages(verification, key).includes(page.slug);
}

/**
 * Remembers in a redo which of the pages that were answered now were left empty.
 * @param fields paths of the fields that were answered now, drafted already
 */
export function rememberEmptied<V extends Verification>(
  verification: V,
  { key, step }: OpenStep,
  fields: readonly string[],
): V {
  if (verification.status !== 'action_needed' || !verification.awaiting.includes(key)) return verification;
  const answered = step.pages.filter((page) => fields.some((field) => pageOfPath(step, field) === page));
  const emptied = answered.filter((page) => page.optional && !isDrafted(page, verification.drafts[key]));
  const slugs = new Set(answered.map(({ slug }) => slug));
  const before = emptiedPages(verification, key).filter((slug) => !slugs.has(slug));
  return withEmptied(verification, key, [...before, ...emptied.map(({ slug }) => slug)]);
}

/** Returns the verification without the draft of a step, and without what it remembers of the step's pages. */
export function withoutDraft<V extends Verification>(verification: V, key: StepKey): V {
  const current = withEmptied(verification, key, []);
  if (current.drafts[key] === undefined) return current;
  const { [key]: _, ...others } = current.drafts;
  return { ...current, drafts: others };
}

function withEmptied<V extends Verification>(verification: V, key: StepKey, slugs: readonly string[]): V {
  if (verification.status !== 'action_needed') return verification;
  const { emptiedPages: all = [], ...rest } = verification;
  const next = [...all.filter(({ step }) => step !== key), ...slugs.map((page) => ({ step: key, page }))];
  if (next.length + all.length === 0) return verification;
  return { ...rest, ...(next.length > 0 && { emptiedPages: next }) } as V;
}
