import { index, integer, primaryKey, sql, sqliteTable, text } from '../drizzle.ts';
import { verifications } from './verifications.ts';

/** History, audit trail and outbox in one. What happened is never changed; the last four columns are the outbox's. */
export const verificationEvents = sqliteTable(
  'verification_events',
  {
    clientId: text('client_id').notNull(),
    id: text('id').notNull(),
    verificationId: text('verification_id')
      .notNull()
      .references(() => verifications.id),
    version: integer('version').notNull(),
    type: text('type').notNull(),
    status: text('status').notNull(),
    at: integer('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorId: text('actor_id'),
    /** JSON object. */
    data: text('data').notNull(),
    /** When it is due: at first its own moment, then the end of a lease or the next attempt. */
    availableAt: integer('available_at').notNull(),
    leaseToken: text('lease_token'),
    attempts: integer('attempts').notNull(),
    deliveredAt: integer('delivered_at'),
  },
  (table) => [
    // In the order in which a history is read.
    primaryKey({ name: 'verification_events_pk', columns: [table.verificationId, table.version, table.id] }),
    index('verification_events_undelivered').on(table.at, table.id).where(sql`${table.deliveredAt} is null`),
    // Holds just what workers hold at the moment: it costs a creation nothing.
    index('verification_events_leased').on(table.leaseToken).where(sql`${table.leaseToken} is not null`),
  ],
);
