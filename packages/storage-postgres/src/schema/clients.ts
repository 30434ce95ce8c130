import { PLANS, SUBSCRIPTION_STATUSES } from '@countersign/domain';
import { boolean, check, foreignKey, integer, pgTable, primaryKey, sql, text, uuid } from '../drizzle.ts';
import { moment, oneOf } from './columns.ts';

export const clients = pgTable(
  'clients',
  {
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    createdAt: moment('created_at').notNull(),
    sandbox: boolean('sandbox').notNull().default(false),
  },
  (table) => [primaryKey({ name: 'clients_pk', columns: [table.id] })],
);

/** One row a client, or none. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    clientId: uuid('client_id').notNull(),
    plan: text('plan').notNull(),
    status: text('status').notNull(),
    monthlyLimit: integer('monthly_limit'),
    startsAt: moment('starts_at').notNull(),
    endsAt: moment('ends_at'),
  },
  (table) => [
    primaryKey({ name: 'subscriptions_pk', columns: [table.clientId] }),
    foreignKey({ name: 'subscriptions_client', columns: [table.clientId], foreignColumns: [clients.id] }),
    check('subscriptions_known_plan', oneOf(table.plan, PLANS)),
    check('subscriptions_known_status', oneOf(table.status, SUBSCRIPTION_STATUSES)),
  ],
);

/** Verifications charged to a client in a month (`YYYY-MM`, UTC), and how many it was allowed at the last charge. */
export const usage = pgTable(
  'usage',
  {
    clientId: uuid('client_id').notNull(),
    month: text('month').notNull(),
    used: integer('used').notNull(),
    allowance: integer('allowance').notNull(),
  },
  (table) => [
    primaryKey({ name: 'usage_pk', columns: [table.clientId, table.month] }),
    foreignKey({ name: 'usage_client', columns: [table.clientId], foreignColumns: [clients.id] }),
    check('usage_month_form', sql`${table.month} ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'`),
    check('usage_within_allowance', sql`${table.used} <= ${table.allowance}`),
  ],
);
