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
import type { Columns } from '../connection/compiled.ts';
import type { verificationEvents, verifications } from '../schema/index.ts';
import {
  isJsonObject,
  parseDate,
  parseDateOrNull,
  parseEnum,
  parseEnumOrNull,
  parseJsonObject,
  parseRow,
} from './parse-row.ts';

type Row = typeof verifications.$inferSelect;

/** Each column a field of the record and each field a column: the types hold them together. The data key has two. */
export function toVerificationRow(record: VerificationRecord): {
  [K in keyof VerificationRecord | 'dataKeyWrappedBy']: Row[K];
} {
  return {
    ...record,
    requestedAt: record.requestedAt.getTime(),
    resolvedAt: record.resolvedAt?.getTime() ?? null,
    linkExpiresAt: record.linkExpiresAt.getTime(),
    metadata: JSON.stringify(record.metadata),
    answers: JSON.stringify(record.answers),
    reviewData: JSON.stringify(record.reviewData),
    submittedAt: record.submittedAt?.getTime() ?? null,
    claimedAt: record.claimedAt?.getTime() ?? null,
    dataKeyWrappedBy: record.dataKey?.wrappedBy ?? null,
    dataKey: record.dataKey?.wrapped ?? null,
  };
}

/** From columns in the order of the table. Spelled out: a loop over names takes as long as the statement. */
export function fromVerificationRow(columns: Columns): VerificationRecord {
  return parseRow('verification', columns[1] as Row['id'], () => ({
    clientId: columns[0] as Row['clientId'],
    id: columns[1] as Row['id'],
    type: parseEnum('type', SUBJECT_TYPES, columns[2] as Row['type']),
    subjectReference: columns[3] as Row['subjectReference'],
    status: parseEnum('status', STATUSES, columns[4] as Row['status']),
    requestedAt: parseDate('requested_at', columns[5] as Row['requestedAt']),
    resolvedAt: parseDateOrNull('resolved_at', columns[6] as Row['resolvedAt']),
    currentStep: columns[7] as Row['currentStep'],
    version: columns[8] as Row['version'],
    linkVersion: columns[9] as Row['linkVersion'],
    linkExpiresAt: parseDate('link_expires_at', columns[10] as Row['linkExpiresAt']),
    idempotencyKey: columns[11] as Row['idempotencyKey'],
    idempotencyFingerprint: columns[12] as Row['idempotencyFingerprint'],
    metadata: parseJsonObject('metadata', columns[13] as Row['metadata']),
    answers: parseJsonObject('answers', columns[14] as Row['answers']),
    reviewData: parseJsonObject('reviewData', columns[15] as Row['reviewData']),
    submittedAt: parseDateOrNull('submitted_at', columns[16] as Row['submittedAt']),
    claimedBy: columns[17] as Row['claimedBy'],
    claimedAt: parseDateOrNull('claimed_at', columns[18] as Row['claimedAt']),
    dataKey: dataKeyOf(columns[19] as Row['dataKeyWrappedBy'], columns[20] as Row['dataKey']),
    sandboxOutcome: parseEnumOrNull('sandbox_outcome', SANDBOX_OUTCOMES, columns[21] as Row['sandboxOutcome']),
    flowVersion: columns[22] as Row['flowVersion'],
  }));
}

/**
 * As `fromVerificationRow`, for lists: documents that cannot be parsed make an `unreadableRecord` in place of a fault. Metadata
 * that cannot be parsed is `{}` in it.
 */
export function listedVerification(columns: Columns): VerificationRecord {
  try {
    return fromVerificationRow(columns);
  } catch (fault) {
    const metadata = isJsonObject(columns[13] as Row['metadata']) ? columns[13] : '{}';
    return unreadableRecord(fromVerificationRow(columns.toSpliced(13, 3, metadata, '{}', '{}')), fault);
  }
}

/** A data key of its two columns, which are both set or both null. */
export function dataKeyOf(wrappedBy: string | null, wrapped: string | null): WrappedDataKey | null {
  return wrapped === null || wrappedBy === null ? null : { wrappedBy, wrapped };
}

type EventRow = typeof verificationEvents.$inferSelect;

const ACTOR_KINDS = Object.keys({
  api_key: true,
  team_member: true,
  subject: true,
  reviewer: true,
  operator: true,
  system: true,
} satisfies Record<Actor['kind'], true>) as Actor['kind'][];

/** An event as it enters: due at once, never leased. */
export function toEventRow({ at, actor, data, ...event }: VerificationEvent): EventRow {
  return {
    ...event,
    at: at.getTime(),
    actorKind: actor.kind,
    actorId: actor.id,
    data: JSON.stringify(data),
    availableAt: at.getTime(),
    leaseToken: null,
    attempts: 0,
    deliveredAt: null,
  };
}

export function fromEventRow(row: EventRow): VerificationEvent {
  return parseRow('event', row.id, () => ({
    id: row.id,
    clientId: row.clientId,
    verificationId: row.verificationId,
    version: row.version,
    type: parseEnum('type', EVENT_TYPES, row.type),
    status: parseEnum('status', STATUSES, row.status),
    at: parseDate('at', row.at),
    actor: { kind: parseEnum('actor_kind', ACTOR_KINDS, row.actorKind), id: row.actorId },
    data: parseJsonObject('data', row.data),
  }));
}
