import { dueDeliveriesSuite } from '../../src/suites/endpoint-leases.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { webhooks } from './patch.ts';
import { wholeLog } from './webhook-state.ts';

const { due } = webhooks;

export const dueDeliveriesMutants: readonly Mutant[] = mutantsOf(dueDeliveriesSuite, {
  'holds every delivery back behind a retry': due.override(async ({ next, storage }, lease, request) => {
    const log = await wholeLog(storage, { clientId: lease.clientId, id: lease.endpointId });
    const isHeld = log.some(({ dueAt }) => dueAt !== null && dueAt > request.now);
    return isHeld ? [] : next(lease, request);
  }),
  'returns nothing instead of null': due.override(async ({ next }, ...input) => (await next(...input)) ?? []),
});
