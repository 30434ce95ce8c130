import type { ClientRetention, RetentionRepository } from '@countersign/domain/storage';
import { assignments, insertInto } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { compile, compileRows, fieldsOf, parameter } from '../../connection/compiled.ts';
import { violatedConstraint } from '../../connection/connection.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { clientRetention } from '../../retention-tables.ts';
import { clients } from '../../schema.ts';
import { clientRetentionRows } from '../../tables/rows.ts';

type ClientOperations = Pick<RetentionRepository, 'ofClient' | 'ofClients' | 'setPolicy' | 'setPlan'>;

/** The policy of the client; of a test twin, that of its client. */
const APPLIED_POLICY = sql`(
  select applied.policy from ${clientRetention} as applied
  where applied.client_id = coalesce(${clients.testOf}, ${clients.id})
)`;

export function createClientRetention({ connection, read, readPage, write }: Session): ClientOperations {
  const { plannedBy, plannedAfter } = clientRetention;
  const entries = (rest: SQL) =>
    compileRows<typeof clientRetention.$inferSelect>(
      connection,
      sql`select ${fieldsOf({ clientId: clients.id, policy: APPLIED_POLICY, plannedBy, plannedAfter })} from ${clients}
        left join ${clientRetention} on ${clientRetention.clientId} = ${clients.id} ${rest}`,
    );
  const one = entries(sql`where ${clients.id} = ${parameter('clientId')}`);
  // Every id comes after the empty text.
  const page = entries(
    sql`where ${clients.id} > ${parameter('after')} order by ${clients.id} limit ${sql.placeholder('limit')}`,
  );

  /** Returns false for an unknown client. */
  const set = (clientId: string, columns: Partial<typeof clientRetention.$inferInsert>): boolean => {
    const fields = Object.keys(columns);
    const insert = sql`${insertInto(clientRetention, {}, ['clientId', ...fields])} on conflict (client_id)
      do update set ${assignments(clientRetention, fields)}`;
    try {
      compile(connection, insert).run({ clientId, ...columns });
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
        const isKnown = set(clientId, clientRetentionRows.toColumns({ policy }));
        return { keep: isKnown, value: { outcome: isKnown ? 'changed' : 'client_not_found' } };
      }),

    setPlan: ({ clientId, plannedBy, plannedAfter }) =>
      write(() => ({ keep: set(clientId, { plannedBy, plannedAfter }), value: undefined })),
  };
}

function retentionOf(row: typeof clientRetention.$inferSelect): ClientRetention {
  return clientRetentionRows.fromRow(row);
}
