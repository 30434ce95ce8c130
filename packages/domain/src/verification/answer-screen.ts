import { CountersignError, type Issue, invalidParameters, isCountersignError } from '../errors.ts';
import { isDrafted, pageOfPath, pathsOf } from '../fields/pages.ts';
import { isJsonObject, withValuesOf } from '../fields/paths.ts';
import { strayFields } from '../fields/step-part.ts';
import { answersSoFar } from './answers-so-far.ts';
import { errorOf, type Obstacle, tryCompletingSteps } from './complete-steps.ts';
import { type StepKey, stepOf } from './flow.ts';
import type { MoveContext } from './open-step.ts';
import { isAskedByField } from './redo.ts';
import { withDraft } from './save-draft.ts';
import { endOfStep, openScreensOf, type PlannedPart, type PlannedScreen } from './screen-plan.ts';
import { screenOfPage, screensOf } from './screens.ts';
import { requireMove } from './status.ts';
import type { QuietTransition, Transition } from './transition.ts';
import type { Verification } from './verification.ts';

/** The input of a screen. */
export interface ScreenAnswers {
  /** The screen's slug. */
  readonly screen: string;
  /** Values of the fields of all parts, placed as in the answers of their steps. A field that is left out is cleared. */
  readonly input: unknown;
}

/** What an answer to a screen changes. */
export interface AnsweredScreen {
  readonly transition: readonly Transition[] | QuietTransition | null;
  readonly screenToCorrect: string | null;
}

/**
 * The subject answers a screen. Every part is checked; issues of all parts are reported together, in the screen's order. The
 * steps that end on the screen, and those that were completed before, are completed together; parts of other steps are
 * saved as drafts. When another screen of a step is missing or wrong, the parts are saved as drafts and its slug is returned as
 * `screenToCorrect`.
 *
 * When a part of several is wrong, the others are saved as drafts: the result is a quiet transition with the refusal.
 * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS`, and the errors about files of `completeSteps`; nothing is saved then
 */
export function answerScreen(
  verification: Verification,
  { screen: slug, input }: ScreenAnswers,
  context: MoveContext,
): AnsweredScreen {
  requireMove('saveDraft', verification);
  const screen = requireOpenScreen(verification, slug, context);
  const parts = screen.parts.filter(({ isAsked }) => isAsked);
  const { drafted, issues } = draftParts(verification, parts, input, context);
  if (issues.length > 0) return refused(verification, drafted, invalidParameters(issues));

  const steps = [...new Set(parts.map(({ step }) => step))];
  const ends = steps.map((step) => ({ step, end: endOfStep(drafted, { step, screen: slug }, context.asks) }));
  const before = ends.flatMap(({ end }) => end.before ?? [])[0];
  if (before !== undefined) return saved(drafted, before);
  const ending = ends.filter(({ end }) => end.ends).map(({ step }) => step);
  if (ending.length === 0) return saved(drafted);

  const answered = ending.map((step) => {
    const pages = parts.filter((part) => part.step === step).map((part) => part.slug);
    return { step, input: answersSoFar(drafted, step, pages) };
  });
  // Drafts of the steps that end here are not saved first, so that equal answers change nothing.
  const others = Object.entries(drafted.drafts).filter(([key]) => !ending.includes(key as StepKey));
  const own = Object.entries(verification.drafts).filter(([key]) => ending.includes(key as StepKey));
  const base = { ...drafted, drafts: Object.fromEntries([...others, ...own]) };
  const completed = tryCompletingSteps(base, answered, context);
  if ('obstacles' in completed) return hindered(verification, { drafted, screen, obstacles: completed.obstacles });

  const { transition } = completed;
  if (transition === null || 'length' in transition) return { transition, screenToCorrect: null };
  if (transition.refusal === undefined) return { transition, screenToCorrect: null };
  const next = { ...transition.next, drafts: drafted.drafts };
  return { transition: { ...transition, next }, screenToCorrect: null };
}

/** @throws CountersignError `INVALID_PARAMETERS` when the flow has no such screen, `STEP_OUT_OF_TURN` when it is not open */
function requireOpenScreen(verification: Verification, slug: string, { asks }: MoveContext): PlannedScreen {
  if (!screensOf(verification.flow).some((screen) => screen.slug === slug)) {
    const message = `is not a screen of ${verification.type}`;
    throw invalidParameters([{ path: 'screen', message, code: 'invalid' }]);
  }
  const open = openScreensOf(verification, asks).find((screen) => screen.slug === slug);
  if (open === undefined) throw new CountersignError('STEP_OUT_OF_TURN');
  return open;
}

/** Drafts the parts that are right, and lists the issues of the others. */
function draftParts<V extends Verification>(
  verification: V,
  parts: readonly PlannedPart[],
  input: unknown,
  context: MoveContext,
): { readonly drafted: V; readonly issues: readonly Issue[] } {
  if (!isJsonObject(input)) throw invalidParameters([{ path: '', message: 'must be an object', code: 'invalid' }]);
  const stray = strayFields(input, parts.flatMap(pathsOf));
  if (stray.length > 0) throw invalidParameters(stray);

  let drafted = verification;
  const issues: Issue[] = [];
  for (const part of parts) {
    const key = part.step;
    const step = stepOf(verification.flow, key);
    if (step === null) continue;
    const fields = pathsOf(part);
    try {
      drafted = withDraft(drafted, { key, step }, { fields, input: withValuesOf({}, input, fields) }, context);
    } catch (error) {
      if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
      issues.push(...(error.data?.issues ?? []));
    }
  }
  return { drafted, issues };
}

function saved(drafted: Verification, screenToCorrect: string | null = null): AnsweredScreen {
  return { transition: { next: { ...drafted, version: drafted.version + 1 }, event: null }, screenToCorrect };
}

/** Refuses an answer, and saves the parts of it that are right. @throws the error if no part is */
function refused(
  verification: Verification,
  drafted: Verification,
  refusal: CountersignError,
): { readonly transition: QuietTransition; readonly screenToCorrect: null } {
  if (drafted === verification) throw refusal;
  const next = { ...drafted, version: drafted.version + 1 };
  return { transition: { next, event: null, refusal }, screenToCorrect: null };
}

/** Names the first other screen that is missing or wrong, or refuses the answer. */
function hindered(
  verification: Verification,
  { drafted, screen, obstacles }: { drafted: Verification; screen: PlannedScreen; obstacles: readonly Obstacle[] },
): AnsweredScreen {
  const screens = obstacles.flatMap(({ step, paths: [path] }) =>
    path === undefined ? [] : (screenOfPath(verification, step, path) ?? []),
  );
  const other = screens.find((slug) => slug !== screen.slug);
  if (other !== undefined) return saved(withPagesToCorrect(drafted, obstacles), other);
  return refused(verification, screen.parts.length === 1 ? verification : drafted, errorOf(obstacles));
}

/**
 * Drafts the current answers of the pages that are wrong in steps that a reviewer asks for by field, so that they are asked too: a
 * document may have expired since the reviewer asked for its picture.
 */
function withPagesToCorrect(drafted: Verification, obstacles: readonly Obstacle[]): Verification {
  let current = drafted;
  for (const {
    step: key,
    paths: [path],
  } of obstacles) {
    const step = stepOf(current.flow, key);
    const page = step === null || path === undefined ? null : pageOfPath(step, path);
    if (page === null || !isAskedByField(current, key) || isDrafted(page, current.drafts[key])) continue;
    const draft = withValuesOf(current.drafts[key] ?? {}, answersSoFar(current, key), pathsOf(page));
    current = { ...current, drafts: { ...current.drafts, [key]: draft } };
  }
  return current;
}

function screenOfPath({ flow }: Verification, key: StepKey, path: string): string | null {
  const step = stepOf(flow, key);
  const page = step === null ? null : pageOfPath(step, path);
  return page === null ? null : screenOfPage(flow, { step: key, page: page.slug });
}
