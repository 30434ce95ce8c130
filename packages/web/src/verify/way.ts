import {
  isStepCompleted,
  openStepsOf,
  type StepKey,
  type SubjectType,
  stepsOf,
  type Verification,
} from '@countersign/domain';
import { answersSoFar, isDrafted } from './answers.ts';
import { pagesOfFlow, pagesOfStep } from './pages/flow-pages.ts';
import type { StepPage } from './step-page.ts';

/** The last part of the address of the page that lists all answers. */
export const CHECK = 'check';

/** The path of a page of a verification; without a slug, that of the page that says how things stand. */
export function verifyPath({ id }: Pick<Verification, 'id'>, slug?: string): string {
  return slug === undefined ? `/verify/${id}` : `/verify/${id}/${slug}`;
}

/** The page of this address, or null where the flow has none. */
export function findPage(type: SubjectType, slug: string): StepPage | null {
  return pagesOfFlow(type).find((page) => page.slug === slug) ?? null;
}

/** The pages of a step that the answers so far call for. */
export function pagesNeeded(verification: Verification, step: StepKey): readonly StepPage[] {
  const answers = answersSoFar(verification, step);
  return pagesOfStep(verification.type, step).filter(({ when }) => when === undefined || when(answers));
}

/** Whether the subject may answer the step now. */
export function isOpen(verification: Verification, step: StepKey): boolean {
  return openStepsOf(verification).includes(step);
}

/** Whether there is nothing left to do in a step: completed, and not begun again. */
export function isDone(verification: Verification, step: StepKey): boolean {
  return isStepCompleted(verification, step) && verification.drafts[step] === undefined;
}

/** The steps that are left to answer before everything can be handed in. */
export function stepsLeft(verification: Verification): readonly StepKey[] {
  return stepsOf(verification.type).filter((step) => step !== 'attestation' && !isDone(verification, step));
}

/** Where the subject stopped: the page after the last one answered in the first step that is left, or the page of all answers. */
export function resumeSlug(verification: Verification): string {
  const [step] = stepsLeft(verification);
  if (step === undefined) return CHECK;
  const pages = pagesNeeded(verification, step);
  const last = pages.findLastIndex((page) => isDrafted(verification, page));
  return (pages[last + 1] ?? pages.at(-1))?.slug ?? CHECK;
}

/** The page after this one, in its step and no further; null at its end. */
export function nextInStep(verification: Verification, page: StepPage): StepPage | null {
  const pages = pagesNeeded(verification, page.step);
  return pages[pages.findIndex(({ slug }) => slug === page.slug) + 1] ?? null;
}

/** The page before this one among all that the subject may answer; undefined at the beginning. */
export function slugBefore(verification: Verification, slug: string): string | undefined {
  const pages = openStepsOf(verification).flatMap((step) => pagesNeeded(verification, step));
  const index = pages.findIndex((page) => page.slug === slug);
  return (index === -1 ? pages.at(-1) : pages[index - 1])?.slug;
}

/** The page that follows in the whole flow, for somebody who went back and goes on again. */
export function slugAfter(verification: Verification, page: StepPage): string {
  const pages = openStepsOf(verification).flatMap((step) => pagesNeeded(verification, step));
  return pages[pages.findIndex(({ slug }) => slug === page.slug) + 1]?.slug ?? CHECK;
}
