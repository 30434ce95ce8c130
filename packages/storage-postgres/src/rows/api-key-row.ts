import { type ApiKey, PERMISSIONS } from '@countersign/domain';
import type { Value } from '../connection/statement.ts';
import type { apiKeys } from '../schema/index.ts';
import { jsonArray, known, moment, momentOrNull, parseRow, type Row, text, textOrNull } from './parse-row.ts';
import { momentText, momentTextOrNull } from './values.ts';

/** The slot is given by the database. */
type Columns = { [K in keyof Omit<typeof apiKeys.$inferSelect, 'slot'>]: Value };

export function toApiKeyRow(key: ApiKey): Columns {
  return {
    ...key,
    hash: `\\x${key.hash}`,
    permissions: JSON.stringify(key.permissions),
    createdAt: momentText(key.createdAt),
    expiresAt: momentTextOrNull(key.expiresAt),
    revokedAt: momentTextOrNull(key.revokedAt),
    lastUsedAt: momentTextOrNull(key.lastUsedAt),
  };
}

/** Columns in the order of the schema; the slot stands before the last. */
export function fromApiKeyRow(row: Row): ApiKey {
  return parseRow('API key', row[1], () => ({
    clientId: text('client_id', row[0]),
    id: text('id', row[1]),
    name: text('name', row[2]),
    hash: text('hash', row[3]),
    display: text('display', row[4]),
    permissions: jsonArray('permissions', row[5]).map((one) => known('permission', PERMISSIONS, one)),
    createdAt: moment('created_at', row[6]),
    expiresAt: momentOrNull('expires_at', row[7]),
    revokedAt: momentOrNull('revoked_at', row[8]),
    lastUsedAt: momentOrNull('last_used_at', row[9]),
    createdBy: textOrNull('created_by', row[11]),
  }));
}
