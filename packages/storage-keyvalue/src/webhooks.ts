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

type Place = Pick<StoredDelivery['entry'], 'endpointId' | 'verificationId' | 'version'>;

/**
 * Endpoints, and the deliveries to them. `fanOut`, `leaseEndpoints` and `due` read no more keys with more verifications; `fanOut` reads
 * all endpoints. `backlog`, a change of an endpoint's state and the end of an outage read all deliveries that wait.
 */
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

/** Stores an endpoint, so that `leaseEndpoints` finds it by when its first delivery is due. */
function putEndpoint({ endpoints, deliveries }: Tables, { endpoint, lease }: Omit<StoredEndpoint, 'dueAt'>): void {
  const dueAt = deliveries.first('due', endpoint.id)?.entry.dueAt ?? null;
  endpoints.put({ endpoint, lease, dueAt });
}

/** Stores a delivery, and when the first one of its endpoint is due. */
export function putDelivery(tables: Tables, stored: StoredDelivery): void {
  tables.deliveries.put(stored);
  const endpoint = tables.endpoints.get(stored.clientId, stored.entry.endpointId);
  if (endpoint !== undefined) putEndpoint(tables, endpoint);
}

/** Steps that several operations share. */
function stepsOf(tables: Tables) {
  const { endpoints, deliveries } = tables;
  const waitingFor = (endpointId: string): StoredDelivery[] =>
    deliveries.by('due', { under: [endpointId] }).toArray();
  return {
    waitingFor,
    putEndpoint: (stored: Omit<StoredEndpoint, 'dueAt'>): void => putEndpoint(tables, stored),
    putDelivery: (stored: StoredDelivery): void => putDelivery(tables, stored),
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
      const waiting = waitingFor(endpointId);
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
        putDelivery(tables, { ...stored, entry: { ...stored.entry, dueAt } });
      }
      return late.length === limit;
    },
    /** Makes waiting deliveries follow a new state of their endpoint: due immediately, or failed. */
    moveWaiting({ id, state }: WebhookEndpoint, before: WebhookEndpoint['state'], now: Date): void {
      if (state === before || state === 'paused') return;
      for (const stored of waitingFor(id)) {
        const { dueAt } = stored.entry;
        if (state === 'disabled')
          putDelivery(tables, { ...stored, entry: { ...stored.entry, state: 'failed', dueAt: null } });
        else if (dueAt !== null && dueAt > now)
          putDelivery(tables, { ...stored, entry: { ...stored.entry, dueAt: now } });
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

const unsentOrder = ({ event: a }: StoredEvent, { event: b }: StoredEvent): number =>
  compareTime(a.at, b.at) || a.version - b.version || compareText(a.id, b.id);

/** Up to `limit` events that are fanned out next, in this order. It reads all endpoints, and of each of their clients as many events. */
function unsentEvents({ events, endpoints }: Tables, limit: number): StoredEvent[] {
  const since = firstSince(endpoints.all());
  return [...since]
    .flatMap(([clientId, at]) =>
      events
        .by('unsent', { under: [clientId], from: [at] })
        .take(limit)
        .toArray(),
    )
    .sort(unsentOrder)
    .slice(0, limit);
}

/** For each client with endpoints that are not disabled, the time from which the first of them receives events, in milliseconds. */
function firstSince(endpoints: readonly StoredEndpoint[]): Map<string, number> {
  const since = new Map<string, number>();
  for (const { endpoint } of endpoints) {
    const first = since.get(endpoint.clientId) ?? Infinity;
    if (endpoint.state !== 'disabled') since.set(endpoint.clientId, Math.min(first, endpoint.since.getTime()));
  }
  return since;
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
      const since = firstSince(tables.endpoints.all());
      const taken = new Map<string, StoredEvent>();
      for (const stored of unsentEvents(tables, limit)) {
        const { clientId, verificationId, version } = stored.event;
        const earlier = tables.events
          .scan({ under: [clientId, verificationId], until: [version] })
          .filter(({ event, unsent }) => unsent && event.at.getTime() >= (since.get(clientId) ?? Infinity));
        for (const one of [...earlier, stored]) taken.set(one.event.id, one);
      }
      for (const { event } of taken.values()) {
        tables.events.put({ event, unsent: false });
        deliver(event, now);
      }
      return taken.size;
    },
    backlog(limit) {
      const waiting = tables.endpoints
        .all()
        .flatMap(({ endpoint: { id, state } }) => (state === 'active' ? steps.waitingFor(id) : []));
      const unsent = unsentEvents(tables, limit);
      const [oldestAt = null] = [
        ...waiting.map(({ entry }) => entry.at),
        ...unsent.map(({ event }) => event.at),
      ].sort(compareTime);
      return { waiting: Math.min(waiting.length, limit) + unsent.length, oldestAt };
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
  const isFirst = ({ entry: { endpointId, verificationId, version } }: StoredDelivery): boolean =>
    !deliveries
      .scan({ under: [endpointId, verificationId], until: [version] })
      .some(({ entry }) => entry.dueAt !== null);
  /** The deliveries to an endpoint that are due, those due longest first: of each verification only the first that waits. */
  const dueTo = (endpointId: string, now: Date) =>
    deliveries.by('due', { under: [endpointId], until: [now.getTime() + 1] }).filter(isFirst);
  return {
    leaseEndpoints({ leaseToken, now, until, limit, except = [] }) {
      const leased = endpoints
        .by('due', { until: [now.getTime() + 1] })
        .filter(({ endpoint: { id }, lease }) => {
          const isFree = lease === null || lease.until <= now;
          return isFree && !except.includes(id) && dueTo(id, now).next().value !== undefined;
        })
        .take(limit)
        .map(({ endpoint }) => endpoint)
        .toArray();
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
        .take(limit)
        .toArray()
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
  return {
    deliveries: ({ clientId, endpointId, state, after, limit }) =>
      endpoints.get(clientId, endpointId) === undefined
        ? []
        : deliveries
            .by('log', {
              under: [endpointId],
              ...(after !== undefined && { until: [after.at.getTime() + 1] }),
              backwards: true,
            })
            .map(({ entry }) => entry)
            .filter(
              (entry) =>
                (state === undefined || entry.state === state) &&
                (after === undefined ||
                  (compareTime(entry.at, after.at) || compareText(entry.eventId, after.eventId)) < 0),
            )
            .take(limit)
            .toArray(),
    attempts(clientId, endpointId, eventId) {
      if (endpoints.get(clientId, endpointId) === undefined) return null;
      const delivery = deliveries.first('event', endpointId, eventId);
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
      const asked =
        'eventId' in which
          ? deliveries.by('event', { under: [endpointId, which.eventId] })
          : deliveries.by('log', { under: [endpointId], from: [which.since.getTime()] });
      const chosen = asked.filter(({ entry }) => entry.state !== 'waiting').toArray();
      for (const stored of chosen) {
        const dueAt = steps.dueAfterEarlier(stored.entry, now);
        steps.putDelivery({ ...stored, entry: { ...stored.entry, state: 'waiting', attempts: 0, dueAt } });
      }
      return { outcome: 'resent', count: chosen.length };
    },
    forget({ before, limit }) {
      const forgotten = deliveries
        .by('ended', { until: [before.getTime()] })
        .take(limit)
        .toArray();
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
