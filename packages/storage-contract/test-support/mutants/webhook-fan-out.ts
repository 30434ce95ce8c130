import type { VerificationEvent } from '@countersign/domain';
import { isSent, WEBHOOK_TYPES, type WebhookEndpoint } from '@countersign/domain/webhooks';
import { minute } from '../../src/records/ids.ts';
import { fanOutAtOnceSuite, fanOutSuite } from '../../src/suites/fan-out.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import {
  type Break,
  both,
  fail,
  keepsEvent,
  moved,
  remembering,
  roundTrip,
  toSeconds,
  verifications,
  webhooks,
} from './patch.ts';
import {
  EARLY,
  everyEndpoint,
  knowsNoVersions,
  sharesResults,
  shows,
  wholeLog,
  withTemporaryEndpoints,
} from './webhook-state.ts';

const { add, fanOut, deliveries } = webhooks;

/** The number at the end of an id. */
const numberOf = (id: string): number => Number.parseInt(id.slice(-4), 16);

/** Stores other times for events. */
const asIfAt = (time: (event: VerificationEvent) => Date): Break => keepsEvent((event) => ({ at: time(event) }));

export const fanOutMutants: readonly Mutant[] = mutantsOf(fanOutSuite, {
  'delivers events of every type': keepsEvent((event) =>
    isSent(event) ? {} : { type: 'verification.submitted' },
  ),
  'leaves out links that were renewed': keepsEvent(({ type }) =>
    type === 'verification.link_renewed' ? { type: 'verification.noted' } : {},
  ),
  'shows the type of the event': shows(({ type }) => ({
    type: type === 'verification.rejected' ? 'verification.approved' : type,
  })),
  'truncates times of events': asIfAt(({ at }) => toSeconds(at)),
  'makes deliveries that are due at the event': shows(({ at }) => ({ dueAt: at })),
  'counts attempts from 1': shows(({ attempts }) => ({ attempts: attempts + 1 })),
  'returns its limit': fanOut.result((_, { limit }) => limit),
  'delivers silent events': keepsEvent(({ data: { silent: _, ...data } }) => ({ data })),
  'leaves out events that are not silent': keepsEvent(({ data }) =>
    'silent' in data ? { data: { ...data, silent: true } } : {},
  ),
  'fans out events twice': fanOut.override(async ({ next, storage }, request) => {
    for (const { clientId, id: endpointId } of await everyEndpoint(storage))
      await storage.webhooks.resend({ clientId, endpointId, which: { since: EARLY }, now: request.now });
    return next(request);
  }),
  'counts events again': remembering(() => {
    let last = 0;
    return fanOut.result((count) => {
      last = count === 0 ? last : count;
      return last;
    });
  }),
  'delivers to disabled endpoints': add.input(({ state }) => ({
    state: state === 'disabled' ? 'paused' : state,
  })),
  'delivers to active endpoints only': add.input(({ state }) => ({
    state: state === 'paused' ? 'disabled' : state,
  })),
  'ignores the types of an endpoint': add.input(() => ({ types: WEBHOOK_TYPES })),
  'delivers to the first endpoint only': deliveries.override(async ({ next, storage }, query) => {
    const [first] = await storage.webhooks.list(query.clientId);
    return first?.id === query.endpointId ? next(query) : [];
  }),
  'delivers to endpoints of other clients': deliveries.override(async ({ storage }, query) => {
    const logs = await Promise.all((await everyEndpoint(storage)).map((each) => wholeLog(storage, each)));
    const events = new Map(logs.flat().map((entry) => [entry.eventId, entry]));
    return [...events.values()].slice(0, query.limit);
  }),
  'ignores `since`': add.input(() => ({ since: EARLY })),
  'leaves out events at `since`': add.input(({ since }) => ({ since: moved(since, 1) })),
  'takes events a moment before `since`': add.input(({ since }) => ({ since: moved(since, -1) })),
  'compares `since` by seconds': add.input(({ since }) => ({ since: toSeconds(since) })),
  'takes events that no endpoint could receive': fanOut.override(({ next, storage }, request) =>
    withTemporaryEndpoints(storage, () => next(request)),
  ),
  'takes events of disabled endpoints': fanOut.override(async ({ next, storage }, request) => {
    const disabled = (await everyEndpoint(storage)).filter(({ state }) => state === 'disabled');
    const set = ({ clientId, id }: WebhookEndpoint, change: Partial<WebhookEndpoint>) =>
      storage.webhooks.change(clientId, id, change, request.now);
    for (const endpoint of disabled) await set(endpoint, { state: 'paused', types: [] });
    const count = await next(request);
    for (const endpoint of disabled) await set(endpoint, { state: 'disabled', types: endpoint.types });
    return count;
  }),
  'counts deliveries': fanOut.override(async ({ next, storage }, request) => {
    const size = async () =>
      (await Promise.all((await everyEndpoint(storage)).map((each) => wholeLog(storage, each)))).flat().length;
    const before = await size();
    await next(request);
    return (await size()) - before;
  }),
  'leaves events that no endpoint receives unsent': remembering(() => {
    let isLeft = false;
    return both(
      fanOut.override(async ({ next, storage }, request) => {
        const logs = async () =>
          (await Promise.all((await everyEndpoint(storage)).map((each) => wholeLog(storage, each)))).flat();
        const before = (await logs()).length;
        const count = await next(request);
        const isFound = isLeft && count === 0;
        isLeft = count > 0 && (await logs()).length === before;
        return isFound ? 1 : count;
      }),
    );
  }),
  'ignores the limit': fanOut.input(() => ({ limit: ALL })),
  'limits each client': fanOut.override(async ({ next, storage }, request) =>
    next({ ...request, limit: request.limit * (await storage.clients.list()).length }),
  ),
  'takes the newest first': asIfAt(({ at }) => moved(minute(100), Number(minute(0)) - Number(at))),
  'takes events of one moment by descending version': asIfAt(({ at, version }) => moved(at, -version)),
  'takes events of one moment by id': asIfAt(({ at, id }) => moved(at, numberOf(id))),
  'takes events of one moment by descending id': asIfAt(({ at, id }) => moved(at, -numberOf(id))),
  'leaves earlier versions to a later call': knowsNoVersions,
  'makes later versions due before earlier ones': knowsNoVersions,
  'makes every delivery due with those that wait': remembering(() => {
    let latest = EARLY;
    return both(
      webhooks.settle.before((_lease, _delivery, result) => {
        if (result.settlement.state === 'waiting') latest = result.settlement.dueAt;
      }),
      fanOut.input(({ now }) => ({ now: new Date(Math.max(now.getTime(), latest.getTime())) })),
    );
  }),
  'delivers events of refused requests': verifications.createCharged.input(({ record }) => ({
    record: { ...record, subjectReference: record.id },
    allowance: ALL,
  })),
  'delivers events of conflicts': verifications.commit.override(async ({ next, storage }, change) => {
    const result = await next(change);
    const present = await storage.verifications.findForAnyClient(change.record.id);
    if (result.outcome === 'conflict' && present !== null)
      await next({ ...change, expectedVersion: present.version });
    return result;
  }),
});

export const fanOutAtOnceMutants: readonly Mutant[] = mutantsOf(fanOutAtOnceSuite, {
  'reads unsent events, then takes them': sharesResults(fanOut, roundTrip),
  'loses events of calls at once': remembering(() => {
    let busy = 0;
    return fanOut.override(async ({ next }, request) => {
      busy += 1;
      const isAlone = busy === 1;
      await roundTrip();
      const count = await next(request);
      busy -= 1;
      return isAlone ? count : 0;
    });
  }),
  'fans out later versions before earlier ones': knowsNoVersions,
  'misses events of changes during a call': remembering(() => {
    let busy = 0;
    return both(
      fanOut.override(async ({ next }, request) => {
        busy += 1;
        await roundTrip();
        busy -= 1;
        return next(request);
      }),
      verifications.commit.override(({ next }, change) => next(busy === 0 ? change : { ...change, events: [] })),
    );
  }),
  'fails when an endpoint is removed meanwhile': both(
    webhooks.remove.override(async ({ next }, ...input) => {
      await roundTrip();
      return next(...input);
    }),
    fanOut.override(async ({ next, storage }, request) => {
      const before = await everyEndpoint(storage);
      await roundTrip();
      await roundTrip();
      const left = await everyEndpoint(storage);
      return left.length < before.length ? fail('violates a foreign key') : next(request);
    }),
  ),
});
