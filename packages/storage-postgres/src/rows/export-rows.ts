import { DECLINE_REASONS, EXPORT_REQUESTERS, type ExportRequest } from '@countersign/domain/exports';
import { parseEnum, parseRow } from '@countersign/domain/storage';
import type { Value } from '../connection/statement.ts';
import type { exportRequests } from '../schema.ts';
import {
  momentText,
  momentTextOrNull,
  parseDate,
  parseDateOrNull,
  parseInteger,
  parseText,
  parseTextOrNull,
  type Row,
} from './parse-row.ts';

type ExportColumns = { [K in keyof typeof exportRequests.$inferSelect]: Value };

export function toExportRow(one: ExportRequest): ExportColumns {
  const { requestedAt, releasedAt, expiresAt, downloadedAt, declinedAt, ...same } = one;
  return {
    ...same,
    requestedAt: momentText(requestedAt),
    releasedAt: momentTextOrNull(releasedAt),
    expiresAt: momentTextOrNull(expiresAt),
    downloadedAt: momentTextOrNull(downloadedAt),
    declinedAt: momentTextOrNull(declinedAt),
  };
}

/** Columns in the order of the schema. */
export function fromExportRow(row: Row): ExportRequest {
  return parseRow('export', row[1], () => ({
    clientId: parseText('client_id', row[0]),
    id: parseText('id', row[1]),
    verificationId: parseText('verification_id', row[2]),
    requestedAt: parseDate('requested_at', row[3]),
    requestedBy: parseEnum('requested_by', EXPORT_REQUESTERS, row[4]),
    releasedAt: parseDateOrNull('released_at', row[5]),
    releasedBy: parseTextOrNull('released_by', row[6]),
    codeHash: parseTextOrNull('code_hash', row[7]),
    linkVersion: parseInteger('link_version', row[8]),
    expiresAt: parseDateOrNull('expires_at', row[9]),
    wrongCodes: parseInteger('wrong_codes', row[10]),
    downloadedAt: parseDateOrNull('downloaded_at', row[11]),
    downloads: parseInteger('downloads', row[12]),
    declinedAt: parseDateOrNull('declined_at', row[13]),
    declineReason: row[14] === null ? null : parseEnum('decline_reason', DECLINE_REASONS, row[14]),
  }));
}
