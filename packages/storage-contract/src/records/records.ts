import type { Status, SubjectType } from '@countersign/domain';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import { NO_RETENTION_FACTS } from '@countersign/domain/retention';
import type { VerificationRecord } from '@countersign/domain/storage';
import { clientId, daysAfter, minute, verificationId } from './ids.ts';

/** The states that lead to each state, by legal moves. */
export const WAY_TO: Readonly<Record<Status, readonly Status[]>> = {
  pending: ['pending'],
  submitted: ['pending', 'submitted'],
  action_needed: ['pending', 'submitted', 'action_needed'],
  approved: ['pending', 'submitted', 'approved'],
  rejected: ['pending', 'submitted', 'rejected'],
};

/** A record of the first client, requested in minute `n`, after the shortest path to its state. */
export function aRecord(n: number, given: Partial<VerificationRecord> = {}): VerificationRecord {
  const { status = 'pending', type = 'kyc', requestedAt = minute(n) } = given;
  return {
    clientId: clientId(1),
    id: verificationId(n),
    type,
    // Not 1, so that a storage cannot pass by a default.
    flowVersion: 2,
    subjectReference: `subject_${n}`,
    requestedAt,
    version: WAY_TO[status].length,
    eventCount: WAY_TO[status].length,
    linkExpiresAt: daysAfter(requestedAt, 30),
    idempotencyKey: null,
    idempotencyFingerprint: null,
    sandboxOutcome: null,
    returnUrl: null,
    locale: null,
    notify: null,
    warnings: null,
    severity: null,
    isResubmitted: false,
    ...NO_RETENTION_FACTS,
    dataKey: null,
    metadata: {},
    ...inState(status, type, requestedAt),
    ...given,
  };
}

/** The fields of a verification that was created with an `Idempotency-Key`. */
export const keyedBy = (idempotencyKey: string): { idempotencyKey: string; idempotencyFingerprint: string } => ({
  idempotencyKey,
  idempotencyFingerprint: '1'.repeat(64),
});

/** The record after a change to a state: one version up. */
export function moved(
  record: VerificationRecord,
  status: Status,
  given: Partial<VerificationRecord> = {},
): VerificationRecord {
  const { submittedAt } = record;
  const state = inState(status, record.type, record.requestedAt);
  return {
    ...record,
    ...state,
    // Only a submission changes it.
    ...(status !== 'submitted' && { submittedAt }),
    version: record.version + 1,
    eventCount: record.eventCount + 1,
    ...given,
  };
}

type StateFields = Pick<
  VerificationRecord,
  | 'status'
  | 'resolvedAt'
  | 'submittedAt'
  | 'claimedBy'
  | 'claimedAt'
  | 'currentStep'
  | 'linkVersion'
  | 'answers'
  | 'reviewData'
>;

const UNCLAIMED = { claimedBy: null, claimedAt: null } as const;

/** The fields that depend on the state, with answers and reviewData as the domain writes them. */
export function inState(status: Status, type: SubjectType, requestedAt: Date): StateFields {
  const resolvedAt = daysAfter(requestedAt, 1);
  const completed = {
    currentStep: stepsOf(currentFlow(type)).length,
    answers: { steps: { attestation: { answers: { accepted: true }, completedAt: requestedAt.toISOString() } } },
    linkVersion: 1,
    submittedAt: requestedAt,
    ...UNCLAIMED,
  };
  switch (status) {
    case 'pending':
      return {
        status,
        resolvedAt: null,
        submittedAt: null,
        ...UNCLAIMED,
        currentStep: 0,
        linkVersion: 1,
        answers: {},
        reviewData: {},
      };
    case 'submitted':
      return { ...completed, status, resolvedAt: null, reviewData: { submittedAt: requestedAt.toISOString() } };
    case 'action_needed': {
      const items = [{ step: 'attestation', reasonCode: 'other', note: 'Once more, please' }];
      const request = { message: null, items, requestedAt: requestedAt.toISOString() };
      const reviewData = { request, awaiting: ['attestation'] };
      return {
        ...completed,
        status,
        resolvedAt: null,
        currentStep: completed.currentStep - 1,
        linkVersion: 2,
        reviewData,
      };
    }
    case 'approved':
    case 'rejected': {
      const reasonCodes = status === 'approved' ? [] : ['data_mismatch'];
      const decision = { outcome: status, reasonCodes, message: null, decidedAt: resolvedAt.toISOString() };
      return { ...completed, status, resolvedAt, reviewData: { decision } };
    }
    default:
      return status satisfies never;
  }
}
