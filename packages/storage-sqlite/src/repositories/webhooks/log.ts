import { DELIVERY_STATES, type WebhookRepository } from '@countersign/domain/storage';
import { isBefore } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { compile, compileRows, fieldsOf, parameter } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { oneOf, sql } from '../../drizzle.ts';
import { verificationEvents } from '../../schema.ts';
import { attemptRows, deliveryRows } from '../../tables/rows.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../webhook-tables.ts';
import { RECEIVERS, UNSENT_OF_RECEIVER } from './fan-out.ts';
import { createWaitingDeliveries, DUE_AFTER_EARLIER } from './waiting-deliveries.ts';

type LogOperations = Pick<
  WebhookRepository,
  'deliveries' | 'attempts' | 'resend' | 'forget' | 'backlog' | 'countPausedAfterFailures'
>;

const TO_ENDPOINT = sql`${webhookDeliveries.endpointId} = ${parameter('endpointId')}
  and ${webhookDeliveries.clientId} = ${parameter('clientId')}`;
const OF_EVENT = sql`${webhookDeliveries.eventId} = ${parameter('eventId')}`;

/** States of deliveries that do not wait. Written out, so that each is a range of the index. */
const PAST_STATES = DELIVERY_STATES.filter((state) => state !== 'waiting');

export function createLog(session: Session): LogOperations {
  const { connection, readAtOnce } = session;
  const { at, eventId, state } = webhookDeliveries;

  const paused = compile(
    connection,
    sql`select count(*) from ${webhookEndpoints}
      where ${webhookEndpoints.state} = 'paused' and ${webhookEndpoints.failingSince} is not null`,
  );
  const page = compileRows<typeof webhookDeliveries.$inferSelect>(
    connection,
    sql`select ${fieldsOf(webhookDeliveries)} from ${webhookDeliveries}
      where ${TO_ENDPOINT} and ${state} = ${parameter('state')}
        and ${isBefore([at, eventId], ['at', 'eventId'].map(parameter))}
      order by ${at} desc, ${eventId} desc limit ${sql.placeholder('limit')}`,
  );
  const delivery = compile(
    connection,
    sql`select 1 from ${webhookDeliveries} where ${TO_ENDPOINT} and ${OF_EVENT}`,
  );
  const attempts = compileRows<typeof webhookAttempts.$inferSelect>(
    connection,
    sql`select ${fieldsOf(webhookAttempts)} from ${webhookAttempts}
      where ${webhookAttempts.clientId} = ${parameter('clientId')}
        and ${webhookAttempts.endpointId} = ${parameter('endpointId')}
        and ${webhookAttempts.eventId} = ${parameter('eventId')}
      order by ${webhookAttempts.at}, ${webhookAttempts.id}`,
  );

  return {
    deliveries: ({ clientId, endpointId, state: only, after, limit }) =>
      readAtOnce(() => {
        // Without `after`, from the newest delivery.
        const position = { at: after?.at.getTime() ?? Number.MAX_SAFE_INTEGER, eventId: after?.eventId ?? '' };
        const states = only === undefined ? DELIVERY_STATES : [only];
        const rows = states.flatMap((each) => page.all({ clientId, endpointId, state: each, limit, ...position }));
        rows.sort((a, b) => b.at - a.at || (a.eventId < b.eventId ? 1 : -1));
        return rows.slice(0, limit).map(deliveryRows.fromRow);
      }),

    attempts: (clientId, endpointId, id) =>
      readAtOnce(() => {
        const place = { clientId, endpointId, eventId: id };
        return delivery.get(place) === undefined ? null : attempts.all(place).map(attemptRows.fromRow);
      }),

    resend: createResend(session),
    forget: createForget(session),
    backlog: createBacklog(session),
    countPausedAfterFailures: () => readAtOnce(() => Number(paused.get()?.[0])),
  };
}

function createResend(session: Session): WebhookRepository['resend'] {
  const { connection, write } = session;
  const waiting = createWaitingDeliveries(session);
  const stateOf = compile(
    connection,
    sql`select ${webhookEndpoints.state} from ${webhookEndpoints}
      where ${webhookEndpoints.clientId} = ${parameter('clientId')}
        and ${webhookEndpoints.id} = ${parameter('endpointId')}`,
  );
  const resend = (condition: SQL) =>
    compile(
      connection,
      sql`update ${webhookDeliveries}
        set state = 'waiting', attempts = 0, due_at = ${DUE_AFTER_EARLIER(THIS_DELIVERY)}
        where ${TO_ENDPOINT} and ${condition}`,
    );
  const one = resend(sql`${OF_EVENT} and ${webhookDeliveries.state} <> 'waiting'`);
  const all = resend(sql`${oneOf(webhookDeliveries.state, PAST_STATES)}
    and ${webhookDeliveries.at} >= ${parameter('since')}`);

  return ({ clientId, endpointId, which, now }) =>
    write<Awaited<ReturnType<WebhookRepository['resend']>>>(() => {
      const endpoint = stateOf.get({ clientId, endpointId });
      if (endpoint === undefined) return { keep: false, value: { outcome: 'not_found' } };
      if (endpoint[0] === 'disabled') return { keep: false, value: { outcome: 'disabled' } };
      const given = { clientId, endpointId, now: now.getTime() };
      const changes =
        'eventId' in which
          ? one.run({ ...given, eventId: which.eventId })
          : all.run({ ...given, since: which.since.getTime() });
      waiting.refresh(endpointId);
      return { keep: true, value: { outcome: 'resent', count: changes } };
    });
}

/** The row that an UPDATE changes. */
const THIS_DELIVERY = {
  endpointId: sql`${webhookDeliveries}.endpoint_id`,
  verificationId: sql`${webhookDeliveries}.verification_id`,
  version: sql`${webhookDeliveries}.version`,
};

function createForget({ connection, write }: Session): WebhookRepository['forget'] {
  // The cross joins make SQLite read a range of the index for each endpoint and state.
  const past = sql`
    select deliveries.rowid from ${webhookEndpoints} as endpoints
    cross join (select value as state from json_each(${sql.raw(`'${JSON.stringify(PAST_STATES)}'`)})) as states
    cross join ${webhookDeliveries} as deliveries
    where deliveries.endpoint_id = endpoints.id and deliveries.state = states.state and deliveries.at < ${parameter('before')}
    limit ${sql.placeholder('limit')}`;
  const forget = compile(connection, sql`delete from ${webhookDeliveries} where rowid in (${past})`);

  return ({ before, limit }) =>
    write(() => {
      const changes = forget.run({ before: before.getTime(), limit });
      return { keep: true, value: changes };
    });
}

function createBacklog({ connection, readAtOnce }: Session): WebhookRepository['backlog'] {
  const active = sql`${webhookEndpoints} as endpoints`;
  const waiting = sql`deliveries.endpoint_id = endpoints.id and deliveries.state = 'waiting'`;
  const deliveries = compile(
    connection,
    sql`select
      (select count(*) from (
        select 1 from ${active} cross join ${webhookDeliveries} as deliveries
        where endpoints.state = 'active' and ${waiting} limit ${sql.placeholder('limit')}
      )),
      (select min(oldest) from (
        select (select min(deliveries.at) from ${webhookDeliveries} as deliveries where ${waiting}) as oldest
        from ${active} where endpoints.state = 'active'
      ))`,
  );
  const unsent = compile(
    connection,
    sql`select
      (select count(*) from (
        select 1 from ${RECEIVERS} as receivers cross join ${verificationEvents} as events
        where events.unsent is not null and events.client_id = receivers.client_id and events.at >= receivers.since
        limit ${sql.placeholder('limit')}
      )),
      (select min(oldest) from (
        select (select min(at) from ${verificationEvents} where ${UNSENT_OF_RECEIVER}) as oldest from ${RECEIVERS} as receivers
      ))`,
  );

  return (limit) =>
    readAtOnce(() => {
      const counted = [deliveries.get({ limit }), unsent.get({ limit })] as [number, number | null][];
      const times = counted.flatMap(([, oldest]) => (oldest === null ? [] : [oldest]));
      return {
        waiting: counted.reduce((sum, [count]) => sum + count, 0),
        oldestAt: times.length === 0 ? null : new Date(Math.min(...times)),
      };
    });
}
