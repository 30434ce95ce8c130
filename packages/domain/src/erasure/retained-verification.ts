import { erasedReference } from '../retention/retention-facts.ts';
import {
  DECIDING_EVENT_TYPES,
  type DecidingEventType,
  type EventType,
  type VerificationEvent,
} from '../verification/events.ts';
import type { VerificationRecord } from '../verification/verification-record.ts';
import type { Erasure } from './erasure.ts';

/** The columns of a record that retention never reads: documents of a person, and the key that they are sealed by. */
export type RecordDocument = 'metadata' | 'answers' | 'reviewData' | 'notify' | 'warnings' | 'dataKey';

/** Leaves out the documents of a record. */
export function withoutDocuments<R extends VerificationRecord>(record: R): Omit<R, RecordDocument> {
  const {
    metadata: _,
    answers: __,
    reviewData: ___,
    notify: ____,
    warnings: _____,
    dataKey: ______,
    ...columns
  } = record;
  return columns;
}

/**
 * A verification as retention reads it: its record without documents. Storages neither parse nor unseal them, so that a
 * verification with damaged documents or a lost key can still be erased.
 */
export interface RetainedVerification extends Omit<VerificationRecord, RecordDocument> {
  /** The type of the event that decided it; null while it is open. */
  readonly decidedBy: DecidingEventType | null;
}

/**
 * Requires the rules between the retention facts of a record and its other columns. Every storage refuses a write that breaks one: by
 * constraints of its database, or by this function.
 *
 * - Only an approved verification has `relationshipEndedAt`.
 * - `heldBy` and `heldUntil` are null without `heldAt`.
 * - `heldAt` and `erasedAt` are not both set.
 * - Only a verification with `resolvedAt` has `erasureRequestedAt`, `erasedAt` or `retentionCheckAt`.
 * - A record with `erasureNumber` has `erasedAt` and no data, as `erasedRecord` makes it.
 * @throws Error that names the verification and the rule
 */
export function requireRetentionRules(record: VerificationRecord): void {
  const broken = brokenRuleOf(record);
  if (broken !== null) throw new Error(`Verification ${record.id} cannot be stored: ${broken}`);
}

function brokenRuleOf(record: VerificationRecord): string | null {
  const { status, resolvedAt, relationshipEndedAt, heldAt, heldBy, heldUntil } = record;
  const { erasureRequestedAt, erasedAt, retentionCheckAt, erasureNumber } = record;
  if (relationshipEndedAt !== null && status !== 'approved')
    return 'relationshipEndedAt needs the status approved';
  if (heldAt === null && (heldBy ?? heldUntil) !== null) return 'heldBy and heldUntil need heldAt';
  if (heldAt !== null && erasedAt !== null) return 'heldAt and erasedAt exclude each other';
  if (resolvedAt === null && (erasureRequestedAt ?? erasedAt ?? retentionCheckAt) !== null)
    return 'erasureRequestedAt, erasedAt and retentionCheckAt need resolvedAt';
  if (erasureNumber !== null && !isErased(record))
    return 'erasureNumber needs erasedAt, and a record without data';
  return null;
}

function isErased(record: VerificationRecord): boolean {
  const { idempotencyKey, dataKey, sandboxOutcome, returnUrl, locale, notify, warnings, severity } = record;
  const { id, subjectReference, erasedAt, metadata, answers, reviewData } = record;
  return (
    erasedAt !== null &&
    subjectReference === erasedReference(id) &&
    [idempotencyKey, dataKey, sandboxOutcome, returnUrl, locale, notify, warnings, severity].every(
      (value) => value === null,
    ) &&
    [metadata, answers, reviewData].every((value) => Object.keys(value).length === 0)
  );
}

/** Makes the record that `RetentionRepository.erase` stores in place of `stored`. @param number of the receipt */
export function erasedRecord(
  stored: VerificationRecord,
  {
    event,
    erasure,
  }: { readonly event: Pick<VerificationEvent, 'version'>; readonly erasure: Pick<Erasure, 'at'> },
  number: number,
): VerificationRecord {
  return {
    ...stored,
    subjectReference: erasedReference(stored.id),
    metadata: {},
    answers: {},
    reviewData: {},
    idempotencyKey: null,
    idempotencyFingerprint: null,
    dataKey: null,
    sandboxOutcome: null,
    returnUrl: null,
    locale: null,
    notify: null,
    warnings: null,
    severity: null,
    linkExpiresAt: new Date(Math.min(stored.linkExpiresAt.getTime(), erasure.at.getTime())),
    erasureNumber: number,
    uploadsCheckAt: null,
    version: event.version,
    eventCount: stored.eventCount + 1,
  };
}

/**
 * Makes what `RetentionRepository` reads of a record: no document of a person.
 * @param types of the events of the verification
 */
export function retainedVerification(
  record: VerificationRecord,
  types: readonly EventType[],
): RetainedVerification {
  return { ...withoutDocuments(record), decidedBy: types.findLast(isDeciding) ?? null };
}

function isDeciding(type: EventType): type is DecidingEventType {
  return (DECIDING_EVENT_TYPES as readonly EventType[]).includes(type);
}
