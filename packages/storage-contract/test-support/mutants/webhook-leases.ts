import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import { endpointLeasesAtOnceSuite, endpointLeasesSuite } from '../../src/suites/endpoint-leases.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { type Break, both, moved, remembering, roundTrip, webhooks } from './patch.ts';
import { everyEndpoint, FAR, ignoresClientOfLease, ignoresToken, sharesResults } from './webhook-state.ts';

const { leaseEndpoints: lease, due, settle, extend, release, fanOut } = webhooks;

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
  'answers `due` without the lease': ignoresToken(due),
  'settles without the lease': ignoresToken(settle),
  'disables without the lease': settle.override(async ({ next, storage }, held, delivery, result) => {
    const answer = await next(held, delivery, result);
    if (answer.outcome === 'lease_lost' && result.disable)
      await storage.webhooks.change(held.clientId, held.endpointId, { state: 'disabled' }, result.attempt.at);
    return answer;
  }),
  'extends without the lease': ignoresToken(extend),
  'releases without the lease': ignoresToken(release),
  'answers `due` for another client': ignoresClientOfLease(due),
  'settles for another client': ignoresClientOfLease(settle),
  'extends for another client': ignoresClientOfLease(extend),
  'releases for another client': ignoresClientOfLease(release),
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
