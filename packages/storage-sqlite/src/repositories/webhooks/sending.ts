import type { Attempt, EndpointLease, WebhookRepository } from '@countersign/domain/storage';
import type { EndpointState } from '@countersign/domain/webhooks';
import { insertInto } from '@countersign/statements';
import { type Compiled, compile, compileRows, fieldsOf, parameter } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { verificationEvents, verifications } from '../../schema.ts';
import { attemptRows, endpointRows, eventRows } from '../../tables/rows.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../webhook-tables.ts';
import { ROWID } from '../group-statements.ts';
import { createAddMails } from '../mail-queue.ts';
import { createWaitingDeliveries } from './waiting-deliveries.ts';

type SendingOperations = Pick<WebhookRepository, 'leaseEndpoints' | 'extend' | 'due' | 'settle' | 'release'>;

const OF_LEASE = sql`${webhookEndpoints.clientId} = ${parameter('clientId')}
  and ${webhookEndpoints.id} = ${parameter('endpointId')}
  and ${webhookEndpoints.leaseToken} = ${parameter('leaseToken')}`;

/** What an endpoint needs to be sent to: its state, and since when it fails. */
type HeldEndpoint = Pick<typeof webhookEndpoints.$inferSelect, 'state' | 'failingSince'>;

function compileHeld({ connection }: Session): Compiled<HeldEndpoint> {
  const { state, failingSince } = webhookEndpoints;
  return compileRows(
    connection,
    sql`select ${fieldsOf({ state, failingSince })} from ${webhookEndpoints} where ${OF_LEASE}`,
  );
}

export function createSending(session: Session): SendingOperations {
  const { connection, readAtOnce, write } = session;
  const settle = createSettle(session);
  const waiting = createWaitingDeliveries(session);
  const endpoints = webhookEndpoints;
  const deliveries = webhookDeliveries;

  const lease = compileRows<typeof endpoints.$inferSelect>(
    connection,
    sql`update ${endpoints} set lease_token = ${parameter('leaseToken')}, leased_until = ${parameter('until')}
      where ${ROWID} in (
        select ${ROWID} from ${endpoints}
        where ${endpoints.dueAt} is not null and ${endpoints.state} = 'active'
          and ${endpoints.dueAt} <= ${parameter('now')}
          and (${endpoints.leasedUntil} is null or ${endpoints.leasedUntil} <= ${parameter('now')})
          and ${endpoints.id} not in (select value from json_each(${parameter('except')}))
        order by ${endpoints.dueAt}, ${endpoints.id} limit ${sql.placeholder('limit')})
      returning ${fieldsOf(endpoints)}`,
  );
  const extend = compile(
    connection,
    sql`update ${endpoints} set leased_until = ${parameter('until')} where ${OF_LEASE}`,
  );
  const release = compile(
    connection,
    sql`update ${endpoints} set lease_token = null, leased_until = null where ${OF_LEASE}`,
  );
  const held = compileHeld(session);
  const due = compileRows<typeof verificationEvents.$inferSelect & { readonly tried: number }>(
    connection,
    sql`select ${fieldsOf(verificationEvents)}, ${deliveries.attempts} as tried from ${deliveries}
      inner join ${verificationEvents} on ${verificationEvents.verificationId} = ${deliveries.verificationId}
        and ${verificationEvents.version} = ${deliveries.version}
        and ${verificationEvents.id} = ${deliveries.eventId}
      where ${deliveries.endpointId} = ${parameter('endpointId')}
        and ${deliveries.dueAt} is not null and ${deliveries.dueAt} <= ${parameter('now')}
        and ${deliveries.verificationId} not in (select value from json_each(${parameter('except')}))
        and not exists (
          select 1 from ${deliveries} as earlier
          where earlier.verification_id = ${deliveries.verificationId} and earlier.version < ${deliveries.version}
            and earlier.endpoint_id = ${deliveries.endpointId} and earlier.due_at is not null
        )
      order by ${deliveries.dueAt}, ${deliveries.at}, ${deliveries.eventId} limit ${sql.placeholder('limit')}`,
  );

  return {
    leaseEndpoints: ({ leaseToken, now, until, limit, except = [] }) =>
      write(() => {
        const times = { now: now.getTime(), until: until.getTime() };
        const rows = lease.all({ leaseToken, ...times, limit, except: JSON.stringify(except) });
        // SQLite returns changed rows in no particular order.
        rows.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.id < b.id ? -1 : 1));
        return { keep: true, value: rows.map(endpointRows.fromRow) };
      }),

    extend: (of, until) =>
      write<{ outcome: 'extended' | 'lease_lost' }>(() => {
        const changes = extend.run({ ...of, until: until.getTime() });
        return { keep: true, value: { outcome: changes > 0 ? 'extended' : 'lease_lost' } };
      }),

    due: (of, { now, limit, except }) =>
      readAtOnce(() => {
        if (held.get(of)?.state !== 'active') return null;
        const { endpointId } = of;
        const rows = due.all({ endpointId, now: now.getTime(), limit, except: JSON.stringify(except) });
        return rows.map((row) => ({ event: eventRows.fromRow(row), attempts: row.tried }));
      }),

    settle,

    release: (of) =>
      write(() => {
        release.run(of);
        waiting.refresh(of.endpointId);
        return { keep: true, value: undefined };
      }),
  };
}

function createSettle(session: Session): WebhookRepository['settle'] {
  const { connection, write } = session;
  const waiting = createWaitingDeliveries(session);
  const storeAttempt = createStoreAttempt(session);
  const addMails = createAddMails(session);

  const held = compileHeld(session);
  const settleWaiting = compile(
    connection,
    sql`update ${webhookDeliveries} set state = ${parameter('state')},
      attempts = ${webhookDeliveries.attempts} + 1, due_at = ${parameter('dueAt')}
      where ${THE_DELIVERY} and ${webhookDeliveries.state} = 'waiting'`,
  );
  const postponeLater = compile(
    connection,
    sql`update ${webhookDeliveries} set due_at = ${parameter('dueAt')}
      where ${webhookDeliveries.verificationId} = ${parameter('verificationId')}
        and ${webhookDeliveries.version} > ${parameter('version')}
        and ${webhookDeliveries.endpointId} = ${parameter('endpointId')}
        and ${webhookDeliveries.dueAt} < ${parameter('dueAt')}`,
  );
  const setEndpoint = compile(
    connection,
    sql`update ${webhookEndpoints} set state = ${parameter('state')}, failing_since = ${parameter('failingSince')},
      due_at = case when ${parameter('state')} = 'disabled' then null else ${webhookEndpoints.dueAt} end
      where ${OF_LEASE}`,
  );

  return (
    lease,
    { eventId, verificationId, version },
    { attempt, settlement, pauseIfFailingSince, wake, disable, mailsIfPaused = [] },
  ) =>
    write<Awaited<ReturnType<WebhookRepository['settle']>>>(() => {
      const endpoint = held.get({ ...lease });
      if (endpoint === undefined) return { keep: false, value: { outcome: 'lease_lost' } };
      const { endpointId } = lease;
      const delivery = { clientId: lease.clientId, endpointId, eventId };
      const dueAt = settlement.state === 'waiting' ? settlement.dueAt.getTime() : null;

      storeAttempt(delivery, attempt, verificationId);
      const changes = settleWaiting.run({ ...delivery, state: settlement.state, dueAt });
      if (changes > 0 && dueAt !== null) postponeLater.run({ endpointId, verificationId, version, dueAt });

      const now = attempt.at.getTime();
      const { failingSince: before } = endpoint;
      const isDelivered = settlement.state === 'delivered';
      const failingSince = isDelivered
        ? before !== null && now <= before
          ? before
          : null
        : Math.min(before ?? now, now);
      const ended = before !== null && failingSince === null ? { since: new Date(before), until: null } : null;
      const outage = isDelivered ? (wake.outage ?? ended) : null;
      const isCut =
        outage !== null &&
        waiting.wake(endpointId, {
          at: now,
          since: outage.since.getTime(),
          until: outage.until?.getTime() ?? null,
          limit: wake.limit,
          withinMs: wake.withinMs,
        });
      const isPaused =
        !isDelivered &&
        endpoint.state === 'active' &&
        failingSince !== null &&
        failingSince <= pauseIfFailingSince.getTime();
      const state = disable ? 'disabled' : isPaused ? 'paused' : (endpoint.state as EndpointState);
      if (state !== endpoint.state || failingSince !== before) {
        waiting.follow(endpointId, { before: endpoint.state, after: state, now });
        setEndpoint.run({ ...lease, state, failingSince });
      }
      if (isPaused && !disable) addMails(mailsIfPaused);
      waiting.refresh(endpointId);
      if (!isCut) return { keep: true, value: { outcome: 'settled' } };
      const unfinished = { since: outage.since, until: outage.until ?? attempt.at };
      return { keep: true, value: { outcome: 'settled', unfinished } };
    });
}

const THE_DELIVERY = sql`${webhookDeliveries.clientId} = ${parameter('clientId')}
  and ${webhookDeliveries.endpointId} = ${parameter('endpointId')}
  and ${webhookDeliveries.eventId} = ${parameter('eventId')}`;

type StoreAttempt = (
  delivery: Omit<EndpointLease, 'leaseToken'> & { eventId: string },
  attempt: Attempt,
  verificationId: string,
) => void;

/** Stores an attempt, unless its delivery was deleted; without texts, if the erasure of the verification has begun. */
function createStoreAttempt({ connection }: Session): StoreAttempt {
  const isThere = compile(connection, sql`select 1 from ${webhookDeliveries} where ${THE_DELIVERY}`);
  const erased = compile(
    connection,
    sql`select 1 from ${verifications}
      where ${verifications.id} = ${parameter('verificationId')} and ${verifications.erasedAt} is not null`,
  );
  const insert = compile(connection, insertInto(webhookAttempts));
  return (delivery, attempt, verificationId) => {
    if (isThere.get(delivery) === undefined) return;
    const isErased = erased.get({ verificationId }) !== undefined;
    const stored = isErased ? { ...attempt, request: '', response: null, fault: null } : attempt;
    insert.run(attemptRows.toRow(stored, delivery));
  };
}
