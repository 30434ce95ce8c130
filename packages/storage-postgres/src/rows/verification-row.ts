import { STATUSES, SUBJECT_TYPES, type VerificationRecord } from '@countersign/domain';
import type { Value } from '../connection/statement.ts';
import type { verifications } from '../schema/index.ts';
import {
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

/** Each column a field of the record and each field a column: the types hold them together. */
type Columns = { [K in keyof typeof verifications.$inferSelect & keyof VerificationRecord]: Value } & {
  [K in Exclude<keyof typeof verifications.$inferSelect, keyof VerificationRecord>]: never;
};

export function toVerificationRow(record: VerificationRecord): Columns {
  return {
    ...record,
    requestedAt: momentText(record.requestedAt),
    resolvedAt: momentTextOrNull(record.resolvedAt),
    linkExpiresAt: momentText(record.linkExpiresAt),
    metadata: JSON.stringify(record.metadata),
    answers: JSON.stringify(record.answers),
    dossier: JSON.stringify(record.dossier),
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
    dossier: jsonObject('dossier', row[15]),
  }));
}
