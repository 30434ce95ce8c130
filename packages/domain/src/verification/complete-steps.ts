import { CountersignError, type Issue, invalidParameters, isCountersignError } from '../errors.ts';
import { fieldAt } from '../fields/placed-fields.ts';
import type { JsonObject } from '../input/json.ts';
import { withoutDraft } from './emptied-pages.ts';
import { requireOneUse, secondUse } from './file-uses.ts';
import type { StepKey } from './flow.ts';
import { type MoveContext, type OpenStep, requireOpenStep } from './open-step.ts';
import { isStepCompleted } from './progress.ts';
import { askedFields, isAskedByField } from './redo.ts';
import { uploadsCheckOf } from './replaced-uploads.ts';
import { requireMove } from './status.ts';
import { event, type QuietTransition, type Transition } from './transition.ts';
import { markKeptFiles, refuseUnchangedRedo } from './unchanged-files.ts';
import {
  type ActionNeededVerification,
  type EarlierAnswers,
  usableFiles,
  type Verification,
} from './verification.ts';

/** The whole answers to a step. */
export interface AnsweredStep {
  readonly step: string;
  readonly input: unknown;
}

/** The reason why a step cannot be completed with its answers. */
export interface Obstacle {
  readonly step: StepKey;
  /** The answers because of which it cannot; empty if the error is about none. */
  readonly paths: readonly string[];
  readonly error: CountersignError;
}

/** A step whose answers are accepted. */
interface AcceptedStep {
  readonly key: StepKey;
  readonly answers: JsonObject;
  /** The answers that these replace, unless a reviewer asked for the step. */
  readonly current: { readonly version: number } | undefined;
  readonly isSame: boolean;
}

/** The result of completing steps. */
type CompletedSteps = readonly Transition[] | QuietTransition | null;

/**
 * The subject completes steps, or completes them again before submitting, which replaces the earlier events. When a reviewer asked
 * for a step, its earlier answers and event are kept. All steps are checked before the first one is completed.
 *
 * Each step that is completed is a transition of its own, in the given order, each with its own version: all of them are one
 * commit. Equal answers change nothing but end the draft; the result is null when there is none. A redo that keeps the files that the
 * reviewer asked to replace is refused once with `FILE_UNCHANGED`.
 * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS` with the issues of all steps in their order, `FILE_USED_ELSEWHERE`
 */
export function completeSteps(
  verification: Verification,
  answered: readonly AnsweredStep[],
  context: MoveContext,
): CompletedSteps {
  const completed = tryCompletingSteps(verification, answered, context);
  if ('obstacles' in completed) throw errorOf(completed.obstacles);
  return completed.transition;
}

/**
 * Completes steps as `completeSteps` does, or finds out why they cannot be completed: the first reason for each.
 * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS` for a step that the flow lacks
 */
export function tryCompletingSteps(
  verification: Verification,
  answered: readonly AnsweredStep[],
  context: MoveContext,
): { readonly transition: CompletedSteps } | { readonly obstacles: readonly Obstacle[] } {
  requireMove('completeStep', verification);
  const open = requireOpenSteps(verification, answered);
  const checked = open.map(({ key, step }, index) =>
    checkStep(verification, { key, step, input: answered[index]?.input }, context),
  );
  const obstacles = checked.flatMap((one) => ('error' in one ? [one] : []));
  if (obstacles.length > 0) return { obstacles };
  const accepted = checked.flatMap((one) => ('error' in one ? [] : [one]));
  for (const { key, answers, isSame } of accepted) {
    const refused = isSame ? null : refuseUnchangedRedo(verification, key, answers);
    if (refused !== null) return { transition: refused };
  }

  let current: Exclude<Verification, { readonly status: 'submitted' | 'approved' | 'rejected' }> = verification;
  const made: Transition[] = [];
  for (const step of accepted) {
    current = step.isSame ? withoutDraft(current, step.key) : completed(current, step, context.now);
    if (step.isSame) continue;
    const data = { step: step.key };
    made.push({
      next: current,
      event: event('verification.step_completed', data),
      supersededVersion: step.current?.version,
    });
  }
  const last = made.pop();
  if (last !== undefined) return { transition: [...made, { ...last, next: current }] };
  if (current === verification) return { transition: null };
  return { transition: { next: { ...current, version: current.version + 1 }, event: null } };
}

/** Returns one error for all of them: their issues in the given order, or the first error about files. */
export function errorOf(obstacles: readonly Obstacle[]): CountersignError {
  const other = obstacles.find(({ error }) => !isCountersignError(error, 'INVALID_PARAMETERS'));
  return other?.error ?? invalidParameters(obstacles.flatMap(({ error }) => issuesOf(error)));
}

function issuesOf(error: CountersignError): readonly Issue[] {
  return isCountersignError(error, 'INVALID_PARAMETERS') ? (error.data?.issues ?? []) : [];
}

function checkStep(
  verification: Verification,
  { key, step, input }: OpenStep & { readonly input: unknown },
  context: MoveContext,
): AcceptedStep | Obstacle {
  const files = usableFiles(verification).filter((file) => file.step === key);
  const current = isStepCompleted(verification, key) ? verification.steps[key] : undefined;
  let answers: JsonObject | undefined;
  try {
    const stamped = isConfirmedAgain(verification, { key, step }) ? undefined : verification.steps[key]?.answers;
    answers = step.accept(input, { ...context, files, stamped });
    const isSame = current !== undefined && step.isSame(answers, current.answers);
    requireOneUse(verification, { step: key, answers });
    return { key, answers, current, isSame };
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    const use = answers === undefined ? null : secondUse(verification, { step: key, answers });
    const paths = use === null ? issuesOf(error).map(({ path }) => path) : [use.use.path];
    return { step: key, paths, error };
  }
}

/** Whether the answers confirm the statements of a step: always, unless a reviewer asks for other fields of it. */
function isConfirmedAgain(verification: Verification, { key, step }: OpenStep): boolean {
  if (!isAskedByField(verification, key)) return true;
  return askedFields(verification, key).some((path) => fieldAt(step.fields, path)?.kind === 'statement');
}

/** Requires that each step is open, once those before it in the list are completed. */
function requireOpenSteps(verification: Verification, answered: readonly AnsweredStep[]): readonly OpenStep[] {
  let assumed = verification;
  return answered.map(({ step: name }) => {
    const open = requireOpenStep(assumed, name);
    assumed = assumeCompleted(assumed, open.key);
    return open;
  });
}

function assumeCompleted(verification: Verification, key: StepKey): Verification {
  const steps = { [key]: { answers: {}, completedAt: '', version: 0 }, ...verification.steps };
  if (verification.status !== 'action_needed') return { ...verification, steps };
  return { ...verification, steps, awaiting: verification.awaiting.filter((awaited) => awaited !== key) };
}

function completed<V extends Verification>(verification: V, { key, answers }: AcceptedStep, now: Date): V {
  const version = verification.version + 1;
  const steps = { ...verification.steps, [key]: { answers, completedAt: now.toISOString(), version } };
  const next = { ...withoutDraft(verification, key), version, steps };
  if (verification.status !== 'action_needed') return next;
  const earlierAnswers = [...verification.earlierAnswers, ...replacedAnswers(verification, key, now)];
  const awaiting = verification.awaiting.filter((awaited) => awaited !== key);
  const redone = { ...next, awaiting, earlierAnswers, files: markKeptFiles(verification, key, answers) };
  return { ...redone, uploadsCheckAt: uploadsCheckOf(redone, now) };
}

/** Returns the answers that a redo replaces: those the reviewer saw, not a correction made since. */
function replacedAnswers(
  { steps, awaiting }: ActionNeededVerification,
  step: StepKey,
  now: Date,
): EarlierAnswers[] {
  const before = steps[step];
  if (before === undefined || !awaiting.includes(step)) return [];
  return [{ ...before, step, replacedAt: now.toISOString() }];
}
