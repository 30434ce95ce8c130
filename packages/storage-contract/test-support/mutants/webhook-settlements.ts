import type { Attempt, EndpointChange, Settlement } from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import { settlementsSuite } from '../../src/suites/settlements.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, moved, remembering, roundTrip, webhooks } from './patch.ts';
import { EARLY, entryOf, FAR, shows, wholeLog } from './webhook-state.ts';

const { settle, attempts } = webhooks;

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
  'shows failed ones as delivered': shows(({ state }) => (state === 'failed' ? { state: 'delivered' } : {})),
  'settles every delivery of the endpoint': settle.override(async ({ next, storage }, lease, delivery, result) => {
    for (const entry of await wholeLog(storage, { clientId: lease.clientId, id: lease.endpointId }))
      await next(lease, entry, result);
    return next(lease, delivery, result);
  }),
  'counts no attempts': shows(() => ({ attempts: 0 })),
  'counts one attempt always': shows(({ attempts }) => ({ attempts: Math.min(attempts, 1) })),
  'retries a moment early': settles((settlement) =>
    settlement.state === 'waiting' ? { ...settlement, dueAt: moved(settlement.dueAt, -1) } : settlement,
  ),
  'retries at once': settles((settlement) =>
    settlement.state === 'waiting' ? { ...settlement, dueAt: EARLY } : settlement,
  ),
  'leaves later versions of a retry due before it': remembering(() => {
    let made = EARLY;
    return both(
      webhooks.fanOut.before((request) => {
        made = request.now;
      }),
      shows(({ dueAt, version }) => ({ dueAt: dueAt !== null && version > 1 ? made : dueAt })),
    );
  }),
  'loses attempts': attempts.result(() => []),
  'keeps the last attempt only': attempts.result((found) => found.slice(-1)),
  'lists the newest attempt first': attempts.result((found) => found.toReversed()),
  'lists attempts of one moment by descending id': attempts.result((found) =>
    found.toSorted((a, b) => Number(a.at) - Number(b.at) || (a.id < b.id ? 1 : -1)),
  ),
  'drops empty responses': keepsAttempt(({ response }) => ({ response: response === '' ? null : response })),
  'cuts responses at 255 characters': keepsAttempt(({ response }) => ({
    response: response === null ? null : response.slice(0, 255),
  })),
  'drops the reason without a response': keepsAttempt(() => ({ fault: null })),
  'drops the request': keepsAttempt(() => ({ request: '' })),
  'drops the status': keepsAttempt(() => ({ status: null })),
  'measures at least a millisecond': keepsAttempt(({ durationMs }) => ({ durationMs: Math.max(1, durationMs) })),
  'shows the attempts of all deliveries': attempts.override(async ({ next, storage }, clientId, id) => {
    const log = await wholeLog(storage, { clientId, id });
    return (await Promise.all(log.map(({ eventId }) => next(clientId, id, eventId)))).flatMap(
      (each) => each ?? [],
    );
  }),
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
  'sets failingSince to the last failed attempt': thenAlso(async (storage, [lease, , { settlement, attempt }]) =>
    settlement.state === 'delivered'
      ? null
      : storage.webhooks.change(lease.clientId, lease.endpointId, { failingSince: attempt.at }, FAR),
  ),
  'never clears failingSince': thenAlso(async (storage, [lease, , { settlement }], before) =>
    settlement.state === 'delivered' && before !== undefined
      ? storage.webhooks.change(lease.clientId, lease.endpointId, { failingSince: before.failingSince }, FAR)
      : null,
  ),
  'clears failingSince with a final failure': thenAlso(async (storage, [lease, , { settlement }]) =>
    settlement.state === 'failed'
      ? storage.webhooks.change(lease.clientId, lease.endpointId, { failingSince: null }, FAR)
      : null,
  ),
  'never pauses': settle.input(() => ({ pauseIfFailingSince: EARLY })),
  'pauses a moment early': settle.input(({ pauseIfFailingSince }) => ({
    pauseIfFailingSince: moved(pauseIfFailingSince, 1),
  })),
  'pauses a moment late': settle.input(({ pauseIfFailingSince }) => ({
    pauseIfFailingSince: moved(pauseIfFailingSince, -1),
  })),
  'pauses after the first failure': settle.input(() => ({ pauseIfFailingSince: FAR })),
  'fails what waits for an endpoint that it pauses': thenAlso(async (storage, [{ clientId, endpointId }]) => {
    const endpoint = (await storage.webhooks.list(clientId)).find(({ id }) => id === endpointId);
    if (endpoint?.state !== 'paused') return;
    await storage.webhooks.change(clientId, endpointId, { state: 'disabled' }, FAR);
    await storage.webhooks.change(clientId, endpointId, { state: 'paused' }, FAR);
  }),
  'queues no mails with a pause': settle.input(() => ({ mailsIfPaused: [] })),
  'queues one mail with a pause': settle.input(({ mailsIfPaused = [] }) => ({
    mailsIfPaused: mailsIfPaused.slice(0, 1),
  })),
  'queues mails without a pause': settle.override(
    async ({ next, storage }, lease, delivery, { mailsIfPaused = [], ...result }) => {
      await storage.mails.add(mailsIfPaused).catch(() => undefined);
      return next(lease, delivery, result);
    },
  ),
  'pauses before it queues': settle.override(
    async ({ next, storage }, lease, delivery, { mailsIfPaused = [], ...result }) => {
      const before = await endpointOf(storage, lease);
      const settled = await next(lease, delivery, result);
      const after = await endpointOf(storage, lease);
      if (before?.state === 'active' && after?.state === 'paused') await storage.mails.add(mailsIfPaused);
      return settled;
    },
  ),
  'queues mails when it disables': settle.override(
    async ({ next, storage }, lease, delivery, { mailsIfPaused = [], ...result }) => {
      if (result.disable) await storage.mails.add(mailsIfPaused);
      return next(lease, delivery, { ...result, mailsIfPaused });
    },
  ),
  'pauses after a success': thenAlso(async (storage, [lease, , { attempt, pauseIfFailingSince }]) =>
    attempt.at <= pauseIfFailingSince
      ? storage.webhooks.change(lease.clientId, lease.endpointId, { state: 'paused' }, FAR)
      : null,
  ),
  'pauses a disabled endpoint': thenAlso(async (storage, [lease, , { attempt, pauseIfFailingSince }], before) =>
    before?.state === 'disabled' && attempt.at <= pauseIfFailingSince
      ? storage.webhooks.change(lease.clientId, lease.endpointId, { state: 'paused' }, FAR)
      : null,
  ),
  'ignores `disable`': settle.input(() => ({ disable: false })),
  'pauses instead of disabling': settle.input(({ disable }) =>
    disable ? { disable: false, pauseIfFailingSince: FAR } : {},
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
  'marks all endpoints of the client as failing': thenAlso(async (storage, [{ clientId }, , { attempt }]) => {
    for (const { id } of await storage.webhooks.list(clientId))
      await storage.webhooks.change(clientId, id, { failingSince: attempt.at }, FAR);
  }),
  'makes nothing due after an outage': beforeSuccess(() => ({ failingSince: null })),
  'makes all due at one moment after an outage': settle.input(({ wake }) => ({ wake: { ...wake, withinMs: 0 } })),
  'makes the last due late after an outage': settle.input(({ wake }) => ({
    wake: { ...wake, withinMs: wake.withinMs * 2 },
  })),
  'makes all due after an outage, however many': settle.input(({ wake }) => ({ wake: { ...wake, limit: 100 } })),
  'forgets an outage after the first that are due': settle.input(({ wake: { outage: _, ...wake } }) => ({ wake })),
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
  'makes due again what failed after the outage': settle.input(({ wake: { outage, ...wake } }) =>
    outage === undefined ? {} : { wake: { ...wake, outage: { ...outage, until: FAR } } },
  ),
  'makes what waits due after every success': beforeSuccess(() => ({ failingSince: EARLY })),
  'makes due what failed before the outage': beforeSuccess(({ failingSince }) =>
    failingSince === null ? {} : { failingSince: EARLY },
  ),
  'makes due what waits for other endpoints': thenAlso(
    async (storage, [lease, , { attempt, settlement }], before) => {
      if (settlement.state !== 'delivered' || !before?.failingSince) return;
      for (const { id } of await storage.webhooks.list(lease.clientId)) {
        await storage.webhooks.change(lease.clientId, id, { state: 'paused' }, attempt.at);
        await storage.webhooks.change(lease.clientId, id, { state: 'active' }, attempt.at);
      }
    },
  ),
  'ends an outage by a request from before it': beforeSuccess(({ failingSince }, at) =>
    failingSince !== null && at < failingSince ? { failingSince: null } : {},
  ),
  'ends an outage by a request that began with it': beforeSuccess(({ failingSince }, at) =>
    failingSince?.getTime() === at.getTime() ? { failingSince: null } : {},
  ),
  'takes the failure that is stored first for the first one': thenAlso(
    async (storage, [lease, , { attempt, settlement }], before) =>
      settlement.state !== 'delivered' && before?.failingSince && attempt.at < before.failingSince
        ? storage.webhooks.change(lease.clientId, lease.endpointId, { failingSince: before.failingSince }, FAR)
        : null,
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
