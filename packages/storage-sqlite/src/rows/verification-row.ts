import { STATUSES, SUBJECT_TYPES, type VerificationRecord } from '@countersign/domain';
import type { Columns } from '../connection/compiled.ts';
import type { verifications } from '../schema/index.ts';
import { jsonObject, known, moment, momentOrNull, parseRow } from './parse-row.ts';

type Row = typeof verifications.$inferSelect;

/** A row of its columns in the order of the table. Spelled out: a loop over names takes as long as the statement. */
export function verificationRowOf(columns: Columns): Row {
  return {
    clientId: columns[0] as Row['clientId'],
    id: columns[1] as Row['id'],
    type: columns[2] as Row['type'],
    subjectReference: columns[3] as Row['subjectReference'],
    status: columns[4] as Row['status'],
    requestedAt: columns[5] as Row['requestedAt'],
    resolvedAt: columns[6] as Row['resolvedAt'],
    currentStep: columns[7] as Row['currentStep'],
    version: columns[8] as Row['version'],
    linkVersion: columns[9] as Row['linkVersion'],
    linkExpiresAt: columns[10] as Row['linkExpiresAt'],
    idempotencyKey: columns[11] as Row['idempotencyKey'],
    idempotencyFingerprint: columns[12] as Row['idempotencyFingerprint'],
    metadata: columns[13] as Row['metadata'],
    answers: columns[14] as Row['answers'],
    dossier: columns[15] as Row['dossier'],
  };
}

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
