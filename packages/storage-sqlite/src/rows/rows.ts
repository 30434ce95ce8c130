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
  clientNameKey,
  parseAuditAction,
  parseEnum,
  parseEnumOrNull,
  parseRow,
  unreadableRecord,
  type VerificationRecord,
  type WrappedDataKey,
} from '@countersign/domain/storage';
import { isSent } from '@countersign/domain/webhooks';
import type { Columns } from '../connection/compiled.ts';
import { getTableColumns } from '../drizzle.ts';
import {
  apiKeys,
  type auditEntries,
  type clients,
  type subscriptions,
  type verificationEvents,
  type verifications,
} from '../schema.ts';
import {
  isJsonObject,
  parseBoolean,
  parseDate,
  parseDateOrNull,
  parseJsonArray,
  parseJsonObject,
  parseTexts,
} from './parse-row.ts';

type ClientRow = typeof clients.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

export function toClientRow(client: Client): ClientRow {
  const { createdAt, returnAddresses, fileAccess, ...texts } = client;
  return {
    ...texts,
    createdAt: createdAt.getTime(),
    sandbox: Number(client.testOf !== null),
    nameKey: clientNameKey(client.name),
    returnAddresses: JSON.stringify(returnAddresses),
    fileAccess: Number(fileAccess),
  };
}

export function fromClientRow(row: ClientRow): Client {
  return parseRow('client', row.id, () => ({
    id: row.id,
    name: row.name,
    createdAt: parseDate('created_at', row.createdAt),
    returnAddresses: parseTexts('return_addresses', row.returnAddresses),
    testOf: row.testOf,
    fileAccess: parseBoolean('file_access', row.fileAccess),
  }));
}

export function toSubscriptionRow(clientId: string, subscription: Subscription): SubscriptionRow {
  return {
    clientId,
    ...subscription,
    startsAt: subscription.startsAt.getTime(),
    endsAt: subscription.endsAt?.getTime() ?? null,
  };
}

/** A row of its columns in the order of the table, which begin at `first`; null where a join found none. */
export function subscriptionRowOf(columns: Columns, first: number): SubscriptionRow | null {
  if (columns[first] === null) return null;
  return {
    clientId: columns[first] as SubscriptionRow['clientId'],
    plan: columns[first + 1] as SubscriptionRow['plan'],
    status: columns[first + 2] as SubscriptionRow['status'],
    monthlyLimit: columns[first + 3] as SubscriptionRow['monthlyLimit'],
    startsAt: columns[first + 4] as SubscriptionRow['startsAt'],
    endsAt: columns[first + 5] as SubscriptionRow['endsAt'],
  };
}

/** A client has one subscription or none. */
export function fromSubscriptionRow(row: SubscriptionRow | null): Subscription | null {
  if (row === null) return null;
  return parseRow('subscription of the client', row.clientId, () => ({
    plan: parseEnum('plan', PLANS, row.plan),
    status: parseEnum('status', SUBSCRIPTION_STATUSES, row.status),
    monthlyLimit: row.monthlyLimit,
    startsAt: parseDate('starts_at', row.startsAt),
    endsAt: parseDateOrNull('ends_at', row.endsAt),
  }));
}

type ApiKeyRow = typeof apiKeys.$inferSelect;

/** The columns that are read of a key found by its hash. */
const { hash, slot, ...KNOWN_BY_HASH } = getTableColumns(apiKeys);

export { KNOWN_BY_HASH };

/** Parses a key from those columns, in their order. */
export function apiKeyOf(columns: Columns, hash: string): ApiKey {
  return fromApiKeyRow({
    hash,
    clientId: columns[0] as ApiKeyRow['clientId'],
    id: columns[1] as ApiKeyRow['id'],
    name: columns[2] as ApiKeyRow['name'],
    display: columns[3] as ApiKeyRow['display'],
    permissions: columns[4] as ApiKeyRow['permissions'],
    createdAt: columns[5] as ApiKeyRow['createdAt'],
    expiresAt: columns[6] as ApiKeyRow['expiresAt'],
    revokedAt: columns[7] as ApiKeyRow['revokedAt'],
    lastUsedAt: columns[8] as ApiKeyRow['lastUsedAt'],
    createdBy: columns[9] as ApiKeyRow['createdBy'],
    noticedDays: columns[10] as ApiKeyRow['noticedDays'],
    networks: columns[11] as ApiKeyRow['networks'],
  });
}

/** The database assigns the slot. */
export function toApiKeyRow(key: ApiKey): Omit<ApiKeyRow, 'slot'> {
  return {
    ...key,
    permissions: JSON.stringify(key.permissions),
    networks: key.networks.length === 0 ? null : JSON.stringify(key.networks),
    createdAt: key.createdAt.getTime(),
    expiresAt: key.expiresAt?.getTime() ?? null,
    revokedAt: key.revokedAt?.getTime() ?? null,
    lastUsedAt: key.lastUsedAt?.getTime() ?? null,
  };
}

export function fromApiKeyRow(row: Omit<ApiKeyRow, 'slot'>): ApiKey {
  return parseRow('API key', row.id, () => ({
    id: row.id,
    clientId: row.clientId,
    name: row.name,
    hash: row.hash,
    display: row.display,
    permissions: parseJsonArray('permissions', row.permissions).map((one) =>
      parseEnum('permission', PERMISSIONS, one),
    ),
    networks: row.networks === null ? [] : parseTexts('networks', row.networks),
    createdAt: parseDate('created_at', row.createdAt),
    createdBy: row.createdBy,
    expiresAt: parseDateOrNull('expires_at', row.expiresAt),
    revokedAt: parseDateOrNull('revoked_at', row.revokedAt),
    lastUsedAt: parseDateOrNull('last_used_at', row.lastUsedAt),
    noticedDays: row.noticedDays,
  }));
}

type VerificationRow = typeof verifications.$inferSelect;

/** The types keep columns and fields of the record equal. The data key has two columns. No mail waits in the row. */
export function toVerificationRow(record: VerificationRecord): {
  [K in keyof VerificationRecord | 'dataKeyWrappedBy' | keyof WaitingLinkMail]: VerificationRow[K];
} {
  return {
    ...record,
    ...NO_LINK_MAIL,
    requestedAt: record.requestedAt.getTime(),
    resolvedAt: record.resolvedAt?.getTime() ?? null,
    linkExpiresAt: record.linkExpiresAt.getTime(),
    metadata: JSON.stringify(record.metadata),
    answers: JSON.stringify(record.answers),
    reviewData: JSON.stringify(record.reviewData),
    submittedAt: record.submittedAt?.getTime() ?? null,
    claimedAt: record.claimedAt?.getTime() ?? null,
    notify: record.notify && JSON.stringify(record.notify),
    dataKeyWrappedBy: record.dataKey?.wrappedBy ?? null,
    dataKey: record.dataKey?.wrapped ?? null,
    relationshipEndedAt: record.relationshipEndedAt?.getTime() ?? null,
    heldAt: record.heldAt?.getTime() ?? null,
    heldUntil: record.heldUntil?.getTime() ?? null,
    erasureRequestedAt: record.erasureRequestedAt?.getTime() ?? null,
    erasedAt: record.erasedAt?.getTime() ?? null,
    retentionCheckAt: record.retentionCheckAt?.getTime() ?? null,
    uploadsCheckAt: record.uploadsCheckAt?.getTime() ?? null,
  };
}

/** The columns of the mail with the link. */
type WaitingLinkMail = Pick<VerificationRow, 'linkMailId' | 'linkMailAt'>;

const NO_LINK_MAIL: WaitingLinkMail = { linkMailId: null, linkMailAt: null };

/** Index of the column `notify`. */
const NOTIFY = 35;

/** Parses columns in the order of the table. Written out, because a loop over names takes as long as the statement. */
export function fromVerificationRow(columns: Columns): VerificationRecord {
  return parseRow('verification', columns[1] as VerificationRow['id'], () => ({
    clientId: columns[0] as VerificationRow['clientId'],
    id: columns[1] as VerificationRow['id'],
    type: parseEnum('type', SUBJECT_TYPES, columns[2] as VerificationRow['type']),
    subjectReference: columns[3] as VerificationRow['subjectReference'],
    status: parseEnum('status', STATUSES, columns[4] as VerificationRow['status']),
    requestedAt: parseDate('requested_at', columns[5] as VerificationRow['requestedAt']),
    resolvedAt: parseDateOrNull('resolved_at', columns[6] as VerificationRow['resolvedAt']),
    currentStep: columns[7] as VerificationRow['currentStep'],
    version: columns[8] as VerificationRow['version'],
    linkVersion: columns[9] as VerificationRow['linkVersion'],
    linkExpiresAt: parseDate('link_expires_at', columns[10] as VerificationRow['linkExpiresAt']),
    idempotencyKey: columns[11] as VerificationRow['idempotencyKey'],
    idempotencyFingerprint: columns[12] as VerificationRow['idempotencyFingerprint'],
    metadata: parseJsonObject('metadata', columns[13] as VerificationRow['metadata']),
    answers: parseJsonObject('answers', columns[14] as VerificationRow['answers']),
    reviewData: parseJsonObject('reviewData', columns[15] as VerificationRow['reviewData']),
    submittedAt: parseDateOrNull('submitted_at', columns[16] as VerificationRow['submittedAt']),
    claimedBy: columns[17] as VerificationRow['claimedBy'],
    claimedAt: parseDateOrNull('claimed_at', columns[18] as VerificationRow['claimedAt']),
    dataKey: dataKeyOf(
      columns[19] as VerificationRow['dataKeyWrappedBy'],
      columns[20] as VerificationRow['dataKey'],
    ),
    sandboxOutcome: parseEnumOrNull(
      'sandbox_outcome',
      SANDBOX_OUTCOMES,
      columns[21] as VerificationRow['sandboxOutcome'],
    ),
    flowVersion: columns[22] as VerificationRow['flowVersion'],
    eventCount: columns[23] as VerificationRow['eventCount'],
    returnUrl: columns[24] as VerificationRow['returnUrl'],
    locale: columns[25] as VerificationRow['locale'],
    relationshipEndedAt: parseDateOrNull(
      'relationship_ended_at',
      columns[26] as VerificationRow['relationshipEndedAt'],
    ),
    heldAt: parseDateOrNull('held_at', columns[27] as VerificationRow['heldAt']),
    heldBy: columns[28] as VerificationRow['heldBy'],
    heldUntil: parseDateOrNull('held_until', columns[29] as VerificationRow['heldUntil']),
    erasureRequestedAt: parseDateOrNull(
      'erasure_requested_at',
      columns[30] as VerificationRow['erasureRequestedAt'],
    ),
    erasedAt: parseDateOrNull('erased_at', columns[31] as VerificationRow['erasedAt']),
    erasureNumber: columns[32] as VerificationRow['erasureNumber'],
    retentionCheckAt: parseDateOrNull('retention_check_at', columns[33] as VerificationRow['retentionCheckAt']),
    uploadsCheckAt: parseDateOrNull('uploads_check_at', columns[34] as VerificationRow['uploadsCheckAt']),
    notify: notifyOf(columns[NOTIFY] as VerificationRow['notify']),
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
    const metadata = isJsonObject(columns[13] as VerificationRow['metadata']) ? columns[13] : '{}';
    const documents = columns.toSpliced(13, 3, metadata, '{}', '{}').with(NOTIFY, null);
    return unreadableRecord(fromVerificationRow(documents), fault);
  }
}

const notifyOf = (text: VerificationRow['notify']): VerificationRecord['notify'] =>
  text === null ? null : parseJsonObject('notify', text);

/** A data key of its two columns, which are both set or both null. */
export function dataKeyOf(wrappedBy: string | null, wrapped: string | null): WrappedDataKey | null {
  return wrapped === null || wrappedBy === null ? null : { wrappedBy, wrapped };
}

type EventRow = typeof verificationEvents.$inferSelect;

/** A new event, which `fanOut` takes if it is sent. */
export function toEventRow(sent: VerificationEvent): EventRow {
  const { at, actor, data, ...event } = sent;
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
    unsent: isSent(sent) ? 1 : null,
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

type AuditRow = typeof auditEntries.$inferSelect;

export function toAuditRow({ at, actor, detail, ...same }: AuditEntry): AuditRow {
  return {
    ...same,
    at: at.getTime(),
    actorKind: actor.kind,
    actorId: actor.id,
    detail: JSON.stringify(detail),
  };
}

export function fromAuditRow(row: AuditRow): AuditEntry {
  return parseRow('audit entry', String(row.sequence), () => ({
    sequence: row.sequence,
    at: parseDate('at', row.at),
    actor: { kind: parseEnum('actor_kind', AUDIT_ACTOR_KINDS, row.actorKind), id: row.actorId },
    from: row.from,
    action: parseAuditAction(row.action),
    outcome: parseEnum('outcome', AUDIT_OUTCOMES, row.outcome),
    clientId: row.clientId,
    targetId: row.targetId,
    detail: parseJsonObject('detail', row.detail),
    previousHash: row.previousHash,
    hash: row.hash,
  }));
}
