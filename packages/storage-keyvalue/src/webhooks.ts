import type { VerificationEvent } from '@countersign/domain';
import {
  type Attempt,
  compareText,
  type EndpointLease,
  type Outage,
  type SecretEntry,
  secretsOf,
  type WebhookRepository,
  withoutTexts,
} from '@countersign/domain/storage';
import {
  isPausedAfterFailures,
  MAX_WEBHOOK_ENDPOINTS,
  type WebhookEndpoint,
  webhookTypeOf,
} from '@countersign/domain/webhooks';
import { putMails } from './mails.ts';
import {
  compareTime,
  type StoredDelivery,
  type StoredEndpoint,
  type StoredEvent,
  type Sync,
  type Tables,
} from './tables.ts';

const oldestFirst = ({ entry: a }: StoredDelivery, { entry: b }: StoredDelivery): number =>
  compareTime(a.at, b.at) || compareText(a.eventId, b.eventId);

type Place = Pick<StoredDelivery['entry'], 'endpointId' | 'verificationId' | 'version'>;

/** Endpoints, and the deliveries to them. */
export function createWebhooks(tables: Tables): Sync<WebhookRepository> {
  const steps = stepsOf(tables);
  return {
    ...createEndpoints(tables, steps),
    ...createFanOut(tables, steps),
    ...createSending(tables, steps),
    ...createLog(tables, steps),
    ...createSecrets(tables, steps),
  };
}

type Steps = ReturnType<typeof stepsOf>;

/** Steps that several operations share. */
function stepsOf({ endpoints, deliveries }: Tables) {
  const putEndpoint = (stored: StoredEndpoint): void =>
    endpoints.put([stored.endpoint.clientId, stored.endpoint.id], stored);
  const putDelivery = (stored: StoredDelivery): void => {
    const { endpointId, verificationId, version } = stored.entry;
    deliveries.put([endpointId, verificationId, version], stored);
  };
  return {
    putEndpoint,
    putDelivery,
    endpointsOf: (clientId: string): WebhookEndpoint[] => endpoints.all(clientId).map(({ endpoint }) => endpoint),
    /** `now`, or when the last delivery of the earlier versions that wait is due. */
    dueAfterEarlier({ endpointId, verificationId, version }: Place, now: Date): Date {
      const waiting = deliveries
        .all(endpointId, verificationId)
        .flatMap(({ entry }) => (entry.version < version && entry.dueAt !== null ? [entry.dueAt.getTime()] : []));
      return new Date(Math.max(now.getTime(), ...waiting));
    },
    /** Makes due what failed during an outage. Returns whether more than that may wait. */
    wake(endpointId: string, { at, since, until, limit, withinMs }: Waking): boolean {
      const waiting = deliveries.all(endpointId).filter(({ entry }) => entry.dueAt !== null);
      const isOutside = (attempt: Attempt) => attempt.at < since || (until !== undefined && attempt.at >= until);
      const triedOutside = waiting.filter(({ attempts }) => attempts.some(isOutside));
      const staying = new Set(triedOutside.map(({ entry }) => entry.verificationId));
      const late = waiting
        .filter(({ entry }) => (entry.dueAt ?? at) > at)
        .sort(
          ({ entry: a }, { entry: b }) =>
            compareTime(a.dueAt, b.dueAt) || a.version - b.version || compareText(a.eventId, b.eventId),
        )
        .slice(0, limit);
      const woken = late.filter(({ entry }) => !staying.has(entry.verificationId));
      for (const [place, stored] of woken.entries()) {
        const dueAt = new Date(at.getTime() + Math.floor((withinMs * place) / woken.length));
        putDelivery({ ...stored, entry: { ...stored.entry, dueAt } });
      }
      return late.length === limit;
    },
    /** Makes waiting deliveries follow a new state of their endpoint: due immediately, or failed. */
    moveWaiting({ id, state }: WebhookEndpoint, before: WebhookEndpoint['state'], now: Date): void {
      if (state === before || state === 'paused') return;
      for (const stored of deliveries.all(id)) {
        const { dueAt } = stored.entry;
        if (dueAt === null) continue;
        if (state === 'disabled')
          putDelivery({ ...stored, entry: { ...stored.entry, state: 'failed', dueAt: null } });
        else if (dueAt > now) putDelivery({ ...stored, entry: { ...stored.entry, dueAt: now } });
      }
    },
  };
}

type Waking = Partial<Outage> & {
  readonly at: Date;
  readonly since: Date;
  readonly limit: number;
  readonly withinMs: number;
};

type Some<K extends keyof WebhookRepository> = Pick<Sync<WebhookRepository>, K>;

function createEndpoints(tables: Tables, steps: Steps): Some<'add' | 'list' | 'change' | 'remove'> {
  const { endpoints, deliveries, clients } = tables;
  return {
    add(endpoint) {
      const { clientId, id } = endpoint;
      if (clients.get(clientId) === undefined) return { outcome: 'client_not_found' };
      if (endpoints.all(clientId).length >= MAX_WEBHOOK_ENDPOINTS) return { outcome: 'limit_reached' };
      if (endpoints.get(clientId, id) !== undefined) throw new Error(`The id ${id} of the new endpoint is taken`);
      steps.putEndpoint({ endpoint, lease: null });
      return { outcome: 'added' };
    },
    list: (clientId) =>
      steps.endpointsOf(clientId).sort((a, b) => compareTime(a.createdAt, b.createdAt) || compareText(a.id, b.id)),
    change(clientId, endpointId, change, now, expected = {}) {
      const stored = endpoints.get(clientId, endpointId);
      if (stored === undefined) return { outcome: 'not_found' };
      const { state, secretVersion } = { ...stored.endpoint, ...given(expected) };
      if (state !== stored.endpoint.state || secretVersion !== stored.endpoint.secretVersion)
        return { outcome: 'conflict' };
      const endpoint = { ...stored.endpoint, ...given(change) };
      steps.putEndpoint({ ...stored, endpoint });
      steps.moveWaiting(endpoint, stored.endpoint.state, now);
      return { outcome: 'changed', endpoint };
    },
    remove(clientId, endpointId) {
      if (endpoints.get(clientId, endpointId) === undefined) return { outcome: 'not_found' };
      endpoints.remove(clientId, endpointId);
      for (const { entry } of deliveries.all(endpointId))
        deliveries.remove(endpointId, entry.verificationId, entry.version);
      return { outcome: 'removed' };
    },
  };
}

/** The fields that are not undefined. */
function given<T extends object>(change: T): Partial<T> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** The events that are fanned out next, in this order. */
function unsentEvents({ events, endpoints }: Tables): StoredEvent[] {
  const all = endpoints.all().map(({ endpoint }) => endpoint);
  const isWanted = ({ clientId, at }: VerificationEvent): boolean =>
    all.some((one) => one.clientId === clientId && one.state !== 'disabled' && one.since <= at);
  return events
    .all()
    .filter(({ event, unsent }) => unsent && isWanted(event))
    .sort(
      ({ event: a }, { event: b }) => compareTime(a.at, b.at) || a.version - b.version || compareText(a.id, b.id),
    );
}

function createFanOut(tables: Tables, steps: Steps): Some<'fanOut' | 'backlog'> {
  function deliver(event: VerificationEvent, now: Date): void {
    const type = webhookTypeOf(event.type);
    const { id: eventId, clientId, verificationId, version, at } = event;
    for (const endpoint of steps.endpointsOf(clientId)) {
      if (type === null || endpoint.state === 'disabled' || endpoint.since > at || !endpoint.types.includes(type))
        continue;
      const place = { endpointId: endpoint.id, verificationId, version };
      const dueAt = steps.dueAfterEarlier(place, now);
      const entry = { ...place, eventId, type, at, state: 'waiting', attempts: 0, dueAt } as const;
      steps.putDelivery({ clientId, entry, attempts: [] });
    }
  }
  return {
    fanOut({ now, limit }) {
      const unsent = unsentEvents(tables);
      const taken = new Set(unsent.slice(0, limit));
      const last = new Map([...taken].map(({ event }) => [event.verificationId, event.version]));
      for (const stored of unsent)
        if (stored.event.version < (last.get(stored.event.verificationId) ?? 0)) taken.add(stored);
      // A delivery is due no earlier than one before it, so that one is made first.
      for (const { event } of [...taken].sort((a, b) => a.event.version - b.event.version)) {
        tables.events.put([event.clientId, event.verificationId, event.version], { event, unsent: false });
        deliver(event, now);
      }
      return taken.size;
    },
    backlog(limit) {
      const active = new Set(
        tables.endpoints.all().flatMap(({ endpoint: { id, state } }) => (state === 'active' ? [id] : [])),
      );
      const waiting = tables.deliveries
        .all()
        .filter(({ entry }) => entry.dueAt !== null && active.has(entry.endpointId));
      const unsent = unsentEvents(tables);
      const [oldestAt = null] = [
        ...waiting.map(({ entry }) => entry.at),
        ...unsent.map(({ event }) => event.at),
      ].sort(compareTime);
      return { waiting: Math.min(waiting.length, limit) + Math.min(unsent.length, limit), oldestAt };
    },
  };
}

function createSending(
  tables: Tables,
  steps: Steps,
): Some<'leaseEndpoints' | 'extend' | 'due' | 'settle' | 'release'> {
  const { endpoints, deliveries, events, verifications } = tables;
  const held = ({ clientId, endpointId, leaseToken }: EndpointLease): StoredEndpoint | undefined => {
    const stored = endpoints.get(clientId, endpointId);
    return stored?.lease?.token === leaseToken ? stored : undefined;
  };
  /** The deliveries to an endpoint that are due, those due longest first: of each verification only the first that waits. */
  function dueTo(endpointId: string, now: Date): StoredDelivery[] {
    const waiting = deliveries.all(endpointId).filter(({ entry }) => entry.dueAt !== null);
    const first = new Map(waiting.toReversed().map(({ entry }) => [entry.verificationId, entry.version]));
    return waiting
      .filter(({ entry }) => (entry.dueAt ?? now) <= now && first.get(entry.verificationId) === entry.version)
      .sort((a, b) => compareTime(a.entry.dueAt, b.entry.dueAt) || oldestFirst(a, b));
  }
  return {
    leaseEndpoints({ leaseToken, now, until, limit, except = [] }) {
      const leased = endpoints
        .all()
        .flatMap(({ endpoint, lease }) => {
          const isFree = lease === null || lease.until <= now;
          const isCandidate = isFree && endpoint.state === 'active' && !except.includes(endpoint.id);
          const [first] = isCandidate ? dueTo(endpoint.id, now) : [];
          return first === undefined ? [] : [{ endpoint, since: first.entry.dueAt }];
        })
        .sort((a, b) => compareTime(a.since, b.since) || compareText(a.endpoint.id, b.endpoint.id))
        .slice(0, limit)
        .map(({ endpoint }) => endpoint);
      for (const endpoint of leased) steps.putEndpoint({ endpoint, lease: { token: leaseToken, until } });
      return leased;
    },
    extend(lease, until) {
      const stored = held(lease);
      if (stored === undefined) return { outcome: 'lease_lost' };
      steps.putEndpoint({ ...stored, lease: { token: lease.leaseToken, until } });
      return { outcome: 'extended' };
    },
    due(lease, { now, limit, except }) {
      if (held(lease)?.endpoint.state !== 'active') return null;
      return dueTo(lease.endpointId, now)
        .filter(({ entry }) => !except.includes(entry.verificationId))
        .slice(0, limit)
        .flatMap(({ entry: { verificationId, version, attempts } }) => {
          const found = events.get(lease.clientId, verificationId, version);
          return found === undefined ? [] : [{ event: found.event, attempts }];
        });
    },
    settle(lease, { verificationId, version }, result) {
      const { attempt, settlement, pauseIfFailingSince, wake, disable, mailsIfPaused } = result;
      const holder = held(lease);
      if (holder === undefined) return { outcome: 'lease_lost' };
      const delivery = deliveries.get(lease.endpointId, verificationId, version);
      if (delivery !== undefined) {
        const isErased = Boolean(verifications.get(lease.clientId, verificationId)?.erasedAt);
        const attempts = [...delivery.attempts, isErased ? withoutTexts(attempt) : attempt];
        if (delivery.entry.state !== 'waiting') steps.putDelivery({ ...delivery, attempts });
        else {
          const dueAt = settlement.state === 'waiting' ? settlement.dueAt : null;
          const counted = { attempts: delivery.entry.attempts + 1, state: settlement.state, dueAt };
          steps.putDelivery({ ...delivery, entry: { ...delivery.entry, ...counted }, attempts });
          for (const later of deliveries.all(lease.endpointId, verificationId))
            if (
              later.entry.version > version &&
              later.entry.dueAt !== null &&
              dueAt !== null &&
              later.entry.dueAt < dueAt
            )
              steps.putDelivery({ ...later, entry: { ...later.entry, dueAt } });
        }
      }
      const { state, failingSince: before } = holder.endpoint;
      const isDelivered = settlement.state === 'delivered';
      const isEarlier = before !== null && (isDelivered ? attempt.at <= before : before < attempt.at);
      const failingSince = isEarlier ? before : isDelivered ? null : attempt.at;
      const ended = before !== null && failingSince === null ? { since: before } : null;
      const outage = isDelivered ? (wake.outage ?? ended) : null;
      const isCut = outage !== null && steps.wake(lease.endpointId, { at: attempt.at, ...outage, ...wake });
      const isFailing = !isDelivered && failingSince !== null && failingSince <= pauseIfFailingSince;
      const isPaused = state === 'active' && isFailing;
      const next = disable ? 'disabled' : isPaused ? 'paused' : state;
      const endpoint: WebhookEndpoint = { ...holder.endpoint, failingSince, state: next };
      steps.putEndpoint({ ...holder, endpoint });
      if (isPaused && next === 'paused') putMails(tables, mailsIfPaused);
      steps.moveWaiting(endpoint, state, attempt.at);
      return isCut ? { outcome: 'settled', unfinished: { until: attempt.at, ...outage } } : { outcome: 'settled' };
    },
    release(lease) {
      const stored = held(lease);
      if (stored !== undefined) steps.putEndpoint({ ...stored, lease: null });
    },
  };
}

function createLog(
  tables: Tables,
  steps: Steps,
): Some<'deliveries' | 'attempts' | 'resend' | 'forget' | 'countPausedAfterFailures'> {
  const { endpoints, deliveries } = tables;
  const toEndpoint = (clientId: string, endpointId: string): StoredDelivery[] =>
    endpoints.get(clientId, endpointId) === undefined ? [] : deliveries.all(endpointId);
  return {
    deliveries: ({ clientId, endpointId, state, after, limit }) =>
      toEndpoint(clientId, endpointId)
        .filter(
          ({ entry }) =>
            (state === undefined || entry.state === state) &&
            (after === undefined ||
              (compareTime(entry.at, after.at) || compareText(entry.eventId, after.eventId)) < 0),
        )
        .sort((a, b) => oldestFirst(b, a))
        .slice(0, limit)
        .map(({ entry }) => entry),
    attempts(clientId, endpointId, eventId) {
      const delivery = toEndpoint(clientId, endpointId).find(({ entry }) => entry.eventId === eventId);
      return delivery === undefined
        ? null
        : delivery.attempts.toSorted((a, b) => compareTime(a.at, b.at) || compareText(a.id, b.id));
    },
    countPausedAfterFailures: () =>
      endpoints.all().filter(({ endpoint }) => isPausedAfterFailures(endpoint)).length,
    resend({ clientId, endpointId, which, now }) {
      const state = endpoints.get(clientId, endpointId)?.endpoint.state;
      if (state === undefined) return { outcome: 'not_found' };
      if (state === 'disabled') return { outcome: 'disabled' };
      const chosen = toEndpoint(clientId, endpointId).filter(({ entry }) => {
        const isChosen = 'eventId' in which ? entry.eventId === which.eventId : entry.at >= which.since;
        return isChosen && entry.state !== 'waiting';
      });
      for (const stored of chosen.sort((a, b) => a.entry.version - b.entry.version)) {
        const dueAt = steps.dueAfterEarlier(stored.entry, now);
        steps.putDelivery({ ...stored, entry: { ...stored.entry, state: 'waiting', attempts: 0, dueAt } });
      }
      return { outcome: 'resent', count: chosen.length };
    },
    forget({ before, limit }) {
      const forgotten = deliveries
        .all()
        .filter(({ entry }) => entry.state !== 'waiting' && entry.at < before)
        .sort(oldestFirst)
        .slice(0, limit);
      for (const { entry } of forgotten) deliveries.remove(entry.endpointId, entry.verificationId, entry.version);
      return forgotten.length;
    },
  };
}

function createSecrets(
  { endpoints }: Tables,
  steps: Steps,
): Some<'countSecretsNotWrappedBy' | 'listSecretsNotWrappedBy' | 'replaceSecret'> {
  const byEndpoint = (a: Pick<SecretEntry, 'endpointId' | 'which'>, b: typeof a): number =>
    compareText(a.endpointId, b.endpointId) || compareText(a.which, b.which);
  const notWrappedBy = (key: string): SecretEntry[] =>
    endpoints
      .all()
      .flatMap(({ endpoint }) => secretsOf(endpoint))
      .filter(({ stored }) => stored.wrappedBy !== key);
  return {
    countSecretsNotWrappedBy: (key) => notWrappedBy(key).length,
    listSecretsNotWrappedBy: (key, after, limit) =>
      notWrappedBy(key)
        .filter((entry) => after === null || byEndpoint(entry, after) > 0)
        .sort(byEndpoint)
        .slice(0, limit),
    replaceSecret({ clientId, endpointId, which, stored }, { value, wrappedBy }) {
      const holder = endpoints.get(clientId, endpointId);
      const present = holder?.endpoint[which];
      if (holder === undefined || present?.value !== stored.value || present.wrappedBy !== stored.wrappedBy)
        return { outcome: 'conflict' };
      steps.putEndpoint({
        ...holder,
        endpoint: { ...holder.endpoint, [which]: { ...present, value, wrappedBy } },
      });
      return { outcome: 'replaced' };
    },
  };
}
