import {
  EVENT_TYPES,
  SANDBOX_OUTCOMES,
  SEVERITIES,
  STATUSES,
  SUBJECT_TYPES,
  type VerificationEvent,
} from '@countersign/domain';
import { ACTOR_KINDS, MAX_EVENTS, type VerificationRecord } from '@countersign/domain/storage';
import { oneOf, table, whole } from '../table.ts';

/** Verifications. Each storage has its own key and indexes, because each index makes every creation slower. */
export const verifications = table<VerificationRecord>()({
  name: 'verifications',
  called: 'verification',
  key: ['id'],
  nested: { dataKey: { nullable: true, parts: { wrapped: 'dataKey', wrappedBy: 'dataKeyWrappedBy' } } },
  columns: {
    clientId: { kind: 'id' },
    id: { kind: 'id' },
    type: { kind: 'choice', of: SUBJECT_TYPES, ordered: true, checked: true },
    subjectReference: { kind: 'text', ordered: true },
    status: { kind: 'choice', of: STATUSES, ordered: true, checked: true },
    requestedAt: { kind: 'moment' },
    resolvedAt: { kind: 'moment', nullable: true },
    currentStep: { kind: 'integer' },
    version: { kind: 'integer' },
    linkVersion: { kind: 'integer' },
    linkExpiresAt: { kind: 'moment' },
    idempotencyKey: { kind: 'text', ordered: true, nullable: true },
    idempotencyFingerprint: { kind: 'text', nullable: true },
    metadata: { kind: 'object' },
    answers: { kind: 'object' },
    reviewData: { kind: 'object' },
    submittedAt: { kind: 'moment', nullable: true },
    claimedBy: { kind: 'text', ordered: true, nullable: true },
    claimedAt: { kind: 'moment', nullable: true },
    dataKeyWrappedBy: { kind: 'text', nullable: 'group' },
    dataKey: { kind: 'text', nullable: 'group' },
    sandboxOutcome: { kind: 'choice', of: SANDBOX_OUTCOMES, nullable: true, checked: true },
    flowVersion: { kind: 'integer' },
    /** Number of its rows in `verification_events`. */
    eventCount: { kind: 'integer' },
    returnUrl: { kind: 'text', nullable: true },
    locale: { kind: 'text', nullable: true },
    relationshipEndedAt: { kind: 'moment', nullable: true },
    heldAt: { kind: 'moment', nullable: true },
    heldBy: { kind: 'text', nullable: true },
    heldUntil: { kind: 'moment', nullable: true },
    erasureRequestedAt: { kind: 'moment', nullable: true },
    erasedAt: { kind: 'moment', nullable: true },
    erasureNumber: { kind: 'integer', nullable: true },
    retentionCheckAt: { kind: 'moment', nullable: true },
    uploadsCheckAt: { kind: 'moment', nullable: true },
    notify: { kind: 'object', nullable: true },
    warnings: { kind: 'object', nullable: true },
    severity: { kind: 'choice', of: SEVERITIES, nullable: true, checked: true },
    /** Servers of 0.3.0 leave it as it is, so it may be set with any status. */
    isResubmitted: { kind: 'flag', default: false },
  },
  checks: {
    verifications_resolved_when_decided: `({resolvedAt} is not null) = (${oneOf('status', ['approved', 'rejected'])})`,
    verifications_idempotency_whole: whole('idempotencyKey', 'idempotencyFingerprint'),
    verifications_pending_unsubmitted: "{submittedAt} is null or {status} <> 'pending'",
    verifications_claim_whole: whole('claimedBy', 'claimedAt'),
    verifications_claimed_when_submitted: "{claimedBy} is null or {status} = 'submitted'",
    verifications_data_key_whole: whole('dataKey', 'dataKeyWrappedBy'),
    // A decision is always possible.
    verifications_event_limit: `{eventCount} <= ${MAX_EVENTS} or {resolvedAt} is not null`,
    verifications_relationship_of_approved: "{relationshipEndedAt} is null or {status} = 'approved'",
    verifications_hold_whole: '{heldAt} is not null or ({heldBy} is null and {heldUntil} is null)',
    // Hold beats erasure.
    verifications_held_or_erased: '{heldAt} is null or {erasedAt} is null',
    verifications_erased_when_decided:
      '{resolvedAt} is not null or ({erasureRequestedAt} is null and {erasedAt} is null and {retentionCheckAt} is null)',
    verifications_erased_emptied:
      "{erasureNumber} is null or ({erasedAt} is not null and {subjectReference} = 'erased:' || {id} and {idempotencyKey} is null and {metadata} = '{}' and {answers} = '{}' and {reviewData} = '{}' and {dataKey} is null and {sandboxOutcome} is null and {returnUrl} is null and {locale} is null)",
    verifications_erased_unnotified: '{erasureNumber} is null or {notify} is null',
    verifications_severe_when_warned: '{severity} is null or {warnings} is not null',
    verifications_erased_unwarned: '{erasureNumber} is null or {warnings} is null',
  },
});

/** The history. An event never changes, except for `unsent`. A commit may delete one that its own event replaces. */
export const verificationEvents = table<VerificationEvent>()({
  name: 'verification_events',
  called: 'event',
  key: ['verificationId', 'version', 'id'],
  nested: { actor: { parts: { kind: 'actorKind', id: 'actorId' } } },
  columns: {
    clientId: { kind: 'id' },
    id: { kind: 'id' },
    verificationId: { kind: 'id' },
    version: { kind: 'integer' },
    type: { kind: 'choice', of: EVENT_TYPES },
    status: { kind: 'choice', of: STATUSES },
    at: { kind: 'moment' },
    actorKind: { kind: 'choice', of: ACTOR_KINDS },
    actorId: { kind: 'text', nullable: true },
    data: { kind: 'object' },
  },
});
