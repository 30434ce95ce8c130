import type { JsonObject } from '../json.ts';
import type { WrappedDataKey } from '../sealing/data-key-repository.ts';
import type { SubjectType } from './flow.ts';
import type { SandboxOutcome } from './metadata.ts';
import { currentStepOf } from './progress.ts';
import type { Status } from './status.ts';
import type { Answers, ReviewData } from './stored-documents.ts';
import { commonOf, resolvedAtOf, type Verification } from './verification.ts';

/**
 * A verification as a storage keeps it: flat, one value a column. The first part is what storages search, sort and
 * guard by; the JSON documents after it are opaque to them. The domain alone translates (`toRecord`, `fromRecord`).
 */
export interface VerificationRecord {
  readonly clientId: string;
  readonly id: string;
  readonly type: SubjectType;
  /** The version of the type's flow that it began with; from 1. */
  readonly flowVersion: number;
  readonly subjectReference: string;
  readonly status: Status;
  readonly requestedAt: Date;
  /** Set just in the states approved and rejected. */
  readonly resolvedAt: Date | null;
  /** When the subject handed it in last; null before the first time. Stays set in every state after it. */
  readonly submittedAt: Date | null;
  /** The reviewer who works on it, set just in the state submitted, if at all; `claimedAt` is set with it. */
  readonly claimedBy: string | null;
  readonly claimedAt: Date | null;
  readonly currentStep: number;
  readonly version: number;
  readonly linkVersion: number;
  readonly linkExpiresAt: Date;
  /** Both set or both null. */
  readonly idempotencyKey: string | null;
  readonly idempotencyFingerprint: string | null;
  /** Where a sandbox still has to drive it (sandbox/); null for every other verification. */
  readonly sandboxOutcome: SandboxOutcome | null;
  /** Made by a storage that seals (@countersign/sealing); the domain writes null and lets it be. */
  readonly dataKey: WrappedDataKey | null;
  /** The client's own. */
  readonly metadata: JsonObject;
  /** Personal data: the answers that stand and the earlier ones. */
  readonly answers: JsonObject;
  /** Files, and everything of the review. */
  readonly reviewData: JsonObject;
}

/** What is to be stored of a verification. */
export function toRecord(verification: Verification): VerificationRecord {
  const { id, clientId, type, flow, subjectReference, metadata, requestedAt, version, link, idempotency } =
    commonOf(verification);
  const { steps, drafts, earlierAnswers, files, internalNotes, status, submittedAt } = verification;
  const claim = verification.status === 'submitted' ? verification.claim : null;
  const answers: Answers = {
    ...(Object.keys(steps).length > 0 && { steps }),
    ...(earlierAnswers.length > 0 && { earlier: earlierAnswers }),
    ...(Object.keys(drafts).length > 0 && { drafts }),
  };
  const reviewData: ReviewData = {
    ...(files.length > 0 && { files }),
    ...(internalNotes.length > 0 && { internalNotes }),
    ...stateOf(verification),
  };
  return {
    clientId,
    id,
    type,
    flowVersion: flow.version,
    subjectReference,
    status,
    requestedAt,
    metadata,
    version,
    resolvedAt: resolvedAtOf(verification),
    submittedAt,
    claimedBy: claim?.reviewerId ?? null,
    claimedAt: claim?.claimedAt ?? null,
    currentStep: currentStepOf(verification),
    linkVersion: link.version,
    linkExpiresAt: link.expiresAt,
    idempotencyKey: idempotency?.key ?? null,
    idempotencyFingerprint: idempotency?.fingerprint ?? null,
    sandboxOutcome: verification.sandboxOutcome,
    dataKey: null,
    answers: answers as unknown as JsonObject,
    reviewData: reviewData as unknown as JsonObject,
  };
}

function stateOf(verification: Verification): ReviewData {
  switch (verification.status) {
    case 'pending':
    case 'submitted':
      return {};
    case 'action_needed':
      return { request: verification.request, awaiting: verification.awaiting };
    case 'approved':
    case 'rejected':
      return { decision: verification.decision };
    default:
      return verification satisfies never;
  }
}
