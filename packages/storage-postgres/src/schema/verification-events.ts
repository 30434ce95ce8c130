import { foreignKey, index, integer, jsonb, pgTable, primaryKey, sql, text, uuid } from '../drizzle.ts';
import { moment } from './columns.ts';
import { verifications } from './verifications.ts';

/** History, audit trail and outbox in one. What happened is never changed; the last four columns are the outbox's. */
export const verificationEvents = pgTable(
  'verification_events',
  {
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    verificationId: uuid('verification_id').notNull(),
    version: integer('version').notNull(),
    type: text('type').notNull(),
    status: text('status').notNull(),
    at: moment('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorId: text('actor_id'),
    data: jsonb('data').notNull(),
    /** When it is due: at first its own moment, then the end of a lease or the next attempt. */
    availableAt: moment('available_at').notNull(),
    leaseToken: text('lease_token'),
    attempts: integer('attempts').notNull(),
    deliveredAt: moment('delivered_at'),
  },
  (table) => [
    // In the order in which a history is read.
    primaryKey({
      name: 'verification_events_pk',
      columns: [table.clientId, table.verificationId, table.version, table.id],
    }),
    foreignKey({
      name: 'verification_events_verification',
      columns: [table.clientId, table.verificationId],
      foreignColumns: [verifications.clientId, verifications.id],
    }),
    index('verification_events_undelivered').on(table.at, table.id).where(sql`${table.deliveredAt} is null`),
    // Holds just what workers hold at the moment: it costs a creation nothing.
    index('verification_events_leased').on(table.leaseToken).where(sql`${table.leaseToken} is not null`),
  ],
);
