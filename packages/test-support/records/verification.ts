import type {
  Actor,
  CreateRequest,
  JsonObject,
  Storage,
  VerificationEvent,
  VerificationRecord,
} from '@countersign/domain';

const AT = new Date('2026-03-10T12:00:00Z');

type RecordKeys = Pick<VerificationRecord, 'clientId' | 'id' | 'subjectReference'>;

/** Makes the record of a pending verification, as it is created. */
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
    linkVersion: 1,
    linkExpiresAt: new Date('2026-04-09T12:00:00Z'),
    idempotencyKey: null,
    idempotencyFingerprint: null,
    sandboxOutcome: null,
    dataKey: null,
    metadata: {},
    answers: {},
    reviewData: {},
    ...values,
  };
}

/** Makes the event that leads to the version of the record. */
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

/** Makes the request that creates the record, in a month with room for it. */
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

/** Commits the record as the next version of itself. */
export function commitNext(
  { verifications }: Pick<Storage, 'verifications'>,
  record: VerificationRecord,
): ReturnType<Storage['verifications']['commit']> {
  const next = { ...record, version: record.version + 1 };
  return verifications.commit({ record: next, expectedVersion: record.version, events: [eventTo(next)] });
}
