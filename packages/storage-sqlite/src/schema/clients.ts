import { PLANS, SUBSCRIPTION_STATUSES } from '@countersign/domain';
import { check, integer, primaryKey, sql, sqliteTable, text } from '../drizzle.ts';
import { oneOf } from './constraints.ts';

/** Moments are milliseconds since 1970 in every table. */
export const clients = sqliteTable(
  'clients',
  {
    id: text('id').notNull().primaryKey(),
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    /** 1 or 0. */
    sandbox: integer('sandbox').notNull().default(0),
  },
  (table) => [check('clients_sandbox_yes_or_no', sql`${table.sandbox} in (0, 1)`)],
);

/** One row a client, or none. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    clientId: text('client_id')
      .notNull()
      .primaryKey()
      .references(() => clients.id),
    plan: text('plan').notNull(),
    status: text('status').notNull(),
    monthlyLimit: integer('monthly_limit'),
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at'),
  },
  (table) => [
    check('subscriptions_known_plan', oneOf(table.plan, PLANS)),
    check('subscriptions_known_status', oneOf(table.status, SUBSCRIPTION_STATUSES)),
  ],
);

/** Verifications charged to a client in a month (`YYYY-MM`, UTC), and how many it was allowed at the last charge. */
export const usage = sqliteTable(
  'usage',
  {
    clientId: text('client_id')
      .notNull()
      .references(() => clients.id),
    month: text('month').notNull(),
    used: integer('used').notNull(),
    allowance: integer('allowance').notNull(),
  },
  (table) => [
    primaryKey({ name: 'usage_pk', columns: [table.clientId, table.month] }),
    check('usage_within_allowance', sql`${table.used} <= ${table.allowance}`),
  ],
);
