import type { Attempt, EndpointChange, Settlement } from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import { settlementsSuite } from '../../src/suites/settlements.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, remembering, roundTrip, webhooks } from './patch.ts';
import { EARLY, entryOf, FAR, shows, wholeLog } from './webhook-state.ts';

const { settle } = webhooks;

type Call = Parameters<Parameters<typeof settle.override>[0]>;
type Input = Call extends [unknown, ...infer I] ? I : never;

/** Settles otherwise. */
const settles = (change: (settlement: Settlement) => Settlement): Break =>
  settle.input(({ settlement }) => ({ settlement: change(settlement) }));

/** Does something more after each attempt that was settled. */
const thenAlso = (
  act: (
    storage: Call[0]['storage'],
    input: Input,
    before: Awaited<ReturnType<typeof endpointOf>>,
  ) => Promise<unknown>,
): Break =>
  settle.override(async ({ next, storage }, ...input) => {
    const before = await endpointOf(storage, input[0]);
    const result = await next(...input);
    if (result.outcome === 'settled') await act(storage, input, before);
    return result;
  });

async function endpointOf(storage: Call[0]['storage'], { clientId, endpointId }: Call[1]) {
  return (await storage.webhooks.list(clientId)).find(({ id }) => id === endpointId);
}

/** Changes the endpoint before each success is stored. */
const beforeSuccess = (change: (endpoint: WebhookEndpoint, at: Date) => EndpointChange): Break =>
  settle.override(async ({ next, storage }, lease, delivery, result) => {
    const endpoint = await endpointOf(storage, lease);
    if (endpoint !== undefined && result.settlement.state === 'delivered')
      await storage.webhooks.change(lease.clientId, lease.endpointId, change(endpoint, result.attempt.at), FAR);
    return next(lease, delivery, result);
  });

/** Stores each attempt otherwise. */
const keepsAttempt = (change: (attempt: Attempt) => Partial<Attempt>): Break =>
  settle.input(({ attempt }) => ({ attempt: { ...attempt, ...change(attempt) } }));

/** Runs when the delivery waits no longer before the attempt. */
const lateAttempt = (act: (call: Call[0], ...input: Input) => ReturnType<Call[0]['next']>): Break =>
  settle.override(async (call, ...input) => {
    const [{ clientId, endpointId }, { eventId }] = input;
    const entry = await entryOf(call.storage, clientId, endpointId, eventId);
    return entry?.state === 'waiting' ? call.next(...input) : act(call, ...input);
  });

export const settlementsMutants: readonly Mutant[] = mutantsOf(settlementsSuite, {
  'keeps delivered ones waiting': settles((settlement) =>
    settlement.state === 'delivered' ? { state: 'waiting', dueAt: EARLY } : settlement,
  ),
  'keeps failed ones waiting': settles((settlement) =>
    settlement.state === 'failed' ? { state: 'waiting', dueAt: EARLY } : settlement,
  ),
  'counts one attempt always': shows(({ attempts }) => ({ attempts: Math.min(attempts, 1) })),
  'cuts responses at 255 characters': keepsAttempt(({ response }) => ({
    response: response === null ? null : response.slice(0, 255),
  })),
  'measures at least a millisecond': keepsAttempt(({ durationMs }) => ({ durationMs: Math.max(1, durationMs) })),
  'settles a delivery that is no longer waiting': lateAttempt(
    async ({ next, storage }, lease, delivery, result) => {
      const { clientId, endpointId } = lease;
      const which = { eventId: delivery.eventId };
      await storage.webhooks.resend({ clientId, endpointId, which, now: EARLY });
      return next(lease, delivery, result);
    },
  ),
  'loses the attempt of a delivery that is no longer waiting': lateAttempt(async () => ({ outcome: 'settled' })),
  'refuses to settle a delivery that is no longer waiting': lateAttempt(async () => ({ outcome: 'lease_lost' })),
  'counts the attempt of a delivery that is no longer waiting': shows(({ state, attempts }) => ({
    attempts: state === 'delivered' ? attempts + 1 : attempts,
  })),
  'clears failingSince with a final failure': thenAlso(async (storage, [lease, , { settlement }]) =>
    settlement.state === 'failed'
      ? storage.webhooks.change(lease.clientId, lease.endpointId, { failingSince: null }, FAR)
      : null,
  ),
  'fails what waits for an endpoint that it pauses': thenAlso(async (storage, [{ clientId, endpointId }]) => {
    const endpoint = (await storage.webhooks.list(clientId)).find(({ id }) => id === endpointId);
    if (endpoint?.state !== 'paused') return;
    await storage.webhooks.change(clientId, endpointId, { state: 'disabled' }, FAR);
    await storage.webhooks.change(clientId, endpointId, { state: 'paused' }, FAR);
  }),
  'pauses a disabled endpoint': thenAlso(async (storage, [lease, , { attempt, pauseIfFailingSince }], before) =>
    before?.state === 'disabled' && attempt.at <= pauseIfFailingSince
      ? storage.webhooks.change(lease.clientId, lease.endpointId, { state: 'paused' }, FAR)
      : null,
  ),
  'leaves deliveries waiting when it disables': remembering(() => {
    const waiting = new Set<string>();
    return both(
      settle.override(async ({ next, storage }, lease, delivery, result) => {
        const log = await wholeLog(storage, { clientId: lease.clientId, id: lease.endpointId });
        if (result.disable)
          for (const { eventId, state } of log)
            if (state === 'waiting' && eventId !== delivery.eventId) waiting.add(eventId);
        return next(lease, delivery, result);
      }),
      shows(({ eventId, state }) => ({ state: waiting.has(eventId) ? 'waiting' : state })),
    );
  }),
  'hides that more wait': settle.override(async ({ next }, ...input) => {
    const result = await next(...input);
    return result.outcome === 'settled' ? { outcome: 'settled' } : result;
  }),
  'says that more wait when none do': settle.override(async ({ next }, ...input) => {
    const result = await next(...input);
    const [, , { attempt, settlement, wake }] = input;
    if (result.outcome !== 'settled' || settlement.state !== 'delivered') return result;
    return { unfinished: wake.outage ?? { since: attempt.at, until: attempt.at }, ...result };
  }),
  'makes what waits due after every success': beforeSuccess(() => ({ failingSince: EARLY })),
  'makes due what waits for other endpoints': thenAlso(
    async (storage, [lease, , { attempt, settlement }], before) => {
      if (settlement.state !== 'delivered' || !before?.failingSince) return;
      for (const { id } of await storage.webhooks.list(lease.clientId)) {
        await storage.webhooks.change(lease.clientId, id, { state: 'paused' }, attempt.at);
        await storage.webhooks.change(lease.clientId, id, { state: 'active' }, attempt.at);
      }
    },
  ),
  'settles one at a time': settle.oneAtATime(async () => ({ outcome: 'lease_lost' })),
  'loses attempts at once': settle.oneAtATime(async () => ({ outcome: 'settled' })),
  'reads the number of attempts, then writes it': remembering(() => {
    const lost = new Map<string, number>();
    let isBusy = false;
    return both(
      settle.override(async ({ next }, lease, delivery, result) => {
        if (isBusy) lost.set(delivery.eventId, (lost.get(delivery.eventId) ?? 0) + 1);
        isBusy = true;
        await roundTrip();
        isBusy = false;
        return next(lease, delivery, result);
      }),
      shows(({ eventId, attempts }) => ({ attempts: attempts - (lost.get(eventId) ?? 0) })),
    );
  }),
});
