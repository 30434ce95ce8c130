import type { LeaseHold, LeaseOutcome, Outbox } from '@countersign/domain';
import { parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, eq, inArray, isNull, lte, sql } from '../drizzle.ts';
import { fromEventRow } from '../rows/rows.ts';
import { verificationEvents } from '../schema.ts';

type Row = typeof verificationEvents.$inferSelect;

const ROWID = sql`rowid`;

export function createOutbox({ db, write }: Session): Outbox {
  const undelivered = isNull(verificationEvents.deliveredAt);
  const due = db
    .select({ rowid: ROWID })
    .from(verificationEvents)
    .where(and(undelivered, lte(verificationEvents.availableAt, parameter('now'))))
    .orderBy(asc(verificationEvents.at), asc(verificationEvents.id))
    .limit(sql.placeholder('limit'));
  const lease = db
    .update(verificationEvents)
    .set({
      leaseToken: parameter('leaseToken'),
      availableAt: parameter('until'),
      attempts: sql`${verificationEvents.attempts} + 1`,
    })
    .where(inArray(ROWID, due))
    .returning()
    .prepare();

  const held = and(
    eq(verificationEvents.leaseToken, parameter('leaseToken')),
    eq(verificationEvents.id, parameter('eventId')),
    eq(verificationEvents.clientId, parameter('clientId')),
    undelivered,
  );
  const ack = db
    .update(verificationEvents)
    .set({ deliveredAt: parameter('at'), leaseToken: null })
    .where(held)
    .prepare();
  const fail = db
    .update(verificationEvents)
    .set({ availableAt: parameter('at'), leaseToken: null })
    .where(held)
    .prepare();

  /** Ends a lease that still holds. */
  const end = (statement: typeof ack, hold: LeaseHold, at: Date): Promise<LeaseOutcome> =>
    write<LeaseOutcome>(() => {
      const { changes } = statement.run({ ...hold, at: at.getTime() });
      return { keep: true, value: { outcome: changes > 0 ? 'done' : 'lease_lost' } };
    });

  return {
    lease: ({ leaseToken, now, until, limit }) =>
      write(() => {
        const rows = lease.all({ leaseToken, now: now.getTime(), until: until.getTime(), limit });
        const value = rows.sort(oldestFirst).map((row) => ({ event: fromEventRow(row), attempt: row.attempts }));
        return { keep: true, value };
      }),
    ack: (hold, at) => end(ack, hold, at),
    fail: (hold, retryAt) => end(fail, hold, retryAt),
  };
}

/** SQLite returns changed rows in no particular order. */
function oldestFirst(a: Row, b: Row): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}
