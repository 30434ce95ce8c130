import type { EvidenceFile } from '../src/evidence/evidence-file.ts';
import { ALL_ASKED } from '../src/fields/conditions.ts';
import { NO_RETENTION_FACTS } from '../src/retention/retention-facts.ts';
import {
  BUILT_IN_FLOWS,
  currentFlow,
  findFlow,
  type StepKey,
  type SubjectType,
  stepsOf,
} from '../src/verification/flow.ts';
import type { FoundVerification } from '../src/verification/retained.ts';
import { approve, askForAction, reject } from '../src/verification/reviewer-moves.ts';
import type { Status } from '../src/verification/status.ts';
import { attachFile, completeStep, submit } from '../src/verification/subject-moves.ts';
import type { PendingVerification, Verification } from '../src/verification/verification.ts';
import { FILES_NEEDED, GOOD_ANSWERS } from './answers.ts';

/** Test data: a time, and verifications in any status, made by the real transitions. */
export const NOW = new Date('2026-03-01T10:00:00.000Z');

export const CONTEXT = { now: NOW, minimumAge: 18, asks: ALL_ASKED };
export const LINK_CONTEXT = { now: NOW, linkLifetimeDays: 30, reviewerId: 'staff-1' };

export function pending(type: SubjectType = 'kyc'): PendingVerification {
  return {
    id: 'verification-1',
    clientId: 'client-1',
    type,
    flow: currentFlow(type),
    subjectReference: 'user_1',
    metadata: { tier: 'gold' },
    idempotency: null,
    sandboxOutcome: null,
    returnUrl: null,
    locale: null,
    notify: null,
    status: 'pending',
    requestedAt: NOW,
    version: 1,
    eventCount: 1,
    link: { version: 1, expiresAt: new Date('2026-03-31T10:00:00.000Z') },
    submittedAt: null,
    steps: {},
    drafts: {},
    earlierAnswers: [],
    files: [],
    internalNotes: [],
    hold: null,
    openings: [],
    stepBeforeErasure: null,
    ...NO_RETENTION_FACTS,
  };
}

/** The same verification in another version of its flow. */
export function inFlow<V extends Verification>(verification: V, version: number): V {
  const flow = findFlow(BUILT_IN_FLOWS, verification.type, version);
  if (flow === null) throw new Error(`There is no version ${version}`);
  return { ...verification, flow };
}

export function file(step: StepKey, kind: EvidenceFile['kind'], id: string = kind): EvidenceFile {
  // Each file has a content of its own.
  const hex = [...id].map((character) => character.charCodeAt(0).toString(16)).join('');
  const sha256 = hex.padEnd(64, '0').slice(0, 64);
  return {
    id,
    step,
    kind,
    contentType: 'image/jpeg',
    size: 1000,
    sha256,
    warnings: [],
    uploadedAt: NOW.toISOString(),
  };
}

/** Answers one step with valid answers, after uploading the files that they name. */
export function answered(verification: Verification, step: StepKey): Verification {
  let current = verification;
  for (const kind of FILES_NEEDED[step] ?? []) current = attachFile(current, file(step, kind)).next;
  return completing(current, step, GOOD_ANSWERS[verification.type][step]);
}

/**
 * Returns the verification after a step was completed; the same one if the answers change nothing. A redo with the files of before is
 * refused once and tried again.
 */
export function completing(verification: Verification, step: StepKey, input: unknown): Verification {
  const move = completeStep(verification, { step, input }, CONTEXT);
  if (move?.event === null && move.refusal !== undefined) return completing(move.next, step, input);
  return move?.next ?? verification;
}

export function completed(type: SubjectType = 'kyc'): Verification {
  return stepsOf(currentFlow(type)).reduce<Verification>(answered, pending(type));
}

export const submitted = (type: SubjectType = 'kyc'): Verification => submit(completed(type), NOW).next;

export function actionNeeded(steps: readonly StepKey[] = ['document'], type: SubjectType = 'kyc'): Verification {
  const items = steps.map((step) => ({ step, reasonCode: 'document_glare' }));
  return askForAction(submitted(type), { items, message: 'Once more, please' }, LINK_CONTEXT).next;
}

export function inState(status: Status, type: SubjectType = 'kyc'): Verification {
  switch (status) {
    case 'pending':
      return pending(type);
    case 'submitted':
      return submitted(type);
    case 'action_needed':
      return actionNeeded(type === 'kyc' ? ['document'] : ['ownership'], type);
    case 'approved':
      return approve(submitted(type), NOW).next;
    case 'rejected':
      return reject(submitted(type), { reasonCodes: ['data_mismatch'] }, NOW).next;
  }
}

/** A verification as a read finds it, without events. */
export function found(verification: Verification): FoundVerification {
  return { verification, events: [], data: { state: 'kept', until: null }, legalEnd: null };
}
