import { CountersignError, invalidParameters } from '../errors.ts';
import { EVIDENCE_MAX_FILES, type EvidenceFile, type EvidenceKind } from '../evidence/evidence-file.ts';
import { placesOf } from '../fields/placed-fields.ts';
import { type StepKey, stepsOf } from './flow.ts';
import { filesEverNamed } from './named-files.ts';
import { requireOpenStep } from './open-step.ts';
import { currentStepOf, isStepCompleted } from './progress.ts';
import { requireMove } from './status.ts';
import { advanced, happened, type QuietTransition, type Transition } from './transition.ts';
import type { ActionNeededVerification, Drafts, EarlierAnswers, Verification } from './verification.ts';

/** Whether another file may come, for a step that is open. @throws as `attachFile` */
export function requireRoomFor(verification: Verification, file: { step: string; kind: EvidenceKind }): void {
  requireMove('attachFile', verification);
  const { key, step } = requireOpenStep(verification, file.step);
  if (!placesOf(step.fields).some(({ evidence }) => evidence === file.kind)) {
    const message = `${file.kind} does not belong to the step ${key}`;
    throw invalidParameters([{ path: 'kind', message, code: 'wrong_file_kind' }]);
  }
  if (verification.files.length >= EVIDENCE_MAX_FILES) {
    const message = `A verification takes at most ${EVIDENCE_MAX_FILES} files, those handed in before included`;
    throw new CountersignError('FILE_LIMIT_REACHED', message);
  }
}

/** The subject uploads a file for a step that is open. @throws `STEP_OUT_OF_TURN`, `FILE_LIMIT_REACHED`, `INVALID_PARAMETERS` */
export function attachFile(verification: Verification, file: EvidenceFile): Transition {
  requireMove('attachFile', verification);
  requireRoomFor(verification, file);
  return {
    next: { ...verification, version: verification.version + 1, files: [...verification.files, file] },
    happening: happened('verification.file_attached', { step: file.step, kind: file.kind, fileId: file.id }),
  };
}

/**
 * The subject answers a step, or answers it again. When a reviewer asked for it, the earlier answers are kept. Answers
 * that stand already change nothing, but end a draft; null where there is none.
 * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS`
 */
export function completeStep(
  verification: Verification,
  { step: name, input }: { step: string; input: unknown },
  { now, minimumAge }: { now: Date; minimumAge: number },
): Transition | QuietTransition | null {
  requireMove('completeStep', verification);
  const { key, step } = requireOpenStep(verification, name);
  const files = verification.files.filter((file) => file.step === key);
  const answers = step.accept(input, { now, minimumAge, files });
  const standing = isStepCompleted(verification, key) ? verification.steps[key] : undefined;
  if (standing !== undefined && step.isSame(answers, standing.answers)) return draftEnded(verification, key);

  const version = verification.version + 1;
  const steps = { ...verification.steps, [key]: { answers, completedAt: now.toISOString() } };
  const drafts = withoutDraft(verification.drafts, key);
  const happening = happened('verification.step_completed', { step: key });
  if (verification.status === 'pending') return { next: { ...verification, version, steps, drafts }, happening };
  return {
    next: {
      ...verification,
      version,
      steps,
      drafts,
      awaiting: verification.awaiting.filter((step) => step !== key),
      earlierAnswers: [...verification.earlierAnswers, ...replacedAnswers(verification, key, now)],
    },
    happening,
  };
}

/** The subject hands everything in. Files that no answer named, of now or of before a redo, are let go. @throws `STEPS_INCOMPLETE` */
export function submit(verification: Verification, now: Date): Transition {
  requireMove('submit', verification);
  if (currentStepOf(verification) < stepsOf(verification.type).length) {
    throw new CountersignError('STEPS_INCOMPLETE', 'Some steps are not complete yet');
  }
  const named = filesEverNamed(verification);
  const files = verification.files.filter(({ id }) => named.has(id));
  return {
    next: { ...advanced(verification), files, status: 'submitted', submittedAt: now, claim: null },
    happening: happened('verification.submitted'),
  };
}

function draftEnded(verification: Verification, step: StepKey): QuietTransition | null {
  if (verification.drafts[step] === undefined) return null;
  const drafts = withoutDraft(verification.drafts, step);
  return { next: { ...verification, version: verification.version + 1, drafts }, happening: null };
}

function withoutDraft(drafts: Drafts, step: StepKey): Drafts {
  const { [step]: _, ...others } = drafts;
  return others;
}

/** The answers that this redo replaces: those that stood when the reviewer asked, not a correction made since. */
function replacedAnswers(
  { steps, awaiting }: ActionNeededVerification,
  step: StepKey,
  now: Date,
): EarlierAnswers[] {
  const before = steps[step];
  if (before === undefined || !awaiting.includes(step)) return [];
  return [{ ...before, step, replacedAt: now.toISOString() }];
}
