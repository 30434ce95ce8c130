import {
  type Actor,
  EVENT_TYPES,
  SANDBOX_OUTCOMES,
  STATUSES,
  SUBJECT_TYPES,
  unreadableRecord,
  type VerificationEvent,
  type VerificationRecord,
  type WrappedDataKey,
} from '@countersign/domain';
import type { Value } from '../connection/statement.ts';
import type { verificationEvents, verifications } from '../schema/index.ts';
import {
  isJsonObject,
  momentText,
  momentTextOrNull,
  parseDate,
  parseDateOrNull,
  parseEnum,
  parseInteger,
  parseJsonObject,
  parseRow,
  parseText,
  parseTextOrNull,
  type Row,
} from './parse-row.ts';

type Field = keyof VerificationRecord | 'dataKeyWrappedBy';

/** Each column a field of the record and each field a column: the types hold them together. The data key has two. */
type Columns = { [K in keyof typeof verifications.$inferSelect & Field]: Value } & {
  [K in Exclude<keyof typeof verifications.$inferSelect, Field>]: never;
};

export function toVerificationRow(record: VerificationRecord): Columns {
  return {
    ...record,
    requestedAt: momentText(record.requestedAt),
    resolvedAt: momentTextOrNull(record.resolvedAt),
    linkExpiresAt: momentText(record.linkExpiresAt),
    metadata: JSON.stringify(record.metadata),
    answers: JSON.stringify(record.answers),
    reviewData: JSON.stringify(record.reviewData),
    submittedAt: momentTextOrNull(record.submittedAt),
    claimedAt: momentTextOrNull(record.claimedAt),
    dataKeyWrappedBy: record.dataKey?.wrappedBy ?? null,
    dataKey: record.dataKey?.wrapped ?? null,
  };
}

/** Columns in the order of the schema. */
export function fromVerificationRow(row: Row): VerificationRecord {
  return parseRow('verification', row[1], () => ({
    clientId: parseText('client_id', row[0]),
    id: parseText('id', row[1]),
    type: parseEnum('type', SUBJECT_TYPES, row[2]),
    subjectReference: parseText('subject_reference', row[3]),
    status: parseEnum('status', STATUSES, row[4]),
    requestedAt: parseDate('requested_at', row[5]),
    resolvedAt: parseDateOrNull('resolved_at', row[6]),
    currentStep: parseInteger('current_step', row[7]),
    version: parseInteger('version', row[8]),
    linkVersion: parseInteger('link_version', row[9]),
    linkExpiresAt: parseDate('link_expires_at', row[10]),
    idempotencyKey: parseTextOrNull('idempotency_key', row[11]),
    idempotencyFingerprint: parseTextOrNull('idempotency_fingerprint', row[12]),
    metadata: parseJsonObject('metadata', row[13]),
    answers: parseJsonObject('answers', row[14]),
    reviewData: parseJsonObject('reviewData', row[15]),
    submittedAt: parseDateOrNull('submitted_at', row[16]),
    claimedBy: parseTextOrNull('claimed_by', row[17]),
    claimedAt: parseDateOrNull('claimed_at', row[18]),
    dataKey: dataKeyOf(row[19], row[20]),
    sandboxOutcome: row[21] === null ? null : parseEnum('sandbox_outcome', SANDBOX_OUTCOMES, row[21]),
    flowVersion: parseInteger('flow_version', row[22]),
  }));
}

/**
 * As `fromVerificationRow`, for lists: documents that cannot be parsed make an `unreadableRecord` in place of a fault. Metadata
 * that cannot be parsed is `{}` in it.
 */
export function listedVerification(columns: Row): VerificationRecord {
  try {
    return fromVerificationRow(columns);
  } catch (fault) {
    const metadata = isJsonObject(columns[13]) ? columns[13] : {};
    return unreadableRecord(fromVerificationRow(columns.toSpliced(13, 3, metadata, {}, {})), fault);
  }
}

/** A data key of its two columns, which are both set or both null. */
export function dataKeyOf(wrappedBy: unknown, wrapped: unknown): WrappedDataKey | null {
  if (wrapped === null) return null;
  return { wrappedBy: parseText('data_key_wrapped_by', wrappedBy), wrapped: parseText('data_key', wrapped) };
}

type EventColumns = { [K in keyof typeof verificationEvents.$inferSelect]: Value };

const ACTOR_KINDS = Object.keys({
  api_key: true,
  team_member: true,
  subject: true,
  reviewer: true,
  operator: true,
  system: true,
} satisfies Record<Actor['kind'], true>) as Actor['kind'][];

/** An event as it enters: due at once, never leased. */
export function toEventRow({ at, actor, data, ...event }: VerificationEvent): EventColumns {
  return {
    ...event,
    at: momentText(at),
    actorKind: actor.kind,
    actorId: actor.id,
    data: JSON.stringify(data),
    availableAt: momentText(at),
    leaseToken: null,
    attempts: 0,
    deliveredAt: null,
  };
}

/** EventColumns in the order of the schema. */
export function fromEventRow(row: Row): VerificationEvent {
  return parseRow('event', row[1], () => ({
    clientId: parseText('client_id', row[0]),
    id: parseText('id', row[1]),
    verificationId: parseText('verification_id', row[2]),
    version: parseInteger('version', row[3]),
    type: parseEnum('type', EVENT_TYPES, row[4]),
    status: parseEnum('status', STATUSES, row[5]),
    at: parseDate('at', row[6]),
    actor: { kind: parseEnum('actor_kind', ACTOR_KINDS, row[7]), id: parseTextOrNull('actor_id', row[8]) },
    data: parseJsonObject('data', row[9]),
  }));
}

/** How often it was leased. */
export function attemptsOf(row: Row): number {
  return parseInteger('attempts', row[12]);
}
