import type { JsonObject } from '../input/json.ts';
import type { WrappedDataKey } from './data-key-repository.ts';
import { currentStepOf } from './progress.ts';
import type { Status } from './status.ts';
import type { Answers, ReviewData } from './stored-documents.ts';
import {
  type ActionNeededVerification,
  columnsOf,
  resolvedAtOf,
  type Verification,
  type VerificationColumns,
} from './verification.ts';
import type { Severity } from './warnings/review-warning.ts';

/**
 * A verification as a storage keeps it: flat, one value a column. The first part is what storages search, sort and
 * guard by; the JSON documents after it are opaque to them. The domain alone translates (`toRecord`, `fromRecord`).
 */
export interface VerificationRecord extends VerificationColumns {
  /** The version of the type's flow that it began with; from 1. */
  readonly flowVersion: number;
  readonly status: Status;
  /** Set only with the statuses `approved` and `rejected`. */
  readonly resolvedAt: Date | null;
  /** The reviewer who has claimed it; set only with the status `submitted`, together with `claimedAt`. */
  readonly claimedBy: string | null;
  readonly claimedAt: Date | null;
  readonly currentStep: number;
  readonly linkVersion: number;
  readonly linkExpiresAt: Date;
  /** Both set or both null. */
  readonly idempotencyKey: string | null;
  readonly idempotencyFingerprint: string | null;
  /** Where the subject receives mails; null without it. Set at creation: a commit leaves the stored value as it is. */
  readonly notify: JsonObject | null;
  /** Personal data: what the reviewer is warned of, kept by `noteWarnings` alone; null before. A commit leaves the stored value as it is. */
  readonly warnings: JsonObject | null;
  /** The most severe of `warnings`, to filter by; null without one. */
  readonly severity: Severity | null;
  /** Whether it waits for a decision after the subject answered again what a reviewer had asked for; set only with the status `submitted`. */
  readonly isResubmitted: boolean;
  /** Written by a storage that seals (@countersign/sealing). The domain writes null and ignores it. */
  readonly dataKey: WrappedDataKey | null;
  /** Personal data: current answers, earlier answers and drafts. */
  readonly answers: JsonObject;
  /** Files, notes, the request for action, the decision, the reason of a hold, and openings of hidden data. */
  readonly reviewData: JsonObject;
}

/** Makes the record that a storage keeps of a verification. */
export function toRecord(verification: Verification): VerificationRecord {
  const { status, flow, link, idempotency, notify, steps, drafts, earlierAnswers, files, internalNotes } =
    verification;
  const { hold, openings } = verification;
  const claim = verification.status === 'submitted' ? verification.claim : null;
  const answers: Answers = {
    ...(Object.keys(steps).length > 0 && { steps }),
    ...(earlierAnswers.length > 0 && { earlier: earlierAnswers }),
    ...(Object.keys(drafts).length > 0 && { drafts }),
  };
  const reviewData: ReviewData = {
    ...(files.length > 0 && { files }),
    ...(internalNotes.length > 0 && { internalNotes }),
    ...(hold !== null && { hold }),
    ...(openings.length > 0 && { openings }),
    ...stateOf(verification),
  };
  return {
    ...columnsOf(verification),
    flowVersion: flow.version,
    status,
    resolvedAt: resolvedAtOf(verification),
    claimedBy: claim?.reviewerId ?? null,
    claimedAt: claim?.claimedAt ?? null,
    currentStep: currentStepOf(verification),
    linkVersion: link.version,
    linkExpiresAt: link.expiresAt,
    idempotencyKey: idempotency?.key ?? null,
    idempotencyFingerprint: idempotency?.fingerprint ?? null,
    notify: notify && { email: notify.email },
    warnings: null,
    severity: null,
    isResubmitted: status === 'submitted' && earlierAnswers.length > 0,
    dataKey: null,
    answers: answers as unknown as JsonObject,
    reviewData: reviewData as unknown as JsonObject,
  };
}

function actionData(verification: ActionNeededVerification): ReviewData {
  const { request, awaiting, refusedPlaces = [], emptiedPages = [] } = verification;
  return {
    request,
    awaiting,
    ...(refusedPlaces.length > 0 && { refusedPlaces }),
    ...(emptiedPages.length > 0 && { emptiedPages }),
  };
}

function stateOf(verification: Verification): ReviewData {
  switch (verification.status) {
    case 'pending':
    case 'submitted':
      return {};
    case 'action_needed':
      return actionData(verification);
    case 'approved':
    case 'rejected':
      return verification.erasureNumber === null ? { decision: verification.decision } : {};
    default:
      return verification satisfies never;
  }
}
