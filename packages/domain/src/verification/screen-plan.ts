import type { FlowAsks } from '../fields/conditions.ts';
import { type Page, pagesFor } from '../fields/pages.ts';
import { isWithin, valueAt } from '../fields/paths.ts';
import type { PlacedField } from '../fields/placed-fields.ts';
import { answersSoFar } from './answers-so-far.ts';
import { isPageAnswered } from './emptied-pages.ts';
import { type StepKey, stepOf, stepsOf } from './flow.ts';
import { isStepCompleted } from './progress.ts';
import { askedFields, askedPages, isAskedByField } from './redo.ts';
import { screensOf } from './screens.ts';
import type { Verification } from './verification.ts';

/** A page of a step, as it stands on a screen. Its fields are those that the client's settings ask for. */
export interface PlannedPart extends Page {
  readonly step: StepKey;
  /** Whether the subject is asked for it: always, unless a reviewer asks for something else. Otherwise it is read-only. */
  readonly isAsked: boolean;
}

/** A screen that the answers so far and the client's settings call for. */
export interface PlannedScreen {
  readonly slug: string;
  /** At least one. */
  readonly parts: readonly PlannedPart[];
}

/** Lists the screens that the answers so far and the client's settings call for, in their order. */
export function plannedScreens(verification: Verification, asks: FlowAsks): readonly PlannedScreen[] {
  const { flow } = verification;
  const needed = new Map(
    stepsOf(flow).map((key) => {
      const step = stepOf(flow, key);
      const answers = answersSoFar(verification, key);
      return [key, { pages: step === null ? [] : pagesFor(step, answers, asks), answers, asks }] as const;
    }),
  );
  const asked = new Set([...needed].flatMap(([key, pages]) => askedPages(verification, key, pages)));
  return screensOf(flow).flatMap(({ slug, parts }) => {
    const planned = parts.flatMap(({ step, page: name }): PlannedPart[] => {
      const page = needed.get(step)?.pages.find((candidate) => candidate.slug === name);
      if (page === undefined) return [];
      const fields = page.fields.filter((placed) => !isKnown(verification, step, placed));
      return [{ ...page, fields, step, isAsked: asked.has(page) }];
    });
    return planned.length === 0 ? [] : [{ slug, parts: planned }];
  });
}

/** Whether the client passed the value of a field when it created the verification, so that the subject is not asked for it. */
function isKnown(verification: Verification, key: StepKey, { path, field }: PlacedField): boolean {
  if (field.knownFrom !== 'notify.email' || verification.notify === null) return false;
  const isAnswered = valueAt(answersSoFar(verification, key), path) !== undefined;
  return !isAnswered && !askedFields(verification, key).some((asked) => isWithin(asked, path));
}

/**
 * Lists the screens that the subject has to answer, in their order; after a request for action, those of what a reviewer asks
 * for.
 */
export function askedScreens(verification: Verification, asks: FlowAsks): readonly PlannedScreen[] {
  return plannedScreens(verification, asks).filter(({ parts }) => parts.some(({ isAsked }) => isAsked));
}

/**
 * Lists the screens that the subject may answer now: those of what is asked, up to the first one whose step is not completed. A
 * screen with parts of several steps is open when those before its last one are completed or end on it. None while the
 * verification is submitted or decided.
 */
export function openScreensOf(verification: Verification, asks: FlowAsks): readonly PlannedScreen[] {
  if (verification.status !== 'pending' && verification.status !== 'action_needed') return [];
  const asked = askedScreens(verification, asks);
  const steps = stepsOf(verification.flow);
  return asked.filter((screen) => {
    const last = Math.max(...screen.parts.filter(({ isAsked }) => isAsked).map(({ step }) => steps.indexOf(step)));
    return steps
      .slice(0, last)
      .every((step) => isStepCompleted(verification, step) || lastScreenOf(asked, step) === screen);
  });
}

/** Returns the last of the screens that asks for a page of a step. */
function lastScreenOf(asked: readonly PlannedScreen[], key: StepKey): PlannedScreen | undefined {
  return asked.findLast(({ parts }) => parts.some(({ step, isAsked }) => step === key && isAsked));
}

/** Whether an answer to a screen completes a step, or which screen is still to answer before. */
export type StepEnd =
  | { readonly ends: boolean; readonly before?: undefined }
  | { readonly ends: false; readonly before: string };

/**
 * Finds out whether the answer to a screen completes a step. The last screen of a step does, and any screen of a step that was
 * completed before. A step that is asked by field is completed when every asked page was answered or left empty.
 * @param verification with the answer as a draft
 */
export function endOfStep(
  verification: Verification,
  { step: key, screen }: { readonly step: StepKey; readonly screen: string },
  asks: FlowAsks,
): StepEnd {
  if (isStepCompleted(verification, key)) return { ends: true };
  const asked = askedScreens(verification, asks);
  const isLast = lastScreenOf(asked, key)?.slug === screen;
  if (!isAskedByField(verification, key)) return { ends: isLast };
  const left = asked.find(
    ({ slug, parts }) =>
      slug !== screen &&
      parts.some((part) => part.step === key && part.isAsked && !isPageAnswered(verification, key, part)),
  );
  if (left === undefined) return { ends: true };
  return isLast ? { ends: false, before: left.slug } : { ends: false };
}
