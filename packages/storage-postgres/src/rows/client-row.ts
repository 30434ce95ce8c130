import {
  type ApiKey,
  type Client,
  PERMISSIONS,
  PLANS,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '@countersign/domain';
import type { Value } from '../connection/statement.ts';
import type { apiKeys, clients, subscriptions } from '../schema/index.ts';
import {
  momentText,
  momentTextOrNull,
  parseBoolean,
  parseDate,
  parseDateOrNull,
  parseEnum,
  parseInteger,
  parseJsonArray,
  parseRow,
  parseText,
  parseTextOrNull,
  type Row,
} from './parse-row.ts';

type ClientColumns = { [K in keyof typeof clients.$inferSelect]: Value };
type SubscriptionColumns = { [K in keyof Omit<typeof subscriptions.$inferSelect, 'clientId'>]: Value };

export function toClientRow(client: Client): ClientColumns {
  return { ...client, createdAt: momentText(client.createdAt) };
}

/** Columns in the order of the schema. */
export function fromClientRow(row: Row): Client {
  return parseRow('client', row[0], () => ({
    id: parseText('id', row[0]),
    name: parseText('name', row[1]),
    createdAt: parseDate('created_at', row[2]),
    sandbox: parseBoolean('sandbox', row[3]),
  }));
}

export function toSubscriptionRow(subscription: Subscription): SubscriptionColumns {
  return {
    ...subscription,
    startsAt: momentText(subscription.startsAt),
    endsAt: momentTextOrNull(subscription.endsAt),
  };
}

/** Columns in the order of the schema, from the one given on; all null where an outer join found none. */
export function fromSubscriptionRow(row: Row, from = 0): Subscription | null {
  const clientId = row[from];
  if (clientId === null) return null;
  return parseRow('subscription of the client', clientId, () => ({
    plan: parseEnum('plan', PLANS, row[from + 1]),
    status: parseEnum('status', SUBSCRIPTION_STATUSES, row[from + 2]),
    monthlyLimit: row[from + 3] === null ? null : parseInteger('monthly_limit', row[from + 3]),
    startsAt: parseDate('starts_at', row[from + 4]),
    endsAt: parseDateOrNull('ends_at', row[from + 5]),
  }));
}

/** The slot is given by the database. */
type ApiKeyColumns = { [K in keyof Omit<typeof apiKeys.$inferSelect, 'slot'>]: Value };

export function toApiKeyRow(key: ApiKey): ApiKeyColumns {
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

/** ApiKeyColumns in the order of the schema; the slot stands before the last. */
export function fromApiKeyRow(row: Row): ApiKey {
  return parseRow('API key', row[1], () => ({
    clientId: parseText('client_id', row[0]),
    id: parseText('id', row[1]),
    name: parseText('name', row[2]),
    hash: parseText('hash', row[3]),
    display: parseText('display', row[4]),
    permissions: parseJsonArray('permissions', row[5]).map((one) => parseEnum('permission', PERMISSIONS, one)),
    createdAt: parseDate('created_at', row[6]),
    expiresAt: parseDateOrNull('expires_at', row[7]),
    revokedAt: parseDateOrNull('revoked_at', row[8]),
    lastUsedAt: parseDateOrNull('last_used_at', row[9]),
    createdBy: parseTextOrNull('created_by', row[11]),
  }));
}
