import { type Client, PLANS, SUBSCRIPTION_STATUSES, type Subscription } from '@countersign/domain';
import type { Columns } from '../connection/compiled.ts';
import type { clients, subscriptions } from '../schema/index.ts';
import { flag, known, moment, momentOrNull, parseRow } from './parse-row.ts';

type ClientRow = typeof clients.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

export function toClientRow(client: Client): ClientRow {
  return { ...client, createdAt: client.createdAt.getTime(), sandbox: Number(client.sandbox) };
}

export function fromClientRow(row: ClientRow): Client {
  return parseRow('client', row.id, () => ({
    id: row.id,
    name: row.name,
    createdAt: moment('created_at', row.createdAt),
    sandbox: flag('sandbox', row.sandbox),
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
    plan: known('plan', PLANS, row.plan),
    status: known('status', SUBSCRIPTION_STATUSES, row.status),
    monthlyLimit: row.monthlyLimit,
    startsAt: moment('starts_at', row.startsAt),
    endsAt: momentOrNull('ends_at', row.endsAt),
  }));
}
