import type { EvidenceFile } from '../evidence/evidence-file.ts';
import type { JsonObject } from '../json.ts';
import { type StepKey, type SubjectType, stepsOf } from './flow.ts';
import type { VerificationLink } from './link.ts';
import type { ActionRequest, Decision, InternalNote } from './review.ts';

/** The answers of a completed step. */
export interface CompletedStep {
  readonly answers: JsonObject;
  /** ISO 8601, UTC. */
  readonly completedAt: string;
}

/** Answers that were given once and replaced when a reviewer asked for them again. */
export interface EarlierAnswers extends CompletedStep {
  readonly step: StepKey;
  /** ISO 8601, UTC. */
  readonly replacedAt: string;
}

export type CompletedSteps = { readonly [K in StepKey]?: CompletedStep };

/** The client's `Idempotency-Key` with a hash of the request it came with. */
export interface IdempotencyMark {
  readonly key: string;
  readonly fingerprint: string;
}

interface Common {
  readonly id: string;
  readonly clientId: string;
  readonly type: SubjectType;
  readonly subjectReference: string;
  readonly metadata: JsonObject;
  readonly idempotency: IdempotencyMark | null;
  readonly requestedAt: Date;
  /** 1 at creation, one more with each change: the base of compare-and-set. */
  readonly version: number;
  readonly link: VerificationLink;
  readonly steps: CompletedSteps;
  readonly earlierAnswers: readonly EarlierAnswers[];
  readonly files: readonly EvidenceFile[];
  readonly internalNotes: readonly InternalNote[];
}

export interface PendingVerification extends Common {
  readonly status: 'pending';
}

export interface SubmittedVerification extends Common {
  readonly status: 'submitted';
  readonly submittedAt: Date;
}

export interface ActionNeededVerification extends Common {
  readonly status: 'action_needed';
  readonly request: ActionRequest;
  /** Steps of the request that were not redone yet. */
  readonly awaiting: readonly StepKey[];
}

export interface ApprovedVerification extends Common {
  readonly status: 'approved';
  readonly resolvedAt: Date;
  readonly decision: Decision & { readonly outcome: 'approved' };
}

export interface RejectedVerification extends Common {
  readonly status: 'rejected';
  readonly resolvedAt: Date;
  readonly decision: Decision & { readonly outcome: 'rejected' };
}

/** A verification carries just the fields of its state: without `resolvedAt` an approved one does not type-check. */
export type Verification =
  | PendingVerification
  | SubmittedVerification
  | ActionNeededVerification
  | ApprovedVerification
  | RejectedVerification;

/** The fields that stay when a verification moves to another state. */
export function commonOf(verification: Verification): Common {
  const { id, clientId, type, subjectReference, metadata, idempotency, requestedAt } = verification;
  const { version, link, steps, earlierAnswers, files, internalNotes } = verification;
  return {
    id,
    clientId,
    type,
    subjectReference,
    metadata,
    idempotency,
    requestedAt,
    version,
    link,
    steps,
    earlierAnswers,
    files,
    internalNotes,
  };
}

/** Whether the step has an answer that still stands. */
export function isStepCompleted(verification: Verification, step: StepKey): boolean {
  if (verification.steps[step] === undefined) return false;
  return verification.status !== 'action_needed' || !verification.awaiting.includes(step);
}

/** The interface's progress indicator: how many leading steps are complete. 0 at creation. */
export function currentStepOf(verification: Verification): number {
  const steps = stepsOf(verification.type);
  const open = steps.findIndex((step) => !isStepCompleted(verification, step));
  return open === -1 ? steps.length : open;
}

/** The answers that stand, by step (interface, `submittedData`). */
export function submittedDataOf({ steps }: Verification): JsonObject {
  const data: Record<string, JsonObject> = {};
  for (const [step, completed] of Object.entries(steps)) data[step] = completed.answers;
  return data;
}

/** The moment of resolution (interface, `resolvedAt`): null while unresolved. */
export function resolvedAtOf(verification: Verification): Date | null {
  return 'resolvedAt' in verification ? verification.resolvedAt : null;
}
