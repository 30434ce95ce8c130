import { CountersignError, invalidParameters } from '../errors.ts';
import { EVIDENCE_MAX_FILES, type EvidenceFile, type EvidenceKind } from '../evidence/evidence-file.ts';
import { placesOf } from '../fields/placed-fields.ts';
import { isHeld } from '../retention/data-state.ts';
import { type AnsweredStep, completeSteps } from './complete-steps.ts';
import { requireNewContent } from './file-uses.ts';
import { stepsOf } from './flow.ts';
import { type MoveContext, requireOpenStep } from './open-step.ts';
import { currentStepOf } from './progress.ts';
import { requireMove } from './status.ts';
import { advanced, changed, event, type QuietTransition, type Transition } from './transition.ts';
import { markedUpload, refuseUnchangedUpload } from './unchanged-files.ts';
import { type Claim, filesEverNamed, usableFiles, type Verification } from './verification.ts';

/** Requires that the step is open and has room for another file. @throws as `attachFile` */
export function requireRoomFor(verification: Verification, file: { step: string; kind: EvidenceKind }): void {
  requireMove('attachFile', verification);
  const { key, step } = requireOpenStep(verification, file.step);
  if (!placesOf(step.fields).some(({ evidence }) => evidence === file.kind)) {
    const message = `${file.kind} does not belong to the step ${key}`;
    throw invalidParameters([{ path: 'kind', message, code: 'wrong_file_kind' }]);
  }
  if (usableFiles(verification).length >= EVIDENCE_MAX_FILES) {
    throw new CountersignError('FILE_LIMIT_REACHED');
  }
}

/** The subject uploads a file for an open step. @throws `STEP_OUT_OF_TURN`, `FILE_LIMIT_REACHED`, `INVALID_PARAMETERS` */
export function attachFile(verification: Verification, file: EvidenceFile): Transition {
  requireRoomFor(verification, file);
  const { step, kind, id: fileId } = file;
  const files = [...verification.files, file];
  return changed({ ...verification, files }, event('verification.file_attached', { step, kind, fileId }));
}

/**
 * The subject uploads a file whose content was compared with the files of other places and, in a redo, with the one that the
 * reviewer saw: that is refused once.
 * @throws as `attachFile`; `FILE_USED_ELSEWHERE`
 */
export function receiveFile(verification: Verification, file: EvidenceFile): Transition | QuietTransition {
  requireRoomFor(verification, file);
  const { key, step } = requireOpenStep(verification, file.step);
  const path = placesOf(step.fields).find(({ evidence }) => evidence === file.kind)?.path ?? '';
  const use = { step: key, path, file };
  requireNewContent(verification, use);
  return refuseUnchangedUpload(verification, use) ?? attachFile(verification, markedUpload(verification, use));
}

/** The subject completes one step, as in `completeSteps`. */
export function completeStep(
  verification: Verification,
  answered: AnsweredStep,
  context: MoveContext,
): Transition | QuietTransition | null {
  const completed = completeSteps(verification, [answered], context);
  return completed !== null && 'length' in completed ? (completed[0] ?? null) : completed;
}

/**
 * The subject submits everything. Files that no current or replaced answer names are removed, unless a hold keeps them. A reviewer who asked for
 * action has the claim on the new submission. @throws `STEPS_INCOMPLETE`
 */
export function submit(verification: Verification, now: Date): Transition {
  requireMove('submit', verification);
  if (currentStepOf(verification) < stepsOf(verification.flow).length) {
    throw new CountersignError('STEPS_INCOMPLETE');
  }
  return {
    next: {
      ...advanced(verification),
      files: filesAfterSubmission(verification, now),
      status: 'submitted',
      submittedAt: now,
      claim: claimOnReturn(verification, now),
    },
    event: event('verification.submitted'),
  };
}

/** Returns the files that a submission keeps. Those that only a hold keeps are marked. */
export function filesAfterSubmission(verification: Verification, now: Date): EvidenceFile[] {
  const named = filesEverNamed(verification);
  const isKept = isHeld(verification, now);
  return verification.files.flatMap((file) => {
    if (named.has(file.id)) return [file];
    return isKept ? [{ ...file, isKeptByHold: true } as const] : [];
  });
}

/** Returns the claim of the reviewer who asked for action; null for a first submission and in test mode. */
function claimOnReturn(verification: Verification, now: Date): Claim | null {
  const reviewerId = verification.status === 'action_needed' ? verification.request.requestedBy : null;
  return reviewerId === null ? null : { reviewerId, claimedAt: now };
}
