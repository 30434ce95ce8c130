import {
  SANDBOX_OUTCOMES,
  STATUSES,
  SUBJECT_TYPES,
  unreadableRecord,
  type VerificationRecord,
  type WrappedDataKey,
} from '@countersign/domain';
import type { Value } from '../connection/statement.ts';
import type { verifications } from '../schema/index.ts';
import {
  isJsonObject,
  jsonObject,
  known,
  moment,
  momentOrNull,
  parseRow,
  type Row,
  text,
  textOrNull,
  whole,
} from './parse-row.ts';
import { momentText, momentTextOrNull } from './values.ts';

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
    clientId: text('client_id', row[0]),
    id: text('id', row[1]),
    type: known('type', SUBJECT_TYPES, row[2]),
    subjectReference: text('subject_reference', row[3]),
    status: known('status', STATUSES, row[4]),
    requestedAt: moment('requested_at', row[5]),
    resolvedAt: momentOrNull('resolved_at', row[6]),
    currentStep: whole('current_step', row[7]),
    version: whole('version', row[8]),
    linkVersion: whole('link_version', row[9]),
    linkExpiresAt: moment('link_expires_at', row[10]),
    idempotencyKey: textOrNull('idempotency_key', row[11]),
    idempotencyFingerprint: textOrNull('idempotency_fingerprint', row[12]),
    metadata: jsonObject('metadata', row[13]),
    answers: jsonObject('answers', row[14]),
    reviewData: jsonObject('reviewData', row[15]),
    submittedAt: momentOrNull('submitted_at', row[16]),
    claimedBy: textOrNull('claimed_by', row[17]),
    claimedAt: momentOrNull('claimed_at', row[18]),
    dataKey: dataKeyOf(row[19], row[20]),
    sandboxOutcome: row[21] === null ? null : known('sandbox_outcome', SANDBOX_OUTCOMES, row[21]),
    flowVersion: whole('flow_version', row[22]),
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
  return { wrappedBy: text('data_key_wrapped_by', wrappedBy), wrapped: text('data_key', wrapped) };
}
