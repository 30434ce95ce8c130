import type { Delivery } from '@countersign/domain/storage';
import { dueDeliveriesSuite } from '../../src/suites/endpoint-leases.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { both, moved, remembering, webhooks } from './patch.ts';
import { everyEndpoint, knowsNoVersions, wholeLog } from './webhook-state.ts';

const { due, settle, change } = webhooks;

const changes = (give: (delivery: Delivery) => Delivery) => due.result((deliveries) => deliveries.map(give));
/** Puts the deliveries in another order. */
const orders = (compare: (a: Delivery, b: Delivery) => number) =>
  due.override(async ({ next }, lease, request) =>
    ((await next(lease, { ...request, limit: ALL })) ?? []).toSorted(compare).slice(0, request.limit),
  );

export const dueDeliveriesMutants: readonly Mutant[] = mutantsOf(dueDeliveriesSuite, {
  'returns events without their data': changes(({ event, attempts }) => ({
    event: { ...event, data: {} },
    attempts,
  })),
  'returns events without their actor': changes(({ event, attempts }) => ({
    event: { ...event, actor: { kind: 'system', id: null } },
    attempts,
  })),
  'counts no attempts': changes(({ event }) => ({ event, attempts: 0 })),
  'counts attempts from 1': changes(({ event, attempts }) => ({ event, attempts: attempts + 1 })),
  'returns deliveries a moment early': due.input(({ now }) => ({ now: moved(now, 1) })),
  'returns deliveries a moment late': due.input(({ now }) => ({ now: moved(now, -1) })),
  'returns later versions': knowsNoVersions,
  'returns no later version of a failed delivery': remembering(() => {
    const failed = new Set<string>();
    return both(
      settle.before((_, delivery, result) => {
        if (result.settlement.state === 'failed') failed.add(delivery.verificationId);
      }),
      due.result((deliveries) => deliveries.filter(({ event }) => !failed.has(event.verificationId))),
    );
  }),
  'holds every delivery back behind a retry': due.override(async ({ next, storage }, lease, request) => {
    const log = await wholeLog(storage, { clientId: lease.clientId, id: lease.endpointId });
    const isHeld = log.some(({ dueAt }) => dueAt !== null && dueAt > request.now);
    return isHeld ? [] : next(lease, request);
  }),
  'ignores `except`': due.input(() => ({ except: [] })),
  'leaves out the first of `except` only': due.input(({ except }) => ({ except: except.slice(0, 1) })),
  'leaves out after the limit': due.override(async ({ next }, lease, request) =>
    ((await next(lease, { ...request, except: [] })) ?? []).filter(
      ({ event }) => !request.except.includes(event.verificationId),
    ),
  ),
  'orders by the time of the event': orders((a, b) => Number(a.event.at) - Number(b.event.at)),
  'orders by version': orders((a, b) => a.event.version - b.event.version || (a.event.id < b.event.id ? 1 : -1)),
  'returns the newest first': due.result((deliveries) => deliveries.toReversed()),
  'returns the last up to the limit': due.override(async ({ next }, lease, request) =>
    ((await next(lease, { ...request, limit: ALL })) ?? []).slice(-request.limit),
  ),
  'ignores the limit': due.input(() => ({ limit: ALL })),
  'returns deliveries of all endpoints': due.override(async ({ next, storage }, lease, request) => {
    const lists = await Promise.all(
      (await everyEndpoint(storage)).map(({ clientId, id }) =>
        next({ ...lease, clientId, endpointId: id }, request),
      ),
    );
    return lists.flatMap((list) => list ?? []);
  }),
  'returns deliveries of paused endpoints': change.override(({ next }, clientId, id, fields, now) =>
    next(clientId, id, fields.state === 'paused' ? {} : fields, now),
  ),
  'returns nothing instead of null': due.override(async ({ next }, ...input) => (await next(...input)) ?? []),
});
