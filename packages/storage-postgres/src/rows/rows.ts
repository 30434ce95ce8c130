import {
  type ApiKey,
  PERMISSIONS,
  SANDBOX_OUTCOMES,
  SEVERITIES,
  STATUSES,
  SUBJECT_TYPES,
} from '@countersign/domain';
import {
  parseEnum,
  parseEnumOrNull,
  parseRow,
  type RecordDocument,
  unreadableRecord,
  type VerificationRecord,
  type WrappedDataKey,
} from '@countersign/domain/storage';
import * as tables from '@countersign/tables';
import {
  isJsonObject,
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

const KEY = tables.positionsOf(tables.apiKeys);
const AT = tables.positionsOf(tables.verifications);

/** Columns in the order of the schema, with the slot. */
export function fromApiKeyRow(row: Row): ApiKey {
  return parseRow('API key', row[KEY.id], () => ({
    clientId: parseText('client_id', row[KEY.clientId]),
    id: parseText('id', row[KEY.id]),
    name: parseText('name', row[KEY.name]),
    hash: parseText('hash', row[KEY.hash]),
    display: parseText('display', row[KEY.display]),
    permissions: parseJsonArray('permissions', row[KEY.permissions]).map((one) =>
      parseEnum('permissions', PERMISSIONS, one),
    ),
    createdAt: parseDate('created_at', row[KEY.createdAt]),
    expiresAt: parseDateOrNull('expires_at', row[KEY.expiresAt]),
    revokedAt: parseDateOrNull('revoked_at', row[KEY.revokedAt]),
    lastUsedAt: parseDateOrNull('last_used_at', row[KEY.lastUsedAt]),
    createdBy: parseTextOrNull('created_by', row[KEY.createdBy]),
    noticedDays: row[KEY.noticedDays] === null ? null : parseInteger('noticed_days', row[KEY.noticedDays]),
    networks: row[KEY.networks] === null ? [] : parseTexts('networks', row[KEY.networks]),
  }));
}

/** Columns in the order of the schema. */
export function fromVerificationRow(row: Row): VerificationRecord {
  return parseRow('verification', row[AT.id], () => ({
    ...withoutDocuments(row),
    metadata: parseJsonObject('metadata', row[AT.metadata]),
    answers: parseJsonObject('answers', row[AT.answers]),
    reviewData: parseJsonObject('review_data', row[AT.reviewData]),
    dataKey: dataKeyOf(row[AT.dataKeyWrappedBy], row[AT.dataKey]),
    notify: row[AT.notify] === null ? null : parseJsonObject('notify', row[AT.notify]),
    warnings: row[AT.warnings] === null ? null : parseJsonObject('warnings', row[AT.warnings]),
  }));
}

/** Parses the columns of a verification, in the order of the schema, but its documents and its data key. */
export function withoutDocuments(row: Row): Omit<VerificationRecord, RecordDocument> {
  return {
    clientId: parseText('client_id', row[AT.clientId]),
    id: parseText('id', row[AT.id]),
    type: parseEnum('type', SUBJECT_TYPES, row[AT.type]),
    subjectReference: parseText('subject_reference', row[AT.subjectReference]),
    status: parseEnum('status', STATUSES, row[AT.status]),
    requestedAt: parseDate('requested_at', row[AT.requestedAt]),
    resolvedAt: parseDateOrNull('resolved_at', row[AT.resolvedAt]),
    currentStep: parseInteger('current_step', row[AT.currentStep]),
    version: parseInteger('version', row[AT.version]),
    linkVersion: parseInteger('link_version', row[AT.linkVersion]),
    linkExpiresAt: parseDate('link_expires_at', row[AT.linkExpiresAt]),
    idempotencyKey: parseTextOrNull('idempotency_key', row[AT.idempotencyKey]),
    idempotencyFingerprint: parseTextOrNull('idempotency_fingerprint', row[AT.idempotencyFingerprint]),
    submittedAt: parseDateOrNull('submitted_at', row[AT.submittedAt]),
    claimedBy: parseTextOrNull('claimed_by', row[AT.claimedBy]),
    claimedAt: parseDateOrNull('claimed_at', row[AT.claimedAt]),
    sandboxOutcome: parseEnumOrNull('sandbox_outcome', SANDBOX_OUTCOMES, row[AT.sandboxOutcome]),
    flowVersion: parseInteger('flow_version', row[AT.flowVersion]),
    eventCount: parseInteger('event_count', row[AT.eventCount]),
    returnUrl: parseTextOrNull('return_url', row[AT.returnUrl]),
    locale: parseTextOrNull('locale', row[AT.locale]),
    relationshipEndedAt: parseDateOrNull('relationship_ended_at', row[AT.relationshipEndedAt]),
    heldAt: parseDateOrNull('held_at', row[AT.heldAt]),
    heldBy: parseTextOrNull('held_by', row[AT.heldBy]),
    heldUntil: parseDateOrNull('held_until', row[AT.heldUntil]),
    erasureRequestedAt: parseDateOrNull('erasure_requested_at', row[AT.erasureRequestedAt]),
    erasedAt: parseDateOrNull('erased_at', row[AT.erasedAt]),
    erasureNumber: row[AT.erasureNumber] === null ? null : parseInteger('erasure_number', row[AT.erasureNumber]),
    retentionCheckAt: parseDateOrNull('retention_check_at', row[AT.retentionCheckAt]),
    uploadsCheckAt: parseDateOrNull('uploads_check_at', row[AT.uploadsCheckAt]),
    severity: parseEnumOrNull('severity', SEVERITIES, row[AT.severity]),
    isResubmitted: parseBoolean('is_resubmitted', row[AT.isResubmitted]),
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
    const metadata = isJsonObject(columns[AT.metadata]) ? columns[AT.metadata] : {};
    const documents = columns
      .toSpliced(AT.metadata, 3, metadata, {}, {})
      .with(AT.notify, null)
      .with(AT.warnings, null)
      .with(AT.severity, null);
    return unreadableRecord(fromVerificationRow(documents), fault);
  }
}

/** A data key of its two columns, which are both set or both null. */
export function dataKeyOf(wrappedBy: unknown, wrapped: unknown): WrappedDataKey | null {
  if (wrapped === null) return null;
  return { wrappedBy: parseText('data_key_wrapped_by', wrappedBy), wrapped: parseText('data_key', wrapped) };
}
