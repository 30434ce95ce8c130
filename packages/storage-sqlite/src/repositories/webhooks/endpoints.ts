import type { WebhookRepository } from '@countersign/domain/storage';
import { type EndpointState, MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import { assignments, insertInto } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { compile, compileRows, fieldsOf, parameter } from '../../connection/compiled.ts';
import { violatedConstraint } from '../../connection/connection.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { endpointRows } from '../../tables/rows.ts';
import { webhookEndpoints } from '../../webhook-tables.ts';
import { freeSlot } from '../free-slot.ts';
import { createWaitingDeliveries } from './waiting-deliveries.ts';

type EndpointOperations = Pick<WebhookRepository, 'add' | 'list' | 'change' | 'remove'>;

export function createEndpoints(session: Session): EndpointOperations {
  const { connection, read, write } = session;
  const waiting = createWaitingDeliveries(session);
  const ofClient = sql`${webhookEndpoints.clientId} = ${parameter('clientId')}`;
  const theEndpoint = sql`${ofClient} and ${webhookEndpoints.id} = ${parameter('id')}`;
  const select = (rest: SQL) =>
    compileRows<typeof webhookEndpoints.$inferSelect>(
      connection,
      sql`select ${fieldsOf(webhookEndpoints)} from ${webhookEndpoints} where ${rest}`,
    );

  const slot = freeSlot(webhookEndpoints, MAX_WEBHOOK_ENDPOINTS);
  const insert = compile(connection, insertInto(webhookEndpoints, { slot }));
  const listed = select(sql`${ofClient} order by ${webhookEndpoints.createdAt}, ${webhookEndpoints.id}`);
  const found = select(theEndpoint);
  const remove = compile(connection, sql`delete from ${webhookEndpoints} where ${theEndpoint}`);

  return {
    async add(endpoint) {
      const row = endpointRows.toRow(endpoint);
      return write<{ outcome: 'added' | 'limit_reached' | 'client_not_found' }>(() => {
        try {
          insert.run(row);
          return { keep: true, value: { outcome: 'added' } };
        } catch (error) {
          const violated = violatedConstraint(error);
          if (violated === 'endpointSlot') return { keep: false, value: { outcome: 'limit_reached' } };
          if (violated === 'knownClient') return { keep: false, value: { outcome: 'client_not_found' } };
          throw error;
        }
      });
    },

    list: (clientId) => read(() => listed.all({ clientId }).map(endpointRows.fromRow)),

    change: (clientId, id, change, now, expected = {}) =>
      write<Awaited<ReturnType<WebhookRepository['change']>>>(() => {
        const before = found.get({ clientId, id });
        if (before === undefined) return { keep: false, value: { outcome: 'not_found' } };
        const { state = before.state, secretVersion = before.secretVersion } = expected;
        if (before.state !== state || before.secretVersion !== secretVersion)
          return { keep: false, value: { outcome: 'conflict' } };
        const columns = endpointRows.toColumns(change);
        const after = columns.state as EndpointState | undefined;
        if (after !== undefined) waiting.follow(id, { before: before.state, after, now: now.getTime() });
        const changed = after === 'disabled' ? { ...columns, dueAt: null } : columns;
        if (Object.keys(changed).length > 0) {
          const set = assignments(webhookEndpoints, Object.keys(changed));
          compile(connection, sql`update ${webhookEndpoints} set ${set} where ${theEndpoint}`).run({
            ...changed,
            clientId,
            id,
          });
        }
        waiting.refresh(id);
        const endpoint = endpointRows.fromRow({ ...before, ...columns });
        return { keep: true, value: { outcome: 'changed', endpoint } };
      }),

    remove: (clientId, id) =>
      write<{ outcome: 'removed' | 'not_found' }>(() => {
        const changes = remove.run({ clientId, id });
        return { keep: changes > 0, value: { outcome: changes > 0 ? 'removed' : 'not_found' } };
      }),
  };
}
