import type { DeliveryEntry, Storage } from '@countersign/domain/storage';
import { webhookLogSuite } from '../../src/suites/webhook-log.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { type Break, both, moved, remembering, roundTrip, webhooks } from './patch.ts';
import { EARLY, everyEndpoint, sharesResults, shows, wholeLog } from './webhook-state.ts';

const { deliveries, attempts, resend, forget } = webhooks;

type Request = Parameters<Storage['webhooks']['resend']>[0];

/** Remembers the deliveries that were sent again. */
const afterResend = (patch: (isResent: (eventId: string) => boolean) => Break): Break =>
  remembering(() => {
    const resent = new Set<string>();
    return both(
      resend.override(async ({ next, storage }, request) => {
        const before = await wholeLog(storage, { clientId: request.clientId, id: request.endpointId });
        const result = await next(request);
        if (result.outcome === 'resent')
          for (const entry of before.filter((each) => isChosen(each, request.which))) resent.add(entry.eventId);
        return result;
      }),
      patch((eventId) => resent.has(eventId)),
    );
  });

const isChosen = (entry: DeliveryEntry, which: Request['which']): boolean =>
  'eventId' in which ? entry.eventId === which.eventId : entry.at >= which.since;

const movesSince = (milliseconds: number): Break =>
  resend.input(({ which }) => ({
    which: 'since' in which ? { since: moved(which.since, milliseconds) } : which,
  }));

export const webhookLogMutants: readonly Mutant[] = mutantsOf(webhookLogSuite, {
  'finds no attempts of deliveries that were never sent': attempts.override(async ({ next }, ...input) => {
    const found = await next(...input);
    return found?.length === 0 ? null : found;
  }),
  'finds attempts at other endpoints': attempts.override(async ({ next, storage }, clientId, id, eventId) => {
    const [first] = await storage.webhooks.list(clientId);
    return (await next(clientId, id, eventId)) ?? (first === undefined ? null : next(clientId, first.id, eventId));
  }),
  'counts attempts on after a resend': deliveries.override(async ({ next, storage }, query) =>
    Promise.all(
      (await next(query)).map(async (entry) => {
        const made = await storage.webhooks.attempts(query.clientId, query.endpointId, entry.eventId);
        return { ...entry, attempts: made?.length ?? entry.attempts };
      }),
    ),
  ),
  'makes waiting deliveries due': resend.override(async ({ next, storage }, request) => {
    const { clientId, endpointId, now } = request;
    const endpoint = (await storage.webhooks.list(clientId)).find(({ id }) => id === endpointId);
    if (endpoint?.state === 'active') {
      await storage.webhooks.change(clientId, endpointId, { state: 'paused' }, now);
      await storage.webhooks.change(clientId, endpointId, { state: 'active' }, EARLY);
    }
    return next(request);
  }),
  'forgets the attempts of waiting deliveries': afterResend((isResent) =>
    shows(({ eventId }) => (isResent(eventId) ? { attempts: 0 } : {})),
  ),
  'resends from a moment before': movesSince(-1),
  'resends after the moment': movesSince(1),
  'counts deliveries, then resends them': sharesResults(resend, roundTrip),
  'forgets deliveries that wait': forget.override(async ({ next, storage }, request) => {
    const endpoints = (await everyEndpoint(storage)).filter(({ state }) => state === 'active');
    for (const { clientId, id } of endpoints) {
      await storage.webhooks.change(clientId, id, { state: 'disabled' }, request.before);
      await storage.webhooks.change(clientId, id, { state: 'active' }, request.before);
    }
    return next(request);
  }),
  'forgets up to any limit': forget.input(() => ({ limit: ALL })),
  'forgets one less': forget.input(({ limit }) => ({ limit: limit - 1 })),
  'limits each client': forget.override(async ({ next, storage }, request) =>
    next({ ...request, limit: request.limit * (await storage.clients.list()).length }),
  ),
});
