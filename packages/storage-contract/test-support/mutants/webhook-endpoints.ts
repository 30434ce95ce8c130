import { MAX_WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '@countersign/domain/webhooks';
import { endpointsAtOnceSuite, endpointsSuite } from '../../src/suites/webhook-endpoints.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, remembering, roundTrip, toSeconds, webhooks } from './patch.ts';
import { EARLY, everyEndpoint, FAR, ignoresClient, shows, wholeLog } from './webhook-state.ts';

const { add, list, change, remove } = webhooks;

const byAge = (a: WebhookEndpoint, b: WebhookEndpoint): number => Number(a.createdAt) - Number(b.createdAt);
const byId = (a: WebhookEndpoint, b: WebhookEndpoint): number => (a.id < b.id ? -1 : 1);

/** Shows the log of removed endpoints on. */
const keepsLog = (isShown: (isStored: boolean) => boolean): Break =>
  remembering(() => {
    const kept = new Map<string, Awaited<ReturnType<typeof wholeLog>>>();
    return both(
      remove.override(async ({ next, storage }, clientId, id) => {
        kept.set(id, await wholeLog(storage, { clientId, id }));
        return next(clientId, id);
      }),
      webhooks.deliveries.override(async ({ next, storage }, query) => {
        const found = await next(query);
        const isStored = (await storage.webhooks.list(query.clientId)).some(({ id }) => id === query.endpointId);
        return found.length > 0 || !isShown(isStored) ? found : (kept.get(query.endpointId) ?? []);
      }),
    );
  });

export const endpointsMutants: readonly Mutant[] = mutantsOf(endpointsSuite, {
  'drops who created an endpoint': add.input(() => ({ createdBy: null })),
  'truncates `since` to seconds': add.input(({ since }) => ({ since: toSeconds(since) })),
  'truncates `failingSince` to seconds': add.input(({ failingSince }) => ({
    failingSince: failingSince && toSeconds(failingSince),
  })),
  'normalises URLs': add.input(({ url }) => ({ url: new URL(url).href })),
  'sorts types': add.input(({ types }) => ({ types: [...types].sort() })),
  'adds active endpoints only': add.input(() => ({ state: 'active' })),
  'drops the previous secret': add.input(() => ({ previousSecret: null })),
  'drops the older secret': add.input(() => ({ olderSecret: null })),
  'counts secrets from one': add.input(() => ({ secretVersion: 1 })),
  'forgets which key encrypted a secret': add.input(({ secret }) => ({ secret: { ...secret, wrappedBy: null } })),
  'answers added for unknown clients': add.result(() => ({ outcome: 'added' })),
  'ignores an endpoint with a taken id': add.override(({ next }, endpoint) =>
    next(endpoint).catch(() => ({ outcome: 'added' })),
  ),
  'has no limit': add.override(async ({ next, storage }, endpoint) => {
    const result = await next(endpoint);
    const [oldest] = await storage.webhooks.list(endpoint.clientId);
    if (result.outcome !== 'limit_reached' || oldest === undefined) return result;
    await storage.webhooks.remove(endpoint.clientId, oldest.id);
    return next(endpoint);
  }),
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
  'lists the newest first': list.result((endpoints) => endpoints.toReversed()),
  'lists by id': list.result((endpoints) => endpoints.toSorted(byId)),
  'breaks ties by descending id': list.result((endpoints) =>
    endpoints.toSorted((a, b) => byAge(a, b) || byId(b, a)),
  ),
  'lists the endpoints of all clients': list.override(async ({ storage }) =>
    (await everyEndpoint(storage)).sort((a, b) => byAge(a, b) || byId(a, b)),
  ),
  'changes nothing': change.override(async ({ storage }, clientId, endpointId) => {
    const endpoint = (await storage.webhooks.list(clientId)).find(({ id }) => id === endpointId);
    return endpoint === undefined ? { outcome: 'not_found' } : { outcome: 'changed', endpoint };
  }),
  'answers with the endpoint before the change': change.override(async ({ next, storage }, clientId, ...rest) => {
    const before = (await storage.webhooks.list(clientId)).find(({ id }) => id === rest[0]);
    const result = await next(clientId, ...rest);
    return before === undefined ? result : { outcome: 'changed', endpoint: before };
  }),
  'changes all endpoints of the client': change.override(async ({ next, storage }, clientId, id, ...rest) => {
    const result = await next(clientId, id, ...rest);
    if (result.outcome === 'not_found') return result;
    for (const other of await storage.webhooks.list(clientId)) await next(clientId, other.id, ...rest);
    return result;
  }),
  'changes what is not as expected': change.override(({ next }, clientId, id, fields, now) =>
    next(clientId, id, fields, now),
  ),
  'compares the state only': change.override(({ next }, clientId, id, fields, now, expected) =>
    next(clientId, id, fields, now, expected?.state === undefined ? {} : { state: expected.state }),
  ),
  'compares the version of the secret only': change.override(({ next }, clientId, id, fields, now, expected) => {
    const { secretVersion } = expected ?? {};
    return next(clientId, id, fields, now, secretVersion === undefined ? {} : { secretVersion });
  }),
  'accepts a later version of the secret': change.override(
    async ({ next, storage }, clientId, id, fields, now, expected = {}) => {
      const present = (await storage.webhooks.list(clientId)).find((each) => each.id === id)?.secretVersion ?? 0;
      const { secretVersion = present } = expected;
      return next(clientId, id, fields, now, { ...expected, secretVersion: Math.max(secretVersion, present) });
    },
  ),
  'answers not_found instead of conflict': change.result((result) =>
    result.outcome === 'conflict' ? { outcome: 'not_found' } : result,
  ),
  'answers conflict for unknown endpoints': change.override(
    async ({ next }, clientId, id, fields, now, expected) => {
      const result = await next(clientId, id, fields, now, expected);
      return result.outcome === 'not_found' && expected !== undefined ? { outcome: 'conflict' } : result;
    },
  ),
  'clears failingSince with every change': change.override(({ next }, clientId, id, fields, now) =>
    next(clientId, id, { failingSince: null, ...fields }, now),
  ),
  'ignores null': change.override(({ next }, clientId, id, fields, now) => {
    const given = Object.entries(fields).filter(([, value]) => value !== null);
    return next(clientId, id, Object.fromEntries(given), now);
  }),
  'changes endpoints of other clients': ignoresClient(change),
  'answers changed for unknown endpoints': change.override(async ({ next, storage }, ...input) => {
    const result = await next(...input);
    const [endpoint] = await everyEndpoint(storage);
    return result.outcome === 'changed' || endpoint === undefined ? result : { outcome: 'changed', endpoint };
  }),
  'leaves due times alone when an endpoint becomes active': change.override(({ next }, clientId, id, fields) =>
    next(clientId, id, fields, FAR),
  ),
  'postpones deliveries when an endpoint becomes active': remembering(() => {
    let resumed = EARLY;
    return both(
      change.before((_clientId, _id, fields, now) => {
        if (fields.state === 'active') resumed = now;
      }),
      shows(({ dueAt }) => ({ dueAt: dueAt !== null && dueAt < resumed ? resumed : dueAt })),
    );
  }),
  'makes deliveries due with every change': change.override(async ({ next }, clientId, id, fields, now) => {
    await next(clientId, id, { state: 'paused' }, now);
    return next(clientId, id, { state: 'active', ...fields }, now);
  }),
  'leaves deliveries waiting when an endpoint becomes disabled': change.override(
    ({ next }, clientId, id, fields, now) =>
      next(clientId, id, fields.state === 'disabled' ? { ...fields, state: 'paused' } : fields, now),
  ),
  'shows a due time of failed deliveries': shows(({ state, at }) => (state === 'failed' ? { dueAt: at } : {})),
  'fails deliveries to every endpoint of the client': change.override(
    async ({ next, storage }, clientId, id, fields, now) => {
      const result = await next(clientId, id, fields, now);
      if (fields.state !== 'disabled') return result;
      for (const other of await storage.webhooks.list(clientId)) {
        await next(clientId, other.id, { state: 'disabled' }, now);
        if (other.id !== id) await next(clientId, other.id, { state: other.state }, now);
      }
      return result;
    },
  ),
  'fails delivered ones too when an endpoint becomes disabled': remembering(() => {
    const disabled = new Set<string>();
    return both(
      change.before((_, id, fields) => {
        if (fields.state === 'disabled') disabled.add(id);
      }),
      shows(({ endpointId, state }) => ({ state: disabled.has(endpointId) ? 'failed' : state })),
    );
  }),
  'removes nothing': remove.override(async ({ storage }, clientId, endpointId) => {
    const isStored = (await storage.webhooks.list(clientId)).some(({ id }) => id === endpointId);
    return { outcome: isStored ? 'removed' : 'not_found' };
  }),
  'keeps the deliveries of a removed endpoint': keepsLog(() => true),
  'shows the deliveries of a removed endpoint to one of the same id': keepsLog((isStored) => isStored),
  'keeps the attempts of a removed endpoint': remembering(() => {
    const kept = new Map<
      string,
      Awaited<ReturnType<Parameters<Parameters<typeof webhooks.attempts.override>[0]>[0]['next']>>
    >();
    return webhooks.attempts.override(async ({ next }, ...input) => {
      const found = await next(...input);
      if (found !== null) kept.set(input.join(' '), found);
      return found ?? kept.get(input.join(' ')) ?? [];
    });
  }),
  'removes all endpoints of the client': remove.override(async ({ next, storage }, clientId, id) => {
    const result = await next(clientId, id);
    if (result.outcome === 'removed')
      for (const other of await storage.webhooks.list(clientId)) await next(clientId, other.id);
    return result;
  }),
  'deletes the deliveries of all endpoints of the client': remove.override(
    async ({ next, storage }, clientId, endpointId) => {
      const result = await next(clientId, endpointId);
      for (const other of await storage.webhooks.list(clientId)) {
        await next(clientId, other.id);
        await storage.webhooks.add(other);
      }
      return result;
    },
  ),
  'removes endpoints of other clients': ignoresClient(remove),
  'answers removed always': remove.result(() => ({ outcome: 'removed' })),
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
