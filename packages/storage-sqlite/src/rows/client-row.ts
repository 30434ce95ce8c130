import {
  type ApiKey,
  type Client,
  PERMISSIONS,
  PLANS,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '@countersign/domain';
import type { Columns } from '../connection/compiled.ts';
import { getTableColumns } from '../drizzle.ts';
import { apiKeys, type clients, type subscriptions } from '../schema/index.ts';
import { parseBoolean, parseDate, parseDateOrNull, parseEnum, parseJsonArray, parseRow } from './parse-row.ts';

type ClientRow = typeof clients.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

export function toClientRow(client: Client): ClientRow {
  return { ...client, createdAt: client.createdAt.getTime(), sandbox: Number(client.sandbox) };
}

export function fromClientRow(row: ClientRow): Client {
  return parseRow('client', row.id, () => ({
    id: row.id,
    name: row.name,
    createdAt: parseDate('created_at', row.createdAt),
    sandbox: parseBoolean('sandbox', row.sandbox),
  }));
}

export function toSubscriptionRow(clientId: string, subscription: Subscription): SubscriptionRow {
  return {
    clientId,
    ...subscription,
    startsAt: subscription.startsAt.getTime(),
    endsAt: subscription.endsAt?.getTime() ?? null,
  };
}

/** A row of its columns in the order of the table, which begin at `first`; null where a join found none. */
export function subscriptionRowOf(columns: Columns, first: number): SubscriptionRow | null {
  if (columns[first] === null) return null;
  return {
    clientId: columns[first] as SubscriptionRow['clientId'],
    plan: columns[first + 1] as SubscriptionRow['plan'],
    status: columns[first + 2] as SubscriptionRow['status'],
    monthlyLimit: columns[first + 3] as SubscriptionRow['monthlyLimit'],
    startsAt: columns[first + 4] as SubscriptionRow['startsAt'],
    endsAt: columns[first + 5] as SubscriptionRow['endsAt'],
  };
}

/** A client has one subscription or none. */
export function fromSubscriptionRow(row: SubscriptionRow | null): Subscription | null {
  if (row === null) return null;
  return parseRow('subscription of the client', row.clientId, () => ({
    plan: parseEnum('plan', PLANS, row.plan),
    status: parseEnum('status', SUBSCRIPTION_STATUSES, row.status),
    monthlyLimit: row.monthlyLimit,
    startsAt: parseDate('starts_at', row.startsAt),
    endsAt: parseDateOrNull('ends_at', row.endsAt),
  }));
}

type ApiKeyRow = typeof apiKeys.$inferSelect;

/** What is read of a key that is looked up by its hash. */
const { hash, slot, ...KNOWN_BY_HASH } = getTableColumns(apiKeys);

export { KNOWN_BY_HASH };

/** A key of those columns, in their order. */
export function apiKeyOf(columns: Columns, hash: string): ApiKey {
  return fromApiKeyRow({
    hash,
    clientId: columns[0] as ApiKeyRow['clientId'],
    id: columns[1] as ApiKeyRow['id'],
    name: columns[2] as ApiKeyRow['name'],
    display: columns[3] as ApiKeyRow['display'],
    permissions: columns[4] as ApiKeyRow['permissions'],
    createdAt: columns[5] as ApiKeyRow['createdAt'],
    expiresAt: columns[6] as ApiKeyRow['expiresAt'],
    revokedAt: columns[7] as ApiKeyRow['revokedAt'],
    lastUsedAt: columns[8] as ApiKeyRow['lastUsedAt'],
    createdBy: columns[9] as ApiKeyRow['createdBy'],
  });
}

/** The slot is given by the database. */
export function toApiKeyRow(key: ApiKey): Omit<ApiKeyRow, 'slot'> {
  return {
    ...key,
    permissions: JSON.stringify(key.permissions),
    createdAt: key.createdAt.getTime(),
    expiresAt: key.expiresAt?.getTime() ?? null,
    revokedAt: key.revokedAt?.getTime() ?? null,
    lastUsedAt: key.lastUsedAt?.getTime() ?? null,
  };
}

export function fromApiKeyRow(row: Omit<ApiKeyRow, 'slot'>): ApiKey {
  return parseRow('API key', row.id, () => ({
    id: row.id,
    clientId: row.clientId,
    name: row.name,
    hash: row.hash,
    display: row.display,
    permissions: parseJsonArray('permissions', row.permissions).map((one) =>
      parseEnum('permission', PERMISSIONS, String(one)),
    ),
    createdAt: parseDate('created_at', row.createdAt),
    createdBy: row.createdBy,
    expiresAt: parseDateOrNull('expires_at', row.expiresAt),
    revokedAt: parseDateOrNull('revoked_at', row.revokedAt),
    lastUsedAt: parseDateOrNull('last_used_at', row.lastUsedAt),
  }));
}
