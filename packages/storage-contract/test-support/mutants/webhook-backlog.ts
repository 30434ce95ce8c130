import type { DeliveryEntry, Storage } from '@countersign/domain/storage';
import { backlogSuite } from '../../src/suites/webhook-log.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { type Break, webhooks } from './patch.ts';
import { everyEndpoint, wholeLog } from './webhook-state.ts';

const { backlog } = webhooks;

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

export const backlogMutants: readonly Mutant[] = mutantsOf(backlogSuite, {
  'counts deliveries that wait for paused endpoints': countsToo(
    ({ state }, entry) => state === 'paused' && entry.state === 'waiting',
  ),
  'leaves out waiting deliveries': backlog.override(async ({ next, storage }, limit) => {
    const { waiting, oldestAt } = await next(limit);
    return { waiting: waiting - (await logged(storage)).length, oldestAt };
  }),
  'ignores the limit': backlog.override(({ next }) => next(ALL)),
  'limits both kinds together': backlog.override(async ({ next }, limit) => {
    const { waiting, oldestAt } = await next(limit);
    return { waiting: Math.min(waiting, limit), oldestAt };
  }),
  'finds no oldest event beyond the limit': backlog.override(async ({ next }, limit) => {
    const { waiting, oldestAt } = await next(limit);
    return { waiting, oldestAt: waiting >= limit ? null : oldestAt };
  }),
});
