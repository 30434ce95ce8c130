import {
  type ApiKey,
  AUDIT_ACTOR_KINDS,
  AUDIT_OUTCOMES,
  type AuditEntry,
  EVENT_TYPES,
  PERMISSIONS,
  SANDBOX_OUTCOMES,
  STATUSES,
  SUBJECT_TYPES,
  type VerificationEvent,
} from '@countersign/domain';
import { type Client, PLANS, SUBSCRIPTION_STATUSES, type Subscription } from '@countersign/domain/clients';
import {
  ACTOR_KINDS,
  type AuditHead,
  parseAuditAction,
  parseEnum,
  parseEnumOrNull,
  parseRow,
  unreadableRecord,
  type VerificationRecord,
  type WrappedDataKey,
} from '@countersign/domain/storage';
import { isSent } from '@countersign/domain/webhooks';
import type { Value } from '../connection/statement.ts';
import type {
  apiKeys,
  auditEntries,
  clients,
  subscriptions,
  verificationEvents,
  verifications,
} from '../schema.ts';
import {
  isJsonObject,
  momentText,
  momentTextOrNull,
  parseBoolean,
  parseDate,
  parseDateOrNull,
  parseInteger,
  parseJsonArray,
  parseJsonObject,
  parseText,
  parseTextOrNull,
  parseTexts,
  type Row,
} from './parse-row.ts';

type ClientColumns = { [K in keyof typeof clients.$inferSelect]: Value };
type SubscriptionColumns = { [K in keyof Omit<typeof subscriptions.$inferSelect, 'clientId'>]: Value };

export function toClientRow(client: Client): ClientColumns {
  const { createdAt, returnAddresses, ...same } = client;
  const sandbox = client.testOf !== null;
  return { ...same, sandbox, createdAt: momentText(createdAt), returnAddresses: JSON.stringify(returnAddresses) };
}

/** Number of a client's columns. In a joined row, those of its subscription follow. */
export const CLIENT_COLUMNS = 7;

/** Columns in the order of the schema. */
export function fromClientRow(row: Row): Client {
  return parseRow('client', row[0], () => ({
    id: parseText('id', row[0]),
    name: parseText('name', row[1]),
    createdAt: parseDate('created_at', row[2]),
    returnAddresses: parseTexts('return_addresses', row[4]),
    fileAccess: parseBoolean('file_access', row[5]),
    testOf: parseTextOrNull('test_of', row[6]),
  }));
}

export function toSubscriptionRow(subscription: Subscription): SubscriptionColumns {
  return {
    ...subscription,
    startsAt: momentText(subscription.startsAt),
    endsAt: momentTextOrNull(subscription.endsAt),
  };
}

/** Parses columns in the order of the schema, from index `from` on; all are null where an outer join found no row. */
export function fromSubscriptionRow(row: Row, from = 0): Subscription | null {
  const clientId = row[from];
  if (clientId === null) return null;
  return parseRow('subscription of the client', clientId, () => ({
    plan: parseEnum('plan', PLANS, row[from + 1]),
    status: parseEnum('status', SUBSCRIPTION_STATUSES, row[from + 2]),
    monthlyLimit: row[from + 3] === null ? null : parseInteger('monthly_limit', row[from + 3]),
    startsAt: parseDate('starts_at', row[from + 4]),
    endsAt: parseDateOrNull('ends_at', row[from + 5]),
  }));
}

/** The database assigns the slot. */
type ApiKeyColumns = { [K in keyof Omit<typeof apiKeys.$inferSelect, 'slot'>]: Value };

export function toApiKeyRow(key: ApiKey): ApiKeyColumns {
  return {
    ...key,
    hash: `\\x${key.hash}`,
    permissions: JSON.stringify(key.permissions),
    networks: key.networks.length === 0 ? null : JSON.stringify(key.networks),
    createdAt: momentText(key.createdAt),
    expiresAt: momentTextOrNull(key.expiresAt),
    revokedAt: momentTextOrNull(key.revokedAt),
    lastUsedAt: momentTextOrNull(key.lastUsedAt),
  };
}

/** Columns in the order of the schema, with the slot. */
export function fromApiKeyRow(row: Row): ApiKey {
  return parseRow('API key', row[1], () => ({
    clientId: parseText('client_id', row[0]),
    id: parseText('id', row[1]),
    name: parseText('name', row[2]),
    hash: parseText('hash', row[3]),
    display: parseText('display', row[4]),
    permissions: parseJsonArray('permissions', row[5]).map((one) => parseEnum('permission', PERMISSIONS, one)),
    createdAt: parseDate('created_at', row[6]),
    expiresAt: parseDateOrNull('expires_at', row[7]),
    revokedAt: parseDateOrNull('revoked_at', row[8]),
    lastUsedAt: parseDateOrNull('last_used_at', row[9]),
    createdBy: parseTextOrNull('created_by', row[11]),
    noticedDays: row[12] === null ? null : parseInteger('noticed_days', row[12]),
    networks: row[13] === null ? [] : parseTexts('networks', row[13]),
  }));
}

type Field = keyof VerificationRecord | 'dataKeyWrappedBy';

/** The types keep columns and fields of the record equal. The data key has two columns. */
type VerificationColumns = { [K in keyof typeof verifications.$inferSelect & Field]: Value } & {
  [K in Exclude<keyof typeof verifications.$inferSelect, Field>]: never;
};

export function toVerificationRow(record: VerificationRecord): VerificationColumns {
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
    relationshipEndedAt: momentTextOrNull(record.relationshipEndedAt),
    heldAt: momentTextOrNull(record.heldAt),
    heldUntil: momentTextOrNull(record.heldUntil),
    erasureRequestedAt: momentTextOrNull(record.erasureRequestedAt),
    erasedAt: momentTextOrNull(record.erasedAt),
    retentionCheckAt: momentTextOrNull(record.retentionCheckAt),
    uploadsCheckAt: momentTextOrNull(record.uploadsCheckAt),
    notify: record.notify && JSON.stringify(record.notify),
  };
}

/** Index of the column `notify`. */
const NOTIFY = 35;

/** Columns in the order of the schema. */
export function fromVerificationRow(row: Row): VerificationRecord {
  return parseRow('verification', row[1], () => ({
    ...withoutDocuments(row),
    metadata: parseJsonObject('metadata', row[13]),
    answers: parseJsonObject('answers', row[14]),
    reviewData: parseJsonObject('reviewData', row[15]),
    dataKey: dataKeyOf(row[19], row[20]),
    notify: row[NOTIFY] === null ? null : parseJsonObject('notify', row[NOTIFY]),
  }));
}

/** Parses the columns of a verification, in the order of the schema, but its documents and its data key. */
export function withoutDocuments(
  row: Row,
): Omit<VerificationRecord, 'metadata' | 'answers' | 'reviewData' | 'notify' | 'dataKey'> {
  return {
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
    submittedAt: parseDateOrNull('submitted_at', row[16]),
    claimedBy: parseTextOrNull('claimed_by', row[17]),
    claimedAt: parseDateOrNull('claimed_at', row[18]),
    sandboxOutcome: parseEnumOrNull('sandbox_outcome', SANDBOX_OUTCOMES, row[21]),
    flowVersion: parseInteger('flow_version', row[22]),
    eventCount: parseInteger('event_count', row[23]),
    returnUrl: parseTextOrNull('return_url', row[24]),
    locale: parseTextOrNull('locale', row[25]),
    relationshipEndedAt: parseDateOrNull('relationship_ended_at', row[26]),
    heldAt: parseDateOrNull('held_at', row[27]),
    heldBy: parseTextOrNull('held_by', row[28]),
    heldUntil: parseDateOrNull('held_until', row[29]),
    erasureRequestedAt: parseDateOrNull('erasure_requested_at', row[30]),
    erasedAt: parseDateOrNull('erased_at', row[31]),
    erasureNumber: row[32] === null ? null : parseInteger('erasure_number', row[32]),
    retentionCheckAt: parseDateOrNull('retention_check_at', row[33]),
    uploadsCheckAt: parseDateOrNull('uploads_check_at', row[34]),
  };
}

/**
 * As `fromVerificationRow`, for lists: documents that cannot be parsed make an `unreadableRecord` in place of a fault.
 * Metadata
 * that cannot be parsed is `{}` in it.
 */
export function listedVerification(columns: Row): VerificationRecord {
  try {
    return fromVerificationRow(columns);
  } catch (fault) {
    const metadata = isJsonObject(columns[13]) ? columns[13] : {};
    const documents = columns.toSpliced(13, 3, metadata, {}, {}).with(NOTIFY, null);
    return unreadableRecord(fromVerificationRow(documents), fault);
  }
}

/** A data key of its two columns, which are both set or both null. */
export function dataKeyOf(wrappedBy: unknown, wrapped: unknown): WrappedDataKey | null {
  if (wrapped === null) return null;
  return { wrappedBy: parseText('data_key_wrapped_by', wrappedBy), wrapped: parseText('data_key', wrapped) };
}

type EventColumns = { [K in keyof typeof verificationEvents.$inferSelect]: Value };

/** A new event. The columns of its delivery are those that version 0.2.0 reads. */
export function toEventRow(event: VerificationEvent): EventColumns {
  const { at, actor, data, ...same } = event;
  return {
    ...same,
    at: momentText(at),
    actorKind: actor.kind,
    actorId: actor.id,
    data: JSON.stringify(data),
    availableAt: momentText(at),
    leaseToken: null,
    attempts: 0,
    deliveredAt: null,
    unsent: isSent(event) ? true : null,
  };
}

/** Columns in the order of the schema. */
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

type AuditColumns = { [K in keyof typeof auditEntries.$inferSelect]: Value };

export function toAuditRow({ actor, at, detail, ...entry }: AuditEntry): AuditColumns {
  return {
    ...entry,
    at: momentText(at),
    actorKind: actor.kind,
    actorId: actor.id,
    detail: JSON.stringify(detail),
    previousSequence: entry.sequence === 1 ? null : entry.sequence - 1,
    previousHash: `\\x${entry.previousHash}`,
    hash: `\\x${entry.hash}`,
  };
}

/** Columns in the order of the schema; the number of the line before is not read. */
export function fromAuditRow(row: Row): AuditEntry {
  return parseRow('audit entry', row[0], () => ({
    sequence: sequenceOf(row[0]),
    at: parseDate('at', row[1]),
    actor: { kind: parseEnum('actor_kind', AUDIT_ACTOR_KINDS, row[2]), id: parseTextOrNull('actor_id', row[3]) },
    from: parseTextOrNull('from_address', row[4]),
    action: parseAuditAction(row[5]),
    outcome: parseEnum('outcome', AUDIT_OUTCOMES, row[6]),
    clientId: parseTextOrNull('client_id', row[7]),
    targetId: parseTextOrNull('target_id', row[8]),
    detail: parseJsonObject('detail', row[9]),
    previousHash: parseText('previous_hash', row[11]),
    hash: parseText('hash', row[12]),
  }));
}

/** Parses the head of the audit log from its two columns. */
export function fromAuditHeadRow(row: Row): AuditHead {
  return parseRow('audit entry', row[0], () => ({
    sequence: sequenceOf(row[0]),
    hash: parseText('hash', row[1]),
  }));
}

/** Parses a bigint, which arrives as text. */
function sequenceOf(value: unknown): number {
  return parseInteger('sequence', Number(value));
}
