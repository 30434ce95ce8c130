import type { DeliveryEntry, Storage } from '@countersign/domain/storage';
import { webhookLogSuite } from '../../src/suites/webhook-log.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { type Break, both, moved, remembering, roundTrip, webhooks } from './patch.ts';
import {
  EARLY,
  entryOf,
  everyEndpoint,
  FAR,
  ignoresClient,
  knowsNoVersions,
  ownerOf,
  sharesResults,
  shows,
  wholeLog,
} from './webhook-state.ts';

const { deliveries, attempts, resend, forget, fanOut, leaseEndpoints } = webhooks;

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

/** Sends only those of a state again. */
const resendsOnly = (state: DeliveryEntry['state']): Break =>
  resend.override(async ({ next, storage }, request) => {
    if (!('since' in request.which)) return next(request);
    const log = await wholeLog(storage, { clientId: request.clientId, id: request.endpointId });
    let count = 0;
    for (const entry of log.filter((each) => each.state === state && isChosen(each, request.which))) {
      await next({ ...request, which: { eventId: entry.eventId } });
      count += 1;
    }
    return { outcome: 'resent', count };
  });

const movesSince = (milliseconds: number): Break =>
  resend.input(({ which }) => ({
    which: 'since' in which ? { since: moved(which.since, milliseconds) } : which,
  }));

export const webhookLogMutants: readonly Mutant[] = mutantsOf(webhookLogSuite, {
  'lists the oldest first': deliveries.override(async ({ next }, query) =>
    [...(await next({ ...query, limit: ALL }))].reverse().slice(0, query.limit),
  ),
  ...deliveries.ignoring('state', 'after'),
  'ignores the limit': deliveries.input(() => ({ limit: ALL })),
  'filters the page': deliveries.override(async ({ next }, query) =>
    (await next({ ...query, state: undefined })).filter(
      ({ state }) => query.state === undefined || state === query.state,
    ),
  ),
  'repeats the last delivery of a page': deliveries.input(({ after }) => ({
    after: after && { ...after, eventId: `${after.eventId}~` },
  })),
  'skips deliveries of one moment': deliveries.input(({ after }) => ({
    after: after && { ...after, eventId: '' },
  })),
  'lists deliveries of one moment by ascending id': deliveries.override(async ({ next }, query) =>
    [...(await next({ ...query, limit: ALL }))]
      .sort((a, b) => Number(b.at) - Number(a.at) || (a.eventId < b.eventId ? -1 : 1))
      .slice(0, query.limit),
  ),
  'shows the log to another client': deliveries.override(async ({ next, storage }, query) =>
    next({ ...query, clientId: await ownerOf(storage, query.endpointId, query.clientId) }),
  ),
  'shows attempts to another client': ignoresClient(attempts),
  'finds no attempts of deliveries that were never sent': attempts.override(async ({ next }, ...input) => {
    const found = await next(...input);
    return found?.length === 0 ? null : found;
  }),
  'lists no attempts of events that were not delivered': attempts.override(
    async ({ next }, ...input) => (await next(...input)) ?? [],
  ),
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
  'deletes the attempts of what is sent again': afterResend((isResent) =>
    attempts.result((found, _client, _endpoint, eventId) => (isResent(eventId) ? [] : found)),
  ),
  'resends nothing': resend.override(async ({ storage }, { clientId, endpointId }) => {
    const endpoint = (await storage.webhooks.list(clientId)).find(({ id }) => id === endpointId);
    if (endpoint === undefined) return { outcome: 'not_found' };
    return endpoint.state === 'disabled' ? { outcome: 'disabled' } : { outcome: 'resent', count: 1 };
  }),
  'resends at the time of the event': resend.input(() => ({ now: EARLY })),
  'resends all for one': resend.input(({ which }) => ({ which: 'since' in which ? which : { since: EARLY } })),
  'counts one more': resend.result((result) =>
    result.outcome === 'resent' ? { ...result, count: result.count + 1 } : result,
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
  'resends failed deliveries only': resendsOnly('failed'),
  'resends delivered ones only': resendsOnly('delivered'),
  'overlooks what is sent again': remembering(() => {
    let isResent = false;
    return both(
      resend.after(() => {
        isResent = true;
      }),
      leaseEndpoints.result((endpoints) => (isResent ? [] : endpoints)),
    );
  }),
  'resends before an earlier version': knowsNoVersions,
  'resends to a disabled endpoint': resend.override(async ({ next, storage }, request) => {
    const { clientId, endpointId, now } = request;
    const endpoint = (await storage.webhooks.list(clientId)).find(({ id }) => id === endpointId);
    if (endpoint?.state === 'disabled')
      await storage.webhooks.change(clientId, endpointId, { state: 'paused' }, now);
    return next(request);
  }),
  'resends for another client': resend.override(async ({ next, storage }, request) =>
    next({ ...request, clientId: await ownerOf(storage, request.endpointId, request.clientId) }),
  ),
  'resends nothing to unknown endpoints': resend.result((result) =>
    result.outcome === 'not_found' ? { outcome: 'resent', count: 0 } : result,
  ),
  'counts deliveries, then resends them': sharesResults(resend, roundTrip),
  'forgets deliveries that wait': forget.override(async ({ next, storage }, request) => {
    const endpoints = (await everyEndpoint(storage)).filter(({ state }) => state === 'active');
    for (const { clientId, id } of endpoints) {
      await storage.webhooks.change(clientId, id, { state: 'disabled' }, request.before);
      await storage.webhooks.change(clientId, id, { state: 'active' }, request.before);
    }
    return next(request);
  }),
  'forgets delivered ones only': forget.override(async ({ next, storage }, request) => {
    for (const { clientId, id } of await everyEndpoint(storage))
      for (const entry of await wholeLog(storage, { clientId, id }))
        if (entry.state === 'failed')
          await storage.webhooks.resend({
            clientId,
            endpointId: id,
            which: { eventId: entry.eventId },
            now: request.before,
          });
    return next(request);
  }),
  'forgets deliveries of the moment itself': forget.input(({ before }) => ({ before: moved(before, 1) })),
  'forgets deliveries of any time': forget.input(() => ({ before: FAR })),
  'keeps the attempts of forgotten deliveries': attempts.override(
    async ({ next, storage }, clientId, id, eventId) =>
      (await entryOf(storage, clientId, id, eventId)) === undefined ? [] : next(clientId, id, eventId),
  ),
  'fans out forgotten events again': remembering(() => {
    let forgotten = 0;
    return both(
      forget.after((count) => {
        forgotten += count;
      }),
      fanOut.result((count) => count + forgotten),
    );
  }),
  'forgets up to any limit': forget.input(() => ({ limit: ALL })),
  'forgets one less': forget.input(({ limit }) => ({ limit: limit - 1 })),
  'limits each client': forget.override(async ({ next, storage }, request) =>
    next({ ...request, limit: request.limit * (await storage.clients.list()).length }),
  ),
});
