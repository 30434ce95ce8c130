import { CountersignError, invalidParameters } from '../errors.ts';
import { EVIDENCE_MAX_FILES, type EvidenceFile } from '../evidence/evidence-file.ts';
import { type StepKey, stepOf, stepsOf } from './flow.ts';
import { requireMove } from './status.ts';
import type { Step } from './steps/step.ts';
import { advanced, happened, type Transition } from './transition.ts';
import {
  type ActionNeededVerification,
  currentStepOf,
  type EarlierAnswers,
  type Verification,
} from './verification.ts';

/** The subject uploads a file for a step that is open. @throws `STEP_OUT_OF_TURN`, `FILE_LIMIT_REACHED`, `INVALID_PARAMETERS` */
export function attachFile(verification: Verification, file: EvidenceFile): Transition {
  requireMove('attachFile', verification);
  const step = requireOpenStep(verification, file.step);
  if (!stepOf(verification.type, step)?.fileKinds.includes(file.kind)) {
    throw invalidParameters([{ path: 'kind', message: `${file.kind} does not belong to the step ${step}` }]);
  }
  if (verification.files.length >= EVIDENCE_MAX_FILES) {
    throw new CountersignError('FILE_LIMIT_REACHED', `A verification takes at most ${EVIDENCE_MAX_FILES} files`);
  }
  return {
    next: { ...verification, version: verification.version + 1, files: [...verification.files, file] },
    happening: happened('verification.file_attached', { step, kind: file.kind, fileId: file.id }),
  };
}

/**
 * The subject answers a step, or answers it again. When a reviewer asked for it, the earlier answers are kept.
 * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS`
 */
export function completeStep(
  verification: Verification,
  { step: name, input }: { step: string; input: unknown },
  { now, minimumAge }: { now: Date; minimumAge: number },
): Transition {
  requireMove('completeStep', verification);
  const key = requireOpenStep(verification, name);
  const files = verification.files.filter(({ step }) => step === key);
  const answers = requireStep(verification, key).accept(input, { now, minimumAge, files });

  const steps = { ...verification.steps, [key]: { answers, completedAt: now.toISOString() } };
  const happening = happened('verification.step_completed', { step: key });
  if (verification.status === 'pending') {
    return { next: { ...verification, version: verification.version + 1, steps }, happening };
  }
  return {
    next: {
      ...verification,
      version: verification.version + 1,
      steps,
      awaiting: verification.awaiting.filter((step) => step !== key),
      earlierAnswers: [...verification.earlierAnswers, ...replacedAnswers(verification, key, now)],
    },
    happening,
  };
}

/** The subject hands everything in. @throws `STEPS_INCOMPLETE` */
export function submit(verification: Verification, now: Date): Transition {
  requireMove('submit', verification);
  if (currentStepOf(verification) < stepsOf(verification.type).length) {
    throw new CountersignError('STEPS_INCOMPLETE', 'Some steps are not complete yet');
  }
  return {
    next: { ...advanced(verification), status: 'submitted', submittedAt: now },
    happening: happened('verification.submitted'),
  };
}

function requireStep(verification: Verification, name: string): Step {
  const step = stepOf(verification.type, name);
  if (step === null) throw invalidParameters([{ path: 'step', message: `not a step of ${verification.type}` }]);
  return step;
}

/** A step is open when all before it are complete and, once a reviewer asked, when it is one of those asked for. */
function requireOpenStep(verification: Verification, name: string): StepKey {
  requireStep(verification, name);
  const step = name as StepKey;
  const reachable = stepsOf(verification.type).indexOf(step) <= currentStepOf(verification);
  const asked =
    verification.status !== 'action_needed' || verification.request.items.some((item) => item.step === step);
  if (reachable && asked) return step;
  throw new CountersignError('STEP_OUT_OF_TURN', `The step ${step} is not open now`);
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
