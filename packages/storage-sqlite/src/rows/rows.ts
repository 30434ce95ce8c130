import {
  type ApiKey,
  type JsonObject,
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
  unreadableRecord,
  type VerificationRecord,
  type WrappedDataKey,
} from '@countersign/domain/storage';
import * as tables from '@countersign/tables';
import type { Columns } from '../connection/compiled.ts';
import * as own from './own-columns.ts';
import {
  isJsonObject,
  parseBoolean,
  parseDate,
  parseDateOrNull,
  parseJsonArray,
  parseJsonObject,
  parseTexts,
} from './parse-row.ts';
import type { Row } from './row.ts';

type ApiKeyRow = Row<typeof tables.apiKeys.columns>;

const KEY = tables.positionsOf(tables.apiKeys);

/** Parses a key from its columns in the order of the table. Written out, as `fromVerificationRow`: every request needs it. */
export function apiKeyOf(columns: Columns): ApiKey {
  return parseRow('API key', columns[KEY.id], () => ({
    id: columns[KEY.id] as ApiKeyRow['id'],
    clientId: columns[KEY.clientId] as ApiKeyRow['clientId'],
    name: columns[KEY.name] as ApiKeyRow['name'],
    hash: columns[KEY.hash] as ApiKeyRow['hash'],
    display: columns[KEY.display] as ApiKeyRow['display'],
    permissions: parseJsonArray('permissions', columns[KEY.permissions] as ApiKeyRow['permissions']).map((one) =>
      parseEnum('permissions', PERMISSIONS, one),
    ),
    networks: columns[KEY.networks] === null ? [] : parseTexts('networks', columns[KEY.networks] as string),
    createdAt: parseDate('created_at', columns[KEY.createdAt] as ApiKeyRow['createdAt']),
    createdBy: columns[KEY.createdBy] as ApiKeyRow['createdBy'],
    expiresAt: parseDateOrNull('expires_at', columns[KEY.expiresAt] as ApiKeyRow['expiresAt']),
    revokedAt: parseDateOrNull('revoked_at', columns[KEY.revokedAt] as ApiKeyRow['revokedAt']),
    lastUsedAt: parseDateOrNull('last_used_at', columns[KEY.lastUsedAt] as ApiKeyRow['lastUsedAt']),
    noticedDays: columns[KEY.noticedDays] as ApiKeyRow['noticedDays'],
  }));
}

type VerificationRow = Row<typeof tables.verifications.columns>;

const AT = tables.positionsOf(own.verifications);

/** Parses columns in the order of the table. Written out, because a loop over names takes as long as the statement. */
export function fromVerificationRow(columns: Columns): VerificationRecord {
  return parseRow('verification', columns[AT.id] as VerificationRow['id'], () => ({
    clientId: columns[AT.clientId] as VerificationRow['clientId'],
    id: columns[AT.id] as VerificationRow['id'],
    type: parseEnum('type', SUBJECT_TYPES, columns[AT.type] as VerificationRow['type']),
    subjectReference: columns[AT.subjectReference] as VerificationRow['subjectReference'],
    status: parseEnum('status', STATUSES, columns[AT.status] as VerificationRow['status']),
    requestedAt: parseDate('requested_at', columns[AT.requestedAt] as VerificationRow['requestedAt']),
    resolvedAt: parseDateOrNull('resolved_at', columns[AT.resolvedAt] as VerificationRow['resolvedAt']),
    currentStep: columns[AT.currentStep] as VerificationRow['currentStep'],
    version: columns[AT.version] as VerificationRow['version'],
    linkVersion: columns[AT.linkVersion] as VerificationRow['linkVersion'],
    linkExpiresAt: parseDate('link_expires_at', columns[AT.linkExpiresAt] as VerificationRow['linkExpiresAt']),
    idempotencyKey: columns[AT.idempotencyKey] as VerificationRow['idempotencyKey'],
    idempotencyFingerprint: columns[AT.idempotencyFingerprint] as VerificationRow['idempotencyFingerprint'],
    metadata: parseJsonObject('metadata', columns[AT.metadata] as VerificationRow['metadata']),
    answers: parseJsonObject('answers', columns[AT.answers] as VerificationRow['answers']),
    reviewData: parseJsonObject('review_data', columns[AT.reviewData] as VerificationRow['reviewData']),
    submittedAt: parseDateOrNull('submitted_at', columns[AT.submittedAt] as VerificationRow['submittedAt']),
    claimedBy: columns[AT.claimedBy] as VerificationRow['claimedBy'],
    claimedAt: parseDateOrNull('claimed_at', columns[AT.claimedAt] as VerificationRow['claimedAt']),
    dataKey: dataKeyOf(
      columns[AT.dataKeyWrappedBy] as VerificationRow['dataKeyWrappedBy'],
      columns[AT.dataKey] as VerificationRow['dataKey'],
    ),
    sandboxOutcome: parseEnumOrNull(
      'sandbox_outcome',
      SANDBOX_OUTCOMES,
      columns[AT.sandboxOutcome] as VerificationRow['sandboxOutcome'],
    ),
    flowVersion: columns[AT.flowVersion] as VerificationRow['flowVersion'],
    eventCount: columns[AT.eventCount] as VerificationRow['eventCount'],
    returnUrl: columns[AT.returnUrl] as VerificationRow['returnUrl'],
    locale: columns[AT.locale] as VerificationRow['locale'],
    relationshipEndedAt: parseDateOrNull(
      'relationship_ended_at',
      columns[AT.relationshipEndedAt] as VerificationRow['relationshipEndedAt'],
    ),
    heldAt: parseDateOrNull('held_at', columns[AT.heldAt] as VerificationRow['heldAt']),
    heldBy: columns[AT.heldBy] as VerificationRow['heldBy'],
    heldUntil: parseDateOrNull('held_until', columns[AT.heldUntil] as VerificationRow['heldUntil']),
    erasureRequestedAt: parseDateOrNull(
      'erasure_requested_at',
      columns[AT.erasureRequestedAt] as VerificationRow['erasureRequestedAt'],
    ),
    erasedAt: parseDateOrNull('erased_at', columns[AT.erasedAt] as VerificationRow['erasedAt']),
    erasureNumber: columns[AT.erasureNumber] as VerificationRow['erasureNumber'],
    retentionCheckAt: parseDateOrNull(
      'retention_check_at',
      columns[AT.retentionCheckAt] as VerificationRow['retentionCheckAt'],
    ),
    uploadsCheckAt: parseDateOrNull(
      'uploads_check_at',
      columns[AT.uploadsCheckAt] as VerificationRow['uploadsCheckAt'],
    ),
    notify: objectOf('notify', columns[AT.notify] as VerificationRow['notify']),
    warnings: objectOf('warnings', columns[AT.warnings] as VerificationRow['warnings']),
    severity: parseEnumOrNull('severity', SEVERITIES, columns[AT.severity] as VerificationRow['severity']),
    isResubmitted: parseBoolean('is_resubmitted', columns[AT.isResubmitted] as VerificationRow['isResubmitted']),
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
    const metadata = isJsonObject(columns[AT.metadata] as VerificationRow['metadata'])
      ? columns[AT.metadata]
      : '{}';
    const documents = columns
      .toSpliced(AT.metadata, 3, metadata, '{}', '{}')
      .with(AT.notify, null)
      .with(AT.warnings, null)
      .with(AT.severity, null);
    return unreadableRecord(fromVerificationRow(documents), fault);
  }
}

const objectOf = (column: string, text: string | null): JsonObject | null =>
  text === null ? null : parseJsonObject(column, text);

/** A data key of its two columns, which are both set or both null. */
export function dataKeyOf(wrappedBy: string | null, wrapped: string | null): WrappedDataKey | null {
  return wrapped === null || wrappedBy === null ? null : { wrappedBy, wrapped };
}
