import { DELIVERY_STATES, type WebhookRepository } from '@countersign/domain/storage';
import { isBefore } from '@countersign/statements';
import { compile, parameter, prepared } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { and, asc, desc, eq, gte, inArray, isNotNull, ne, sql } from '../../drizzle.ts';
import { fromAttemptRow, fromDeliveryRow } from '../../rows/webhook-rows.ts';
import { verificationEvents } from '../../schema.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../webhook-tables.ts';
import { RECEIVERS, UNSENT_OF_RECEIVER } from './fan-out.ts';
import { createWaitingDeliveries, DUE_AFTER_EARLIER } from './waiting-deliveries.ts';

type LogOperations = Pick<
  WebhookRepository,
  'deliveries' | 'attempts' | 'resend' | 'forget' | 'backlog' | 'countPausedAfterFailures'
>;

const TO_ENDPOINT = and(
  eq(webhookDeliveries.endpointId, parameter('endpointId')),
  eq(webhookDeliveries.clientId, parameter('clientId')),
);
const OF_EVENT = eq(webhookDeliveries.eventId, parameter('eventId'));

/** States of deliveries that do not wait. Written out, so that each is a range of the index. */
const PAST_STATES = DELIVERY_STATES.filter((state) => state !== 'waiting');

export function createLog(session: Session): LogOperations {
  const { db, readAtOnce } = session;
  const { at, eventId, state } = webhookDeliveries;

  const paused = prepared(
    db
      .select({ count: sql<number>`count(*)` })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.state, 'paused'), isNotNull(webhookEndpoints.failingSince))),
  );
  const page = prepared(
    db
      .select()
      .from(webhookDeliveries)
      .where(
        and(TO_ENDPOINT, eq(state, parameter('state')), isBefore([at, eventId], ['at', 'eventId'].map(parameter))),
      )
      .orderBy(desc(at), desc(eventId))
      .limit(sql.placeholder('limit')),
  );
  const delivery = prepared(db.select().from(webhookDeliveries).where(and(TO_ENDPOINT, OF_EVENT)));
  const attempts = prepared(
    db
      .select()
      .from(webhookAttempts)
      .where(
        and(
          eq(webhookAttempts.clientId, parameter('clientId')),
          eq(webhookAttempts.endpointId, parameter('endpointId')),
          eq(webhookAttempts.eventId, parameter('eventId')),
        ),
      )
      .orderBy(asc(webhookAttempts.at), asc(webhookAttempts.id)),
  );

  return {
    deliveries: ({ clientId, endpointId, state: only, after, limit }) =>
      readAtOnce(() => {
        // Without `after`, from the newest delivery.
        const position = { at: after?.at.getTime() ?? Number.MAX_SAFE_INTEGER, eventId: after?.eventId ?? '' };
        const states = only === undefined ? DELIVERY_STATES : [only];
        const rows = states.flatMap((each) => page.all({ clientId, endpointId, state: each, limit, ...position }));
        rows.sort((a, b) => b.at - a.at || (a.eventId < b.eventId ? 1 : -1));
        return rows.slice(0, limit).map(fromDeliveryRow);
      }),

    attempts: (clientId, endpointId, id) =>
      readAtOnce(() => {
        const place = { clientId, endpointId, eventId: id };
        return delivery.get(place) === undefined ? null : attempts.all(place).map(fromAttemptRow);
      }),

    resend: createResend(session),
    forget: createForget(session),
    backlog: createBacklog(session),
    countPausedAfterFailures: () => readAtOnce(() => paused.get()?.count ?? 0),
  };
}

function createResend(session: Session): WebhookRepository['resend'] {
  const { db, write } = session;
  const waiting = createWaitingDeliveries(session);
  const stateOf = prepared(
    db
      .select({ state: webhookEndpoints.state })
      .from(webhookEndpoints)
      .where(
        and(
          eq(webhookEndpoints.clientId, parameter('clientId')),
          eq(webhookEndpoints.id, parameter('endpointId')),
        ),
      ),
  );
  const resent = () =>
    db
      .update(webhookDeliveries)
      .set({ state: 'waiting', attempts: 0, dueAt: DUE_AFTER_EARLIER(THIS_DELIVERY) })
      .$dynamic();
  const one = prepared(resent().where(and(TO_ENDPOINT, OF_EVENT, ne(webhookDeliveries.state, 'waiting'))));
  const all = prepared(
    resent().where(
      and(
        TO_ENDPOINT,
        inArray(webhookDeliveries.state, [...PAST_STATES]),
        gte(webhookDeliveries.at, parameter('since')),
      ),
    ),
  );

  return ({ clientId, endpointId, which, now }) =>
    write<Awaited<ReturnType<WebhookRepository['resend']>>>(() => {
      const endpoint = stateOf.get({ clientId, endpointId });
      if (endpoint === undefined) return { keep: false, value: { outcome: 'not_found' } };
      if (endpoint.state === 'disabled') return { keep: false, value: { outcome: 'disabled' } };
      const given = { clientId, endpointId, now: now.getTime() };
      const { changes } =
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

function createForget({ db, write }: Session): WebhookRepository['forget'] {
  // The cross joins make SQLite read a range of the index for each endpoint and state.
  const past = sql`
    select deliveries.rowid from ${webhookEndpoints} as endpoints
    cross join (select value as state from json_each(${sql.raw(`'${JSON.stringify(PAST_STATES)}'`)})) as states
    cross join ${webhookDeliveries} as deliveries
    where deliveries.endpoint_id = endpoints.id and deliveries.state = states.state and deliveries.at < ${parameter('before')}
    limit ${sql.placeholder('limit')}`;
  const forget = prepared(db.delete(webhookDeliveries).where(sql`rowid in (${past})`));

  return ({ before, limit }) =>
    write(() => {
      const { changes } = forget.run({ before: before.getTime(), limit });
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
