import { MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import { endpointsAtOnceSuite, endpointsSuite } from '../../src/suites/webhook-endpoints.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { remembering, roundTrip, toSeconds, webhooks } from './patch.ts';
import { everyEndpoint, ignoresClient } from './webhook-state.ts';

const { add, change, remove } = webhooks;

export const endpointsMutants: readonly Mutant[] = mutantsOf(endpointsSuite, {
  'drops who created an endpoint': add.input(() => ({ createdBy: null })),
  'truncates `since` to seconds': add.input(({ since }) => ({ since: toSeconds(since) })),
  'truncates `failingSince` to seconds': add.input(({ failingSince }) => ({
    failingSince: failingSince && toSeconds(failingSince),
  })),
  'normalises URLs': add.input(({ url }) => ({ url: new URL(url).href })),
  'adds active endpoints only': add.input(() => ({ state: 'active' })),
  'drops the previous secret': add.input(() => ({ previousSecret: null })),
  'drops the older secret': add.input(() => ({ olderSecret: null })),
  'forgets which key encrypted a secret': add.input(({ secret }) => ({ secret: { ...secret, wrappedBy: null } })),
  'ignores an endpoint with a taken id': add.override(({ next }, endpoint) =>
    next(endpoint).catch(() => ({ outcome: 'added' })),
  ),
  'counts active endpoints only': add.override(async ({ next, storage }, endpoint) => {
    const result = await next(endpoint);
    const stored = await storage.webhooks.list(endpoint.clientId);
    return stored.every(({ state }) => state === 'active') ? result : { outcome: 'added' };
  }),
  'counts the endpoints of all clients': add.override(async ({ next, storage }, endpoint) =>
    (await everyEndpoint(storage)).length < MAX_WEBHOOK_ENDPOINTS ? next(endpoint) : { outcome: 'limit_reached' },
  ),
  'counts removed endpoints': remembering(() => {
    const added = new Map<string, number>();
    return add.override(async ({ next }, endpoint) => {
      const count = (added.get(endpoint.clientId) ?? 0) + 1;
      added.set(endpoint.clientId, count);
      return count > MAX_WEBHOOK_ENDPOINTS ? { outcome: 'limit_reached' } : next(endpoint);
    });
  }),
  'ignores null': change.override(({ next }, clientId, id, fields, now) => {
    const given = Object.entries(fields).filter(([, value]) => value !== null);
    return next(clientId, id, Object.fromEntries(given), now);
  }),
  'changes endpoints of other clients': ignoresClient(change),
  'leaves deliveries waiting when an endpoint becomes disabled': change.override(
    ({ next }, clientId, id, fields, now) =>
      next(clientId, id, fields.state === 'disabled' ? { ...fields, state: 'paused' } : fields, now),
  ),
});

export const endpointsAtOnceMutants: readonly Mutant[] = mutantsOf(endpointsAtOnceSuite, {
  'counts, then adds': add.override(async ({ next, storage }, endpoint) => {
    const count = (await storage.webhooks.list(endpoint.clientId)).length;
    await roundTrip();
    const result = await next(endpoint);
    return count < MAX_WEBHOOK_ENDPOINTS ? { outcome: 'added' } : result;
  }),
  'adds one at a time': add.oneAtATime(async () => ({ outcome: 'limit_reached' })),
  'stores what it refuses': add.override(async ({ next, storage }, endpoint) => {
    const result = await next(endpoint);
    const [oldest] = await storage.webhooks.list(endpoint.clientId);
    if (result.outcome === 'limit_reached' && oldest !== undefined) {
      await storage.webhooks.remove(endpoint.clientId, oldest.id);
      await next(endpoint);
    }
    return result;
  }),
  'reads the endpoint, then writes it': change.override(async ({ next, storage }, clientId, id, fields, now) => {
    const endpoint = (await storage.webhooks.list(clientId)).find((each) => each.id === id);
    await roundTrip();
    return next(clientId, id, { ...endpoint, ...fields }, now);
  }),
  'compares, then changes': change.override(async ({ next, storage }, clientId, id, fields, now, expected) => {
    const present = (await storage.webhooks.list(clientId)).find((each) => each.id === id);
    await roundTrip();
    const { state = present?.state, secretVersion = present?.secretVersion } = expected ?? {};
    if (state !== present?.state || secretVersion !== present?.secretVersion) return { outcome: 'conflict' };
    return next(clientId, id, fields, now);
  }),
  'looks, then removes': remove.override(async ({ next, storage }, clientId, endpointId) => {
    const isStored = (await storage.webhooks.list(clientId)).some(({ id }) => id === endpointId);
    await roundTrip();
    await next(clientId, endpointId);
    return { outcome: isStored ? 'removed' : 'not_found' };
  }),
});
