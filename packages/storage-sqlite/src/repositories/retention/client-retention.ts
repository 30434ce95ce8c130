import type { RetentionRepository } from '@countersign/domain/storage';
import { parameter, prepared } from '../../connection/compiled.ts';
import { violatedConstraint } from '../../connection/connection.ts';
import type { Session } from '../../connection/session.ts';
import { asc, eq, gt, sql } from '../../drizzle.ts';
import { clientRetention } from '../../retention-tables.ts';
import { fromClientRetentionRow, policyText } from '../../rows/retention-rows.ts';
import { clients } from '../../schema.ts';

type ClientOperations = Pick<RetentionRepository, 'ofClient' | 'ofClients' | 'setPolicy' | 'setPlan'>;

/** The policy of the client; of a test twin, that of its client. */
const APPLIED_POLICY = sql<string | null>`(
  select applied.policy from ${clientRetention} as applied
  where applied.client_id = coalesce(${clients.testOf}, ${clients.id})
)`;

export function createClientRetention({ db, read, readPage, write }: Session): ClientOperations {
  const entries = () =>
    db
      .select({ id: clients.id, retention: clientRetention, policy: APPLIED_POLICY })
      .from(clients)
      .leftJoin(clientRetention, eq(clientRetention.clientId, clients.id));
  const one = prepared(entries().where(eq(clients.id, parameter('clientId'))));
  const page = prepared(
    entries()
      // Every id comes after the empty text.
      .where(gt(clients.id, parameter('after')))
      .orderBy(asc(clients.id))
      .limit(sql.placeholder('limit')),
  );

  /** Returns false for an unknown client. */
  const set = (clientId: string, columns: Partial<typeof clientRetention.$inferInsert>): boolean => {
    try {
      db.insert(clientRetention)
        .values({ clientId, ...columns })
        .onConflictDoUpdate({ target: clientRetention.clientId, set: columns })
        .run();
      return true;
    } catch (error) {
      if (violatedConstraint(error) !== 'knownClient') throw error;
      return false;
    }
  };

  return {
    ofClient: (clientId) =>
      read(() => {
        const row = one.get({ clientId });
        return row === undefined ? null : retentionOf(row);
      }),

    ofClients: (after, limit) => readPage(() => page.all({ after: after ?? '', limit }).map(retentionOf)),

    setPolicy: (clientId, policy) =>
      write<{ outcome: 'changed' | 'client_not_found' }>(() => {
        const isKnown = set(clientId, { policy: policyText(policy) });
        return { keep: isKnown, value: { outcome: isKnown ? 'changed' : 'client_not_found' } };
      }),

    setPlan: ({ clientId, plannedBy, plannedAfter }) =>
      write(() => ({ keep: set(clientId, { plannedBy, plannedAfter }), value: undefined })),
  };
}

type Stored = typeof clientRetention.$inferSelect;

function retentionOf(row: {
  readonly id: string;
  readonly policy: string | null;
  readonly retention: Stored | null;
}) {
  const { plannedBy, plannedAfter } = row.retention ?? { plannedBy: null, plannedAfter: null };
  return fromClientRetentionRow(row.id, { clientId: row.id, policy: row.policy, plannedBy, plannedAfter });
}
