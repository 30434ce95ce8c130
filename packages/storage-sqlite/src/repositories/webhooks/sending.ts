import type { Attempt, EndpointLease, WebhookRepository } from '@countersign/domain/storage';
import type { EndpointState } from '@countersign/domain/webhooks';
import { columnParameters, parameter, prepared } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from '../../drizzle.ts';
import { fromEventRow } from '../../rows/rows.ts';
import { fromEndpointRow, toAttemptRow } from '../../rows/webhook-rows.ts';
import { verificationEvents, verifications } from '../../schema.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../webhook-tables.ts';
import { ROWID } from '../group-statements.ts';
import { createAddMails } from '../mail-queue.ts';
import { createWaitingDeliveries } from './waiting-deliveries.ts';

type SendingOperations = Pick<WebhookRepository, 'leaseEndpoints' | 'extend' | 'due' | 'settle' | 'release'>;

const OF_LEASE = and(
  eq(webhookEndpoints.clientId, parameter('clientId')),
  eq(webhookEndpoints.id, parameter('endpointId')),
  eq(webhookEndpoints.leaseToken, parameter('leaseToken')),
);

export function createSending(session: Session): SendingOperations {
  const { db, readAtOnce, write } = session;
  const settle = createSettle(session);
  const waiting = createWaitingDeliveries(session);

  const dueEndpoints = db
    .select({ rowid: ROWID })
    .from(webhookEndpoints)
    .where(
      and(
        isNotNull(webhookEndpoints.dueAt),
        eq(webhookEndpoints.state, sql`'active'`),
        lte(webhookEndpoints.dueAt, parameter('now')),
        or(isNull(webhookEndpoints.leasedUntil), lte(webhookEndpoints.leasedUntil, parameter('now'))),
        sql`${webhookEndpoints.id} not in (select value from json_each(${parameter('except')}))`,
      ),
    )
    .orderBy(asc(webhookEndpoints.dueAt), asc(webhookEndpoints.id))
    .limit(sql.placeholder('limit'));
  const lease = prepared(
    db
      .update(webhookEndpoints)
      .set({ leaseToken: parameter('leaseToken'), leasedUntil: parameter('until') })
      .where(inArray(ROWID, dueEndpoints))
      .returning(),
  );
  const extend = prepared(
    db
      .update(webhookEndpoints)
      .set({ leasedUntil: parameter('until') })
      .where(OF_LEASE),
  );
  const release = prepared(
    db.update(webhookEndpoints).set({ leaseToken: null, leasedUntil: null }).where(OF_LEASE),
  );
  const stateOfHeld = prepared(
    db.select({ state: webhookEndpoints.state }).from(webhookEndpoints).where(OF_LEASE),
  );
  const due = prepared(
    db
      .select({ event: getTableColumns(verificationEvents), attempts: webhookDeliveries.attempts })
      .from(webhookDeliveries)
      .innerJoin(
        verificationEvents,
        and(
          eq(verificationEvents.verificationId, webhookDeliveries.verificationId),
          eq(verificationEvents.version, webhookDeliveries.version),
          eq(verificationEvents.id, webhookDeliveries.eventId),
        ),
      )
      .where(
        and(
          eq(webhookDeliveries.endpointId, parameter('endpointId')),
          isNotNull(webhookDeliveries.dueAt),
          lte(webhookDeliveries.dueAt, parameter('now')),
          sql`${webhookDeliveries.verificationId} not in (select value from json_each(${parameter('except')}))`,
          sql`not exists (
          select 1 from ${webhookDeliveries} as earlier
          where earlier.verification_id = ${webhookDeliveries.verificationId} and earlier.version < ${webhookDeliveries.version}
            and earlier.endpoint_id = ${webhookDeliveries.endpointId} and earlier.due_at is not null
        )`,
        ),
      )
      .orderBy(asc(webhookDeliveries.dueAt), asc(webhookDeliveries.at), asc(webhookDeliveries.eventId))
      .limit(sql.placeholder('limit')),
  );

  return {
    leaseEndpoints: ({ leaseToken, now, until, limit, except = [] }) =>
      write(() => {
        const times = { now: now.getTime(), until: until.getTime() };
        const rows = lease.all({ leaseToken, ...times, limit, except: JSON.stringify(except) });
        // SQLite returns changed rows in no particular order.
        rows.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.id < b.id ? -1 : 1));
        return { keep: true, value: rows.map(fromEndpointRow) };
      }),

    extend: (held, until) =>
      write<{ outcome: 'extended' | 'lease_lost' }>(() => {
        const { changes } = extend.run({ ...held, until: until.getTime() });
        return { keep: true, value: { outcome: changes > 0 ? 'extended' : 'lease_lost' } };
      }),

    due: (held, { now, limit, except }) =>
      readAtOnce(() => {
        if (stateOfHeld.get({ ...held })?.state !== 'active') return null;
        const { endpointId } = held;
        const rows = due.all({ endpointId, now: now.getTime(), limit, except: JSON.stringify(except) });
        return rows.map(({ event, attempts }) => ({ event: fromEventRow(event), attempts }));
      }),

    settle,

    release: (held) =>
      write(() => {
        release.run({ ...held });
        waiting.refresh(held.endpointId);
        return { keep: true, value: undefined };
      }),
  };
}

function createSettle(session: Session): WebhookRepository['settle'] {
  const { db, write } = session;
  const waiting = createWaitingDeliveries(session);
  const storeAttempt = createStoreAttempt(session);
  const addMails = createAddMails(session);

  const held = prepared(
    db
      .select({ state: webhookEndpoints.state, failingSince: webhookEndpoints.failingSince })
      .from(webhookEndpoints)
      .where(OF_LEASE),
  );
  const settleWaiting = prepared(
    db
      .update(webhookDeliveries)
      .set({
        state: parameter('state'),
        attempts: sql`${webhookDeliveries.attempts} + 1`,
        dueAt: parameter('dueAt'),
      })
      .where(and(THE_DELIVERY, eq(webhookDeliveries.state, 'waiting'))),
  );
  const postponeLater = prepared(
    db
      .update(webhookDeliveries)
      .set({ dueAt: parameter('dueAt') })
      .where(
        and(
          eq(webhookDeliveries.verificationId, parameter('verificationId')),
          gt(webhookDeliveries.version, parameter('version')),
          eq(webhookDeliveries.endpointId, parameter('endpointId')),
          lt(webhookDeliveries.dueAt, parameter('dueAt')),
        ),
      ),
  );
  const setEndpoint = prepared(
    db
      .update(webhookEndpoints)
      .set({
        state: parameter('state'),
        failingSince: parameter('failingSince'),
        dueAt: sql`case when ${parameter('state')} = 'disabled' then null else ${webhookEndpoints.dueAt} end`,
      })
      .where(OF_LEASE),
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
      const { changes } = settleWaiting.run({ ...delivery, state: settlement.state, dueAt });
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

const THE_DELIVERY = and(
  eq(webhookDeliveries.clientId, parameter('clientId')),
  eq(webhookDeliveries.endpointId, parameter('endpointId')),
  eq(webhookDeliveries.eventId, parameter('eventId')),
);

type StoreAttempt = (
  delivery: Omit<EndpointLease, 'leaseToken'> & { eventId: string },
  attempt: Attempt,
  verificationId: string,
) => void;

/** Stores an attempt, unless its delivery was deleted; without texts, if the erasure of the verification has begun. */
function createStoreAttempt({ db }: Session): StoreAttempt {
  const isThere = prepared(db.select({ rowid: ROWID }).from(webhookDeliveries).where(THE_DELIVERY));
  const erased = prepared(
    db
      .select({ erasedAt: verifications.erasedAt })
      .from(verifications)
      .where(and(eq(verifications.id, parameter('verificationId')), isNotNull(verifications.erasedAt))),
  );
  const insert = prepared(db.insert(webhookAttempts).values(columnParameters(webhookAttempts)));
  return (delivery, attempt, verificationId) => {
    if (isThere.get(delivery) === undefined) return;
    const isErased = erased.get({ verificationId }) !== undefined;
    const stored = isErased ? { ...attempt, request: '', response: null, fault: null } : attempt;
    insert.run(toAttemptRow(stored, delivery));
  };
}
