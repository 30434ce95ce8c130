import { DECLINE_REASONS, EXPORT_REQUESTERS, type ExportRequest } from '@countersign/domain/exports';
import { parseEnum, parseRow } from '@countersign/domain/storage';
import type { exportRequests } from '../export-tables.ts';
import { parseDate, parseDateOrNull } from './parse-row.ts';

type ExportRow = typeof exportRequests.$inferSelect;

export function toExportRow(one: ExportRequest): ExportRow {
  const { requestedAt, releasedAt, expiresAt, downloadedAt, declinedAt, ...same } = one;
  return {
    ...same,
    requestedAt: requestedAt.getTime(),
    releasedAt: releasedAt?.getTime() ?? null,
    expiresAt: expiresAt?.getTime() ?? null,
    downloadedAt: downloadedAt?.getTime() ?? null,
    declinedAt: declinedAt?.getTime() ?? null,
  };
}

export function fromExportRow(row: ExportRow): ExportRequest {
  return parseRow('export', row.id, () => ({
    ...row,
    requestedAt: parseDate('requested_at', row.requestedAt),
    requestedBy: parseEnum('requested_by', EXPORT_REQUESTERS, row.requestedBy),
    releasedAt: parseDateOrNull('released_at', row.releasedAt),
    expiresAt: parseDateOrNull('expires_at', row.expiresAt),
    downloadedAt: parseDateOrNull('downloaded_at', row.downloadedAt),
    declinedAt: parseDateOrNull('declined_at', row.declinedAt),
    declineReason:
      row.declineReason === null ? null : parseEnum('decline_reason', DECLINE_REASONS, row.declineReason),
  }));
}
