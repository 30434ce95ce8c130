import type { Decision } from './decision.ts';
import { type Flow, type Flows, findFlow, stepsOf } from './flow.ts';
import {
  type Answers,
  parseStoredAnswers,
  parseStoredNotify,
  parseStoredReviewData,
  type ReviewData,
} from './stored-documents.ts';
import { isUnreadable } from './unreadable.ts';
import { type Claim, columnsOf, type Verification } from './verification.ts';
import type { VerificationRecord } from './verification-record.ts';

/**
 * Makes the verification of a stored record.
 * @param flows the catalogue in which the record's flow version is looked up
 * @throws Error if the stored documents cannot be parsed or the record breaks a rule of its state; this is a fault
 */
export function fromRecord(record: VerificationRecord, flows: Flows): Verification {
  const { type, flowVersion, idempotencyKey } = record;
  const flow = findFlow(flows, type, flowVersion);
  if (flow === null) throw corrupt(record, `unknown version ${flowVersion} of the ${type} flow`);
  const answers = parsed(record, () => parseStoredAnswers(record.answers, flow));
  requireCompletedSteps(record, flow, answers);
  const reviewData = parsed(record, () => parseStoredReviewData(record.reviewData));
  const common = {
    ...columnsOf(record),
    flow,
    link: { version: record.linkVersion, expiresAt: record.linkExpiresAt },
    idempotency:
      idempotencyKey === null
        ? null
        : {
            key: idempotencyKey,
            fingerprint: present(record, 'idempotencyFingerprint', record.idempotencyFingerprint),
          },
    notify: parsed(record, () => parseStoredNotify(record.notify)),
    steps: answers.steps ?? {},
    drafts: answers.drafts ?? {},
    earlierAnswers: answers.earlier ?? [],
    files: (reviewData.files ?? []).map((file) => ({ warnings: [], ...file })),
    internalNotes: reviewData.internalNotes ?? [],
    hold: reviewData.hold ?? null,
    openings: reviewData.openings ?? [],
    stepBeforeErasure: isErased(record) ? record.currentStep : null,
  };
  switch (record.status) {
    case 'pending':
      return { ...common, status: 'pending' };
    case 'submitted':
      return {
        ...common,
        status: 'submitted',
        submittedAt: present(record, 'submittedAt', record.submittedAt),
        claim: claimOf(record),
      };
    case 'action_needed': {
      const request = present(record, 'request', reviewData.request);
      return {
        ...common,
        status: 'action_needed',
        request,
        awaiting: present(record, 'awaiting', reviewData.awaiting),
        refusedPlaces: reviewData.refusedPlaces,
        emptiedPages: reviewData.emptiedPages,
      };
    }
    case 'approved':
      return { ...common, status: 'approved', ...resolution(record, reviewData, 'approved') };
    case 'rejected':
      return { ...common, status: 'rejected', ...resolution(record, reviewData, 'rejected') };
    default:
      throw corrupt(record, `unknown status ${String(record.status satisfies never)}`);
  }
}

/** Returns the claim of a record; null without one. */
export function claimOf(record: VerificationRecord): Claim | null {
  const { claimedBy } = record;
  if (claimedBy === null) return null;
  return { reviewerId: claimedBy, claimedAt: present(record, 'claimedAt', record.claimedAt) };
}

/** Whether the data of the verification was removed: nothing of `answers` and `reviewData` is left. */
function isErased({ erasureNumber }: VerificationRecord): boolean {
  return erasureNumber !== null;
}

/**
 * Requires answers to the steps that the record's columns count as completed: to every step once it was submitted. Emptied
 * answers would otherwise look like those of a verification without any. Those of an erased verification are empty.
 */
function requireCompletedSteps(record: VerificationRecord, flow: Flow, { steps = {} }: Answers): void {
  if (isErased(record)) return;
  const keys = stepsOf(flow);
  const completed = record.submittedAt === null ? keys.slice(0, record.currentStep) : keys;
  for (const key of completed) present(record, `answers to the step ${key}`, steps[key]);
}

function resolution<O extends Decision['outcome']>(
  record: VerificationRecord,
  reviewData: ReviewData,
  outcome: O,
): { resolvedAt: Date; decision: Decision & { outcome: O } } {
  const resolvedAt = present(record, 'resolvedAt', record.resolvedAt);
  if (isErased(record)) {
    return {
      resolvedAt,
      decision: { outcome, reasonCodes: [], message: null, decidedAt: resolvedAt.toISOString() },
    };
  }
  const decision = present(record, 'decision', reviewData.decision);
  if (decision.outcome !== outcome) throw corrupt(record, `decision ${decision.outcome} in state ${outcome}`);
  return { resolvedAt, decision: { ...decision, outcome } };
}

function parsed<T>(record: VerificationRecord, parse: () => T): T {
  try {
    return parse();
  } catch (fault) {
    // A fault of unsealing names the verification itself.
    if (isUnreadable(record) || !(fault instanceof Error)) throw fault;
    throw corrupt(record, fault.message);
  }
}

function present<T>(record: VerificationRecord, field: string, value: T | null | undefined): T {
  if (value === null || value === undefined) throw corrupt(record, `no ${field} in state ${record.status}`);
  return value;
}

function corrupt({ id }: VerificationRecord, what: string): Error {
  return new Error(`The stored verification ${id} is corrupt: ${what}`);
}
