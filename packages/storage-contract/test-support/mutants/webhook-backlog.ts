import type { DeliveryEntry, Storage } from '@countersign/domain/storage';
import { backlogSuite } from '../../src/suites/webhook-log.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { type Break, keepsEvent, webhooks } from './patch.ts';
import { EARLY, everyEndpoint, wholeLog, withTemporaryEndpoints } from './webhook-state.ts';

const { add, backlog } = webhooks;

type Endpoint = Awaited<ReturnType<typeof everyEndpoint>>[number];

/** The deliveries of which some would be counted. */
async function logged(storage: Storage): Promise<{ endpoint: Endpoint; entry: DeliveryEntry }[]> {
  const endpoints = await everyEndpoint(storage);
  const logs = await Promise.all(
    endpoints.map(async (endpoint) => (await wholeLog(storage, endpoint)).map((entry) => ({ endpoint, entry }))),
  );
  return logs.flat();
}

/** Counts these deliveries as well. */
const countsToo = (isCounted: (endpoint: Endpoint, entry: DeliveryEntry) => boolean): Break =>
  backlog.override(async ({ next, storage }, limit) => {
    const more = (await logged(storage)).filter(({ endpoint, entry }) => isCounted(endpoint, entry));
    const { waiting, oldestAt } = await next(limit);
    return { waiting: waiting + more.length, oldestAt: oldestAt ?? more[0]?.entry.at ?? null };
  });

/** Counts these endpoints as paused after failures. */
const countsEndpoints = (isCounted: (endpoint: Endpoint, all: readonly Endpoint[]) => boolean): Break =>
  webhooks.countPausedAfterFailures.override(async ({ storage }) => {
    const all = await everyEndpoint(storage);
    return all.filter((endpoint) => isCounted(endpoint, all)).length;
  });

export const backlogMutants: readonly Mutant[] = mutantsOf(backlogSuite, {
  'counts events of clients without endpoints': backlog.override(({ next, storage }, limit) =>
    withTemporaryEndpoints(storage, () => next(limit)),
  ),
  'counts delivered ones': countsToo((_, { state }) => state === 'delivered'),
  'counts failed ones': countsToo((_, { state }) => state === 'failed'),
  'counts deliveries that wait for paused endpoints': countsToo(
    ({ state }, entry) => state === 'paused' && entry.state === 'waiting',
  ),
  'counts deliveries of disabled endpoints': countsToo(({ state }) => state === 'disabled'),
  'leaves out retries': backlog.override(async ({ next, storage }, limit) => {
    const { waiting, oldestAt } = await next(limit);
    const retries = (await logged(storage)).filter(({ entry }) => entry.state === 'waiting' && entry.attempts > 0);
    return { waiting: waiting - retries.length, oldestAt };
  }),
  'leaves out unsent events': backlog.override(async ({ storage }) => {
    const waiting = (await logged(storage)).filter(
      ({ endpoint, entry }) => endpoint.state === 'active' && entry.state === 'waiting',
    );
    const times = waiting.map(({ entry }) => entry.at.getTime());
    return { waiting: waiting.length, oldestAt: times.length === 0 ? null : new Date(Math.min(...times)) };
  }),
  'leaves out waiting deliveries': backlog.override(async ({ next, storage }, limit) => {
    const { waiting, oldestAt } = await next(limit);
    return { waiting: waiting - (await logged(storage)).length, oldestAt };
  }),
  'counts events before `since`': add.input(() => ({ since: EARLY })),
  'counts events that are not sent': keepsEvent(() => ({ type: 'verification.submitted' })),
  'ignores the limit': backlog.override(({ next }) => next(ALL)),
  'limits both kinds together': backlog.override(async ({ next }, limit) => {
    const { waiting, oldestAt } = await next(limit);
    return { waiting: Math.min(waiting, limit), oldestAt };
  }),
  'finds no oldest event beyond the limit': backlog.override(async ({ next }, limit) => {
    const { waiting, oldestAt } = await next(limit);
    return { waiting, oldestAt: waiting >= limit ? null : oldestAt };
  }),
  'finds no oldest event': backlog.result(({ waiting }) => ({ waiting, oldestAt: null })),
  'counts every paused endpoint': countsEndpoints(({ state }) => state === 'paused'),
  'counts every failing endpoint': countsEndpoints(({ failingSince }) => failingSince !== null),
  'counts paused endpoints of one client': countsEndpoints(
    ({ state, failingSince }, all) =>
      state === 'paused' && failingSince !== null && all.every(({ clientId }) => clientId === all[0]?.clientId),
  ),
  'counts 0 always': backlog.result(({ oldestAt }) => ({ waiting: 0, oldestAt })),
  'counts events of one client only': backlog.override(async ({ next, storage }, limit) => {
    const { waiting, oldestAt } = await next(limit);
    const clients = (await storage.clients.list()).length;
    return { waiting: clients > 1 ? waiting - 1 : waiting, oldestAt };
  }),
});
