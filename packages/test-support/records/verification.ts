import type { Actor, JsonObject, VerificationEvent } from '@countersign/domain';
import { NO_RETENTION_FACTS } from '@countersign/domain/retention';
import type { CreateRequest, Storage, VerificationRecord } from '@countersign/domain/storage';

const AT = new Date('2026-03-10T12:00:00Z');

type RecordKeys = Pick<VerificationRecord, 'clientId' | 'id' | 'subjectReference'>;

/** Creates the record of a new pending verification. */
export function pendingRecord(values: RecordKeys & Partial<VerificationRecord>): VerificationRecord {
  return {
    type: 'kyc',
    flowVersion: 1,
    status: 'pending',
    requestedAt: AT,
    resolvedAt: null,
    submittedAt: null,
    claimedBy: null,
    claimedAt: null,
    currentStep: 0,
    version: 1,
    eventCount: 1,
    linkVersion: 1,
    linkExpiresAt: new Date('2026-04-09T12:00:00Z'),
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
    answers: {},
    reviewData: {},
    ...values,
  };
}

/** Creates the event of the record's version. */
export function eventTo(
  { clientId, id, version, status }: VerificationRecord,
  values: { id?: string; actor?: Actor; data?: JsonObject } = {},
): VerificationEvent {
  return {
    id: `event-${id}-${version}`,
    clientId,
    verificationId: id,
    version,
    type: version === 1 ? 'verification.created' : 'verification.step_completed',
    status,
    at: AT,
    actor: { kind: 'subject', id: null },
    data: {},
    ...values,
  };
}

/** Creates a request for the record, in a month with free quota. */
export function createRequest(
  record: VerificationRecord,
  { allowance = 1_000_000, eventId }: { allowance?: number; eventId?: string } = {},
): CreateRequest {
  return {
    record,
    event: eventTo(record, {
      ...(eventId !== undefined && { id: eventId }),
      actor: { kind: 'api_key', id: null },
    }),
    month: '2026-03',
    allowance,
  };
}

/** Commits the record as its next version. */
export function commitNext(
  { verifications }: Pick<Storage, 'verifications'>,
  record: VerificationRecord,
): ReturnType<Storage['verifications']['commit']> {
  const next = { ...record, version: record.version + 1 };
  return verifications.commit({ record: next, expectedVersion: record.version, events: [eventTo(next)] });
}
