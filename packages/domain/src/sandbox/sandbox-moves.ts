import type { EvidenceFile, EvidenceKind } from '../evidence/evidence-file.ts';
import { sampleFilesOf, sampleOf } from '../fields/sample.ts';
import type { Step } from '../fields/step.ts';
import type { EventDraft } from '../verification/events.ts';
import type { StepKey, SubjectType } from '../verification/flow.ts';
import type { SandboxOutcome } from '../verification/metadata.ts';
import type { MoveContext } from '../verification/open-step.ts';
import { isStepCompleted } from '../verification/progress.ts';
import { approve, askForAction, reject } from '../verification/reviewer-moves.ts';
import { attachFile, completeStep, filesAfterSubmission, submit } from '../verification/subject-moves.ts';
import type { Transition } from '../verification/transition.ts';
import type { PendingVerification, SubmittedVerification, Verification } from '../verification/verification.ts';

/** A file that test mode uploads. */
interface SampleFile {
  readonly step: StepKey;
  readonly kind: EvidenceKind;
}

/** Lists the files that the sample answers name, for the steps that are not completed yet. */
export function sampleFilesFor(verification: PendingVerification, context: MoveContext): readonly SampleFile[] {
  return openSteps(verification).flatMap(([key, step]) =>
    sampleFilesOf(step, context).map((kind) => ({ step: key, kind })),
  );
}

/**
 * Makes every move of a subject up to the submission. Answers that a person gave before stay; files that no answer names
 * are removed first, so that the sample files have room. Those that a hold keeps need none.
 */
export function movesToSubmission(
  verification: PendingVerification,
  files: readonly EvidenceFile[],
  context: MoveContext,
): readonly Transition[] {
  const { now } = context;
  let current: Verification = { ...verification, files: filesAfterSubmission(verification, now) };
  const made: Transition[] = [];
  const make = (next: Verification, event: EventDraft): void => {
    current = next;
    made.push({ next, event });
  };

  for (const [key, step] of openSteps(verification)) {
    const samples = files.filter((file) => file.step === key);
    for (const file of samples) {
      const { next, event } = attachFile(current, file);
      make(next, event);
    }
    const fileIds = new Map(samples.map(({ kind, id }) => [kind, id]));
    const input = sampleOf(step, { ...context, fileIdOf: (kind) => fileIds.get(kind) ?? '' });
    const completed = completeStep(current, { step: key, input }, context);
    if (completed?.event) make(completed.next, completed.event);
  }
  const { next, event } = submit(current, now);
  make(next, event);
  return made;
}

/** Makes the reviewer's decision. */
export function moveToOutcome(
  verification: SubmittedVerification,
  outcome: SandboxOutcome,
  context: { readonly now: Date; readonly linkLifetimeDays: number },
): Transition {
  switch (outcome) {
    case 'approved':
      return approve(verification, context.now);
    case 'rejected':
      return reject(verification, { reasonCodes: [REASON], message: MESSAGE }, context.now);
    case 'action_needed': {
      const items = [{ step: ASKED_FOR[verification.type], reasonCode: REASON }];
      return askForAction(verification, { items, message: MESSAGE }, { ...context, reviewerId: null });
    }
    default:
      return outcome satisfies never;
  }
}

const REASON = 'document_unreadable';
const MESSAGE = 'Decided by the sandbox';
const ASKED_FOR: Readonly<Record<SubjectType, StepKey>> = { kyc: 'document', kyb: 'documents' };

function openSteps(verification: Verification): (readonly [StepKey, Step])[] {
  const steps = Object.entries(verification.flow.steps) as [StepKey, Step][];
  return steps.filter(([key]) => !isStepCompleted(verification, key));
}
