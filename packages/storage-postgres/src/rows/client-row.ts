import { type Client, PLANS, SUBSCRIPTION_STATUSES, type Subscription } from '@countersign/domain';
import type { Value } from '../connection/statement.ts';
import type { clients, subscriptions } from '../schema/index.ts';
import { flag, known, moment, momentOrNull, parseRow, type Row, text, whole } from './parse-row.ts';
import { momentText, momentTextOrNull } from './values.ts';

type ClientColumns = { [K in keyof typeof clients.$inferSelect]: Value };
type SubscriptionColumns = { [K in keyof Omit<typeof subscriptions.$inferSelect, 'clientId'>]: Value };

export function toClientRow(client: Client): ClientColumns {
  return { ...client, createdAt: momentText(client.createdAt) };
}

/** Columns in the order of the schema. */
export function fromClientRow(row: Row): Client {
  return parseRow('client', row[0], () => ({
    id: text('id', row[0]),
    name: text('name', row[1]),
    createdAt: moment('created_at', row[2]),
    sandbox: flag('sandbox', row[3]),
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
    plan: known('plan', PLANS, row[from + 1]),
    status: known('status', SUBSCRIPTION_STATUSES, row[from + 2]),
    monthlyLimit: row[from + 3] === null ? null : whole('monthly_limit', row[from + 3]),
    startsAt: moment('starts_at', row[from + 4]),
    endsAt: momentOrNull('ends_at', row[from + 5]),
  }));
}
