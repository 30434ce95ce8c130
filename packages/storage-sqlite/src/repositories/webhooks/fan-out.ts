import { EVENT_TYPES } from '@countersign/domain';
import { parseEnum, parseRow, type WebhookRepository } from '@countersign/domain/storage';
import { webhookTypeOf } from '@countersign/domain/webhooks';
import { insertInto } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { compile, compileRows, fieldsOf, parameter } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { parseJsonArray } from '../../rows/parse-row.ts';
import { verificationEvents } from '../../schema.ts';
import { webhookDeliveries, webhookEndpoints } from '../../webhook-tables.ts';
import { ROWID } from '../group-statements.ts';
import { createWaitingDeliveries, DUE_AFTER_EARLIER } from './waiting-deliveries.ts';

/** The clients with endpoints that are not disabled, and since when an endpoint of theirs receives events. */
export const RECEIVERS = sql`(
  select client_id, min(since) as since from ${webhookEndpoints} where ${webhookEndpoints.state} <> 'disabled' group by client_id
)`;

/** Where the unsent events of a receiver begin. */
export const UNSENT_OF_RECEIVER = sql`unsent is not null and client_id = receivers.client_id and at >= receivers.since`;

const { clientId, id, verificationId, version, type, at } = verificationEvents;
const EVENT = fieldsOf({ rowid: ROWID, clientId, id, verificationId, version, type, at });

interface UnsentEvent {
  readonly rowid: number;
  readonly clientId: string;
  readonly id: string;
  readonly verificationId: string;
  readonly version: number;
  readonly type: string;
  readonly at: number;
}

export function createFanOut(session: Session): WebhookRepository['fanOut'] {
  const { connection, write } = session;
  const waiting = createWaitingDeliveries(session);
  const receivers = compile(
    connection,
    sql`select * from (
      select client_id, since, (select min(at) from ${verificationEvents} where ${UNSENT_OF_RECEIVER}) as oldest
      from ${RECEIVERS} as receivers
    ) where oldest is not null order by oldest`,
  );
  const select = (rest: SQL) =>
    compileRows<UnsentEvent>(
      connection,
      sql`select ${EVENT} from ${verificationEvents} where ${verificationEvents.unsent} is not null
        and ${at} >= ${parameter('since')} and ${rest}`,
    );
  const oldest = select(sql`${clientId} = ${parameter('clientId')}
    order by ${at}, ${version}, ${id} limit ${sql.placeholder('limit')}`);
  const earlier = select(sql`${verificationId} = ${parameter('verificationId')}
    and ${version} < ${parameter('version')}`);
  const endpoints = compileRows<Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'since' | 'types'>>(
    connection,
    sql`select id, since, types from ${webhookEndpoints}
      where ${webhookEndpoints.clientId} = ${parameter('clientId')} and ${webhookEndpoints.state} <> 'disabled'`,
  );
  const [ofEndpoint, ofVerification, ofVersion] = ['endpointId', 'verificationId', 'version'].map(parameter);
  const deliver = compile(
    connection,
    insertInto(webhookDeliveries, {
      state: sql`'waiting'`,
      attempts: sql`0`,
      dueAt: DUE_AFTER_EARLIER({ endpointId: ofEndpoint, verificationId: ofVerification, version: ofVersion }),
    }),
  );
  const markSent = compile(
    connection,
    sql`update ${verificationEvents} set unsent = null where ${ROWID} = ${parameter('rowid')}`,
  );

  /** Takes the oldest events of all clients. A client is read only if it has an event among them. */
  function take(limit: number): UnsentEvent[] {
    const taken: UnsentEvent[] = [];
    const sinceOf = new Map<string, number>();
    for (const columns of receivers.all({})) {
      // Of the client: since when it receives events, and the time of its oldest unsent event.
      const [clientId, since, first] = columns as [string, number, number];
      const last = taken[limit - 1];
      if (last !== undefined && last.at < first) break;
      sinceOf.set(clientId, since);
      taken.push(...oldest.all({ clientId, since, limit }));
      taken.sort(inOrder);
    }
    const first = taken.slice(0, limit);
    const chosen = new Map(first.map((event) => [event.rowid, event]));
    for (const { clientId, verificationId, version } of first) {
      for (const event of earlier.all({ verificationId, version, since: sinceOf.get(clientId) ?? 0 }))
        chosen.set(event.rowid, event);
    }
    return [...chosen.values()];
  }

  return ({ now, limit }) =>
    write(() => {
      const events = take(limit).sort((a, b) => a.version - b.version);
      const reached = new Set<string>();
      const receiving = new Map<string, ReturnType<typeof endpoints.all>>();
      for (const event of events) {
        const { clientId, rowid, at } = event;
        const ofClient = receiving.get(clientId) ?? endpoints.all({ clientId });
        receiving.set(clientId, ofClient);
        const type = parseRow('event', event.id, () => webhookTypeOf(parseEnum('type', EVENT_TYPES, event.type)));
        for (const { id, since, types } of ofClient) {
          if (type === null || since > at || !parseJsonArray('types', types).includes(type)) continue;
          deliver.run({ ...event, endpointId: id, eventId: event.id, type, now: now.getTime() });
          reached.add(id);
        }
        markSent.run({ rowid });
      }
      for (const id of reached) waiting.refresh(id);
      return { keep: events.length > 0, value: events.length };
    });
}

function inOrder(a: UnsentEvent, b: UnsentEvent): number {
  return a.at - b.at || a.version - b.version || (a.id < b.id ? -1 : 1);
}
