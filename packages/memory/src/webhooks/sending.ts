import {
  type Attempt,
  compareText,
  type EndpointLease,
  type Outage,
  type WebhookRepository,
  withoutTexts,
} from '@countersign/domain/storage';
import { putMails, requireNewMails } from '../mails.ts';
import { keyOf, type StoredDelivery, type StoredEndpoint, type Tables } from '../tables.ts';
import { endpointOf, moveWaiting } from './endpoints.ts';
import { isSamePair } from './fan-out.ts';

type SendingOperations = Pick<WebhookRepository, 'leaseEndpoints' | 'extend' | 'due' | 'settle' | 'release'>;

export function createSending(tables: Tables): SendingOperations {
  const { endpoints, deliveries, events, verifications } = tables;

  const held = ({ clientId, endpointId, leaseToken }: EndpointLease): StoredEndpoint | undefined => {
    const stored = endpointOf(tables, clientId, endpointId);
    return stored?.lease?.token === leaseToken ? stored : undefined;
  };

  /** The deliveries to an endpoint that are due, those due longest first. */
  const dueAt = (endpointId: string, now: Date): StoredDelivery[] => {
    const waiting = [...deliveries.values()].filter(({ entry }) => entry.endpointId === endpointId && entry.dueAt);
    const isFirst = ({ entry }: StoredDelivery) =>
      !waiting.some((other) => isSamePair(other.entry, entry) && other.entry.version < entry.version);
    return waiting
      .filter((stored) => dueTime(stored) <= now.getTime() && isFirst(stored))
      .sort((a, b) => dueTime(a) - dueTime(b) || oldestFirst(a, b));
  };

  return {
    async leaseEndpoints({ leaseToken, now, until, limit, except = [] }) {
      const free = [...endpoints.values()].flatMap((stored) => {
        const { endpoint, lease } = stored;
        const isCandidate = endpoint.state === 'active' && !except.includes(endpoint.id);
        const [first] = isCandidate ? dueAt(endpoint.id, now) : [];
        const isHeld = lease !== null && now.getTime() < lease.until;
        return first === undefined || isHeld ? [] : [{ stored, since: dueTime(first) }];
      });
      const leased = free
        .sort((a, b) => a.since - b.since || compareText(a.stored.endpoint.id, b.stored.endpoint.id))
        .slice(0, limit);
      for (const { stored } of leased) stored.lease = { token: leaseToken, until: until.getTime() };
      return structuredClone(leased.map(({ stored }) => stored.endpoint));
    },

    async extend(lease, until) {
      const stored = held(lease);
      if (stored === undefined) return { outcome: 'lease_lost' };
      stored.lease = { token: lease.leaseToken, until: until.getTime() };
      return { outcome: 'extended' };
    },

    async due(lease, { now, limit, except }) {
      if (held(lease)?.endpoint.state !== 'active') return null;
      const due = dueAt(lease.endpointId, now).filter(({ entry }) => !except.includes(entry.verificationId));
      return due.slice(0, limit).flatMap(({ entry }) => {
        const found = events.find(({ event }) => event.id === entry.eventId);
        return found === undefined ? [] : structuredClone([{ event: found.event, attempts: entry.attempts }]);
      });
    },

    async settle(
      lease,
      { eventId, verificationId },
      { attempt, settlement, pauseIfFailingSince, wake, disable, mailsIfPaused = [] },
    ) {
      const holder = held(lease);
      if (holder === undefined) return { outcome: 'lease_lost' };
      const { state, failingSince: before } = holder.endpoint;
      const isDelivered = settlement.state === 'delivered';
      const failingSince = isDelivered ? unlessNoLater(attempt.at, before) : earlierOf(attempt.at, before);
      const isFailing = !isDelivered && failingSince !== null && failingSince <= pauseIfFailingSince;
      const isPaused = state === 'active' && isFailing && !disable;
      const mails = isPaused ? mailsIfPaused : [];
      requireNewMails(tables.mails, mails);

      const delivery = deliveries.get(keyOf(lease.endpointId, eventId));
      const isErased = Boolean(verifications.get(keyOf(lease.clientId, verificationId))?.erasedAt);
      delivery?.attempts.push(structuredClone(isErased ? withoutTexts(attempt) : attempt));
      if (delivery?.entry.state === 'waiting') {
        const due = settlement.state === 'waiting' ? new Date(settlement.dueAt) : null;
        const attempts = delivery.entry.attempts + 1;
        delivery.entry = { ...delivery.entry, state: settlement.state, attempts, dueAt: due };
        if (due !== null) postponeLater(tables, delivery, due);
      }

      const next = disable ? 'disabled' : isPaused ? 'paused' : state;
      holder.endpoint = { ...holder.endpoint, failingSince, state: next };
      putMails(tables.mails, mails);
      const ended = before !== null && failingSince === null ? { since: before } : null;
      const outage = isDelivered ? (wake.outage ?? ended) : null;
      const isCut = outage !== null && makeDue(tables, lease.endpointId, { at: attempt.at, ...outage, ...wake });
      moveWaiting(tables, holder, { before: state, now: attempt.at });
      return isCut ? { outcome: 'settled', unfinished: { until: attempt.at, ...outage } } : { outcome: 'settled' };
    },

    async release(lease) {
      const stored = held(lease);
      if (stored !== undefined) stored.lease = null;
    },
  };
}

/** Since when an endpoint fails after a failure. */
function earlierOf(at: Date, failingSince: Date | null): Date {
  return failingSince !== null && failingSince < at ? failingSince : new Date(at);
}

/** Since when an endpoint fails after a success: null, unless it was sent no later than the first failure. */
function unlessNoLater(at: Date, failingSince: Date | null): Date | null {
  return failingSince !== null && at <= failingSince ? failingSince : null;
}

/** Makes due what failed during an outage. @returns whether more than that may wait */
function makeDue(
  { deliveries }: Tables,
  endpointId: string,
  {
    at,
    since,
    until,
    limit,
    withinMs,
  }: Partial<Outage> & { at: Date; since: Date; limit: number; withinMs: number },
): boolean {
  const waiting = [...deliveries.values()].filter(({ entry }) => entry.endpointId === endpointId && entry.dueAt);
  const isOutside = (attempt: Attempt) => attempt.at < since || (until !== undefined && attempt.at >= until);
  const triedOutside = waiting.filter(({ attempts }) => attempts.some(isOutside));
  const staying = new Set(triedOutside.map(({ entry }) => entry.verificationId));
  const late = waiting
    .filter((stored) => dueTime(stored) > at.getTime())
    .sort(
      (a, b) =>
        dueTime(a) - dueTime(b) ||
        a.entry.version - b.entry.version ||
        compareText(a.entry.eventId, b.entry.eventId),
    )
    .slice(0, limit);
  const woken = late.filter(({ entry }) => !staying.has(entry.verificationId));
  for (const [place, stored] of woken.entries()) {
    const dueAt = new Date(at.getTime() + Math.floor((withinMs * place) / woken.length));
    stored.entry = { ...stored.entry, dueAt };
  }
  return late.length === limit;
}

/** Makes the later versions of a verification wait as long as this one. */
function postponeLater({ deliveries }: Tables, { entry }: StoredDelivery, due: Date): void {
  for (const other of deliveries.values()) {
    const { dueAt, version } = other.entry;
    const isLater = isSamePair(other.entry, entry) && version > entry.version;
    if (isLater && dueAt !== null && dueAt < due) other.entry = { ...other.entry, dueAt: due };
  }
}

function dueTime({ entry }: StoredDelivery): number {
  return entry.dueAt?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** By the time of the event, then by its id. */
export function oldestFirst({ entry: a }: StoredDelivery, { entry: b }: StoredDelivery): number {
  return a.at.getTime() - b.at.getTime() || compareText(a.eventId, b.eventId);
}
