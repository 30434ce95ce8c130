import type { EvidenceFile, EvidenceKind } from '../evidence/evidence-file.ts';
import type { Happening } from '../verification/events.ts';
import { type StepKey, type SubjectType, stepsOf } from '../verification/flow.ts';
import { namedFiles } from '../verification/named-files.ts';
import { isStepCompleted } from '../verification/progress.ts';
import { approve, askForAction, reject } from '../verification/reviewer-moves.ts';
import { attachFile, completeStep, submit } from '../verification/subject-moves.ts';
import type { Transition } from '../verification/transition.ts';
import type { PendingVerification, SubmittedVerification, Verification } from '../verification/verification.ts';
import { SAMPLE_FILES, sampleAnswers } from './sample-answers.ts';
import type { SandboxOutcome } from './sandbox-outcome.ts';

/** A file that the sandbox has to hand in. */
export interface SampleFile {
  readonly step: StepKey;
  readonly kind: EvidenceKind;
}

/** Files that made-up answers need, for the steps that are not complete yet. */
export function sampleFilesFor(verification: PendingVerification): readonly SampleFile[] {
  return openSteps(verification).flatMap((step) => (SAMPLE_FILES[step] ?? []).map((kind) => ({ step, kind })));
}

/**
 * Everything that a subject would do until it is handed in, in their order. What a person answered before stays; files
 * that no answer names are let go first, so that there is room for the samples.
 */
export function handIn(
  verification: PendingVerification,
  files: readonly EvidenceFile[],
  { now, minimumAge }: { readonly now: Date; readonly minimumAge: number },
): readonly Transition[] {
  const named = namedFiles(verification);
  let current: Verification = { ...verification, files: verification.files.filter(({ id }) => named.has(id)) };
  const made: Transition[] = [];
  const make = (next: Verification, happening: Happening): void => {
    current = next;
    made.push({ next, happening });
  };

  for (const step of openSteps(verification)) {
    const samples = files.filter((file) => file.step === step);
    for (const file of samples) {
      const { next, happening } = attachFile(current, file);
      make(next, happening);
    }
    const fileIds = Object.fromEntries(samples.map(({ kind, id }) => [kind, id]));
    const input = sampleAnswers(verification.type, step, { now, minimumAge, fileIds });
    const completed = completeStep(current, { step, input }, { now, minimumAge });
    if (completed?.happening) make(completed.next, completed.happening);
  }
  const { next, happening } = submit(current, now);
  make(next, happening);
  return made;
}

/** What a reviewer would decide. */
export function reach(
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
      return askForAction(verification, { items, message: MESSAGE }, context);
    }
    default:
      return outcome satisfies never;
  }
}

const REASON = 'document_unreadable';
const MESSAGE = 'Decided by the sandbox';
const ASKED_FOR: Readonly<Record<SubjectType, StepKey>> = { kyc: 'document', kyb: 'documents' };

function openSteps(verification: Verification): readonly StepKey[] {
  return stepsOf(verification.type).filter((step) => !isStepCompleted(verification, step));
}
