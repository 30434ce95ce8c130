import { type ApiKey, PERMISSIONS } from '@countersign/domain';
import type { Columns } from '../connection/compiled.ts';
import { getTableColumns } from '../drizzle.ts';
import { apiKeys } from '../schema/index.ts';
import { jsonArray, known, moment, momentOrNull, parseRow } from './parse-row.ts';

type Row = typeof apiKeys.$inferSelect;

/** What is read of a key that is looked up by its hash. */
const { hash, slot, ...KNOWN_BY_HASH } = getTableColumns(apiKeys);

export { KNOWN_BY_HASH };

/** A key of those columns, in their order. */
export function apiKeyOf(columns: Columns, hash: string): ApiKey {
  return fromApiKeyRow({
    hash,
    clientId: columns[0] as Row['clientId'],
    id: columns[1] as Row['id'],
    name: columns[2] as Row['name'],
    display: columns[3] as Row['display'],
    permissions: columns[4] as Row['permissions'],
    createdAt: columns[5] as Row['createdAt'],
    expiresAt: columns[6] as Row['expiresAt'],
    revokedAt: columns[7] as Row['revokedAt'],
    lastUsedAt: columns[8] as Row['lastUsedAt'],
    createdBy: columns[9] as Row['createdBy'],
  });
}

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

export function fromApiKeyRow(row: Omit<Row, 'slot'>): ApiKey {
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
    createdBy: row.createdBy,
    expiresAt: momentOrNull('expires_at', row.expiresAt),
    revokedAt: momentOrNull('revoked_at', row.revokedAt),
    lastUsedAt: momentOrNull('last_used_at', row.lastUsedAt),
  }));
}
