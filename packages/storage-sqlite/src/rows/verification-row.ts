import { STATUSES, SUBJECT_TYPES, type VerificationRecord } from '@countersign/domain';
import type { verifications } from '../schema/index.ts';
import { jsonObject, known, moment, momentOrNull, parseRow } from './parse-row.ts';

type Row = typeof verifications.$inferSelect;

/** Each column a field of the record and each field a column: the types hold them together. */
export function toVerificationRow(record: VerificationRecord): { [K in keyof VerificationRecord]: Row[K] } {
  return {
    ...record,
    requestedAt: record.requestedAt.getTime(),
    resolvedAt: record.resolvedAt?.getTime() ?? null,
    linkExpiresAt: record.linkExpiresAt.getTime(),
    metadata: JSON.stringify(record.metadata),
    answers: JSON.stringify(record.answers),
    dossier: JSON.stringify(record.dossier),
  };
}

export function fromVerificationRow(row: Row): VerificationRecord {
  return parseRow('verification', row.id, () => ({
    clientId: row.clientId,
    id: row.id,
    type: known('type', SUBJECT_TYPES, row.type),
    subjectReference: row.subjectReference,
    status: known('status', STATUSES, row.status),
    requestedAt: moment('requested_at', row.requestedAt),
    resolvedAt: momentOrNull('resolved_at', row.resolvedAt),
    currentStep: row.currentStep,
    version: row.version,
    linkVersion: row.linkVersion,
    linkExpiresAt: moment('link_expires_at', row.linkExpiresAt),
    idempotencyKey: row.idempotencyKey,
    idempotencyFingerprint: row.idempotencyFingerprint,
    metadata: jsonObject('metadata', row.metadata),
    answers: jsonObject('answers', row.answers),
    dossier: jsonObject('dossier', row.dossier),
  }));
}
