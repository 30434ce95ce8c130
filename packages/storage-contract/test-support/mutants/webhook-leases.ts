import type { Storage } from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import { endpointLeasesAtOnceSuite, endpointLeasesSuite } from '../../src/suites/endpoint-leases.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { type Break, both, moved, remembering, roundTrip, webhooks } from './patch.ts';
import { everyEndpoint, FAR, ignoresClientOfLease, ignoresToken, sharesResults } from './webhook-state.ts';

const { leaseEndpoints: lease, due, settle, extend, release, fanOut, change, add } = webhooks;

/** Takes some of the endpoints that could be leased, and releases the others. */
const takes = (
  choose: (endpoints: readonly WebhookEndpoint[], limit: number) => readonly WebhookEndpoint[],
): Break =>
  lease.override(async ({ next, storage }, request) => {
    const all = await next({ ...request, limit: ALL });
    const taken = choose(all, request.limit);
    for (const { clientId, id } of all.filter((each) => !taken.includes(each)))
      await storage.webhooks.release({ clientId, endpointId: id, leaseToken: request.leaseToken });
    return taken;
  });

const byId = (a: WebhookEndpoint, b: WebhookEndpoint): number => (a.id < b.id ? -1 : 1);

/** Overlooks that something is due at the endpoints, while `isOverlooked` says so. */
const overlooks = (isOverlooked: () => boolean): Break => takes((endpoints) => (isOverlooked() ? [] : endpoints));

/** Answers for endpoints that are not stored. */
const forMissing =
  <T>(answer: T) =>
  async ({ next, storage }: { next: () => Promise<T>; storage: Storage }, id: string): Promise<T> =>
    (await everyEndpoint(storage)).some((each) => each.id === id) ? next() : answer;

export const endpointLeasesMutants: readonly Mutant[] = mutantsOf(endpointLeasesSuite, {
  'leases endpoints that nothing waits for': lease.override(async ({ next, storage }, request) => {
    await next(request);
    return (await everyEndpoint(storage)).filter(({ state }) => state === 'active');
  }),
  'returns endpoints without their previous secret': lease.result((endpoints) =>
    endpoints.map((endpoint) => ({ ...endpoint, previousSecret: null, olderSecret: null })),
  ),
  'clears failingSince with a lease': lease.override(async ({ next, storage }, request) => {
    const leased = await next(request);
    for (const { clientId, id } of leased)
      await storage.webhooks.change(clientId, id, { failingSince: null }, request.now);
    return leased;
  }),
  'leases endpoints that were added as paused': add.input(({ state }) => ({
    state: state === 'paused' ? 'active' : state,
  })),
  'leases endpoints that became paused': change.override(({ next }, clientId, id, fields, now) =>
    next(clientId, id, fields.state === 'paused' ? {} : fields, now),
  ),
  'never leases an endpoint that was paused': remembering(() => {
    const paused = new Set<string>();
    return both(
      change.before((_, id, fields) => {
        if (fields.state === 'paused') paused.add(id);
      }),
      takes((endpoints) => endpoints.filter(({ id }) => !paused.has(id))),
    );
  }),
  'leases a moment before something is due': lease.input(({ now }) => ({ now: moved(now, 1) })),
  'leases a moment after something is due': lease.input(({ now }) => ({ now: moved(now, -1) })),
  'leases endpoints again whose deliveries are settled': remembering(() => {
    const known = new Map<string, WebhookEndpoint>();
    return lease.result((endpoints) => {
      const again = endpoints.length === 0 ? [...known.values()] : endpoints;
      for (const endpoint of endpoints) known.set(endpoint.id, endpoint);
      return again;
    });
  }),
  'leases the newest due first': takes((endpoints, limit) => endpoints.slice(-limit)),
  'leases by id': takes((endpoints, limit) => endpoints.toSorted(byId).slice(0, limit)),
  'ignores except': lease.input(() => ({ except: [] })),
  'applies the limit before except': lease.override(async ({ next, storage }, { except = [], ...request }) => {
    const all = await next(request);
    for (const { clientId, id } of all.filter((each) => except.includes(each.id)))
      await storage.webhooks.release({ clientId, endpointId: id, leaseToken: request.leaseToken });
    return all.filter(({ id }) => !except.includes(id));
  }),
  'ignores the limit': lease.input(() => ({ limit: ALL })),
  'gives a lease twice': lease.input(({ now }) => ({ until: now })),
  'ends leases a moment early': lease.input(({ until }) => ({ until: moved(until, -1) })),
  'ends leases a moment late': lease.input(({ until }) => ({ until: moved(until, 1) })),
  'never ends a lease': lease.input(() => ({ until: FAR })),
  'refuses `due` after the end of the lease': remembering(() => {
    const ends = new Map<string, Date>();
    return both(
      lease.before((request) => ends.set(request.leaseToken, request.until)),
      due.override(async ({ next }, held, request) =>
        request.now >= (ends.get(held.leaseToken) ?? FAR) ? null : next(held, request),
      ),
    );
  }),
  'answers `due` without the lease': ignoresToken(due),
  'settles without the lease': ignoresToken(settle),
  'disables without the lease': settle.override(async ({ next, storage }, held, delivery, result) => {
    const answer = await next(held, delivery, result);
    if (answer.outcome === 'lease_lost' && result.disable)
      await storage.webhooks.change(held.clientId, held.endpointId, { state: 'disabled' }, result.attempt.at);
    return answer;
  }),
  'says that it settled without the lease': settle.result(() => ({ outcome: 'settled' })),
  'extends without the lease': ignoresToken(extend),
  'says that it extended without the lease': extend.result(() => ({ outcome: 'extended' })),
  'releases without the lease': ignoresToken(release),
  'answers `due` for another client': ignoresClientOfLease(due),
  'settles for another client': ignoresClientOfLease(settle),
  'extends for another client': ignoresClientOfLease(extend),
  'releases for another client': ignoresClientOfLease(release),
  'extends nothing': extend.override(async () => ({ outcome: 'extended' })),
  'extends a moment too short': extend.override(({ next }, held, until) => next(held, moved(until, -1))),
  'extends a moment too long': extend.override(({ next }, held, until) => next(held, moved(until, 1))),
  'refuses to extend': extend.override(async () => ({ outcome: 'lease_lost' })),
  'never releases': release.override(async () => undefined),
  'keeps a released lease': remembering(() => {
    const released = new Set<string>();
    return both(
      release.before((held) => released.add(`${held.endpointId} ${held.leaseToken}`)),
      extend.override(async ({ next }, held, until) =>
        released.has(`${held.endpointId} ${held.leaseToken}`) ? { outcome: 'extended' } : next(held, until),
      ),
    );
  }),
  'overlooks events that came during a lease': remembering(() => {
    let isHeld = false;
    let isOverlooked = false;
    return both(
      fanOut.before(() => {
        isOverlooked = isHeld;
      }),
      overlooks(() => isOverlooked),
      lease.after((endpoints) => {
        isHeld = endpoints.length > 0;
      }),
    );
  }),
  'overlooks events that came after a release': remembering(() => {
    let isReleased = false;
    let isOverlooked = false;
    return both(
      release.before(() => {
        isReleased = true;
      }),
      fanOut.before(() => {
        isOverlooked = isReleased;
      }),
      overlooks(() => isOverlooked),
    );
  }),
  'answers `due` for a removed endpoint': due.override(({ next, storage }, held, request) =>
    forMissing<Awaited<ReturnType<typeof next>>>([])(
      { next: () => next(held, request), storage },
      held.endpointId,
    ),
  ),
  'settles for a removed endpoint': settle.override(({ next, storage }, held, ...rest) =>
    forMissing<Awaited<ReturnType<typeof next>>>({ outcome: 'settled' })(
      { next: () => next(held, ...rest), storage },
      held.endpointId,
    ),
  ),
  'extends the lease of a removed endpoint': extend.override(({ next, storage }, held, until) =>
    forMissing<Awaited<ReturnType<typeof next>>>({ outcome: 'extended' })(
      { next: () => next(held, until), storage },
      held.endpointId,
    ),
  ),
});

export const endpointLeasesAtOnceMutants: readonly Mutant[] = mutantsOf(endpointLeasesAtOnceSuite, {
  'reads due endpoints, then leases them': sharesResults(lease, roundTrip),
  'leaves out endpoints that were locked by others': remembering(() => {
    let count = 0;
    return lease.result((endpoints) => {
      count += 1;
      return count % 2 === 0 ? endpoints.slice(1) : endpoints;
    });
  }),
  'ignores the limit': lease.input(() => ({ limit: ALL })),
  'holds the last lease only': remembering(() => {
    let last = '';
    return both(
      lease.before((request) => {
        last = request.leaseToken;
      }),
      due.override(async ({ next }, held, request) => (held.leaseToken === last ? next(held, request) : null)),
    );
  }),
  'settles without the lease': ignoresToken(settle),
  'never ends a lease': lease.input(() => ({ until: FAR })),
  'overlooks deliveries made during a release': remembering(() => {
    let isReleasing = false;
    let isOverlooked = false;
    return both(
      release.override(async ({ next }, held) => {
        isReleasing = true;
        await roundTrip();
        isReleasing = false;
        return next(held);
      }),
      fanOut.before(() => {
        isOverlooked = isReleasing;
      }),
      overlooks(() => isOverlooked),
    );
  }),
});
