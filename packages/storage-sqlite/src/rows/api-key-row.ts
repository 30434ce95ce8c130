import { type ApiKey, PERMISSIONS } from '@countersign/domain';
import type { apiKeys } from '../schema/index.ts';
import { jsonArray, known, moment, momentOrNull, parseRow } from './parse-row.ts';

type Row = typeof apiKeys.$inferSelect;

/** The slot is given by the database. */
export function toApiKeyRow(key: ApiKey): Omit<Row, 'slot'> {
  return {
    ...key,
    permissions: JSON.stringify(key.permissions),
    createdAt: key.createdAt.getTime(),
    expiresAt: key.expiresAt?.getTime() ?? null,
    revokedAt: key.revokedAt?.getTime() ?? null,
    lastUsedAt: key.lastUsedAt?.getTime() ?? null,
  };
}

export function fromApiKeyRow(row: Row): ApiKey {
  return parseRow('API key', row.id, () => ({
    id: row.id,
    clientId: row.clientId,
    name: row.name,
    hash: row.hash,
    display: row.display,
    permissions: jsonArray('permissions', row.permissions).map((one) =>
      known('permission', PERMISSIONS, String(one)),
    ),
    createdAt: moment('created_at', row.createdAt),
    expiresAt: momentOrNull('expires_at', row.expiresAt),
    revokedAt: momentOrNull('revoked_at', row.revokedAt),
    lastUsedAt: momentOrNull('last_used_at', row.lastUsedAt),
  }));
}
