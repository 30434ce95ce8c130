import type { Storage, VerificationEvent, VerificationRecord } from '@countersign/domain';
import { clientId } from '../../src/records/ids.ts';
import { countByDaySuite } from '../../src/suites/count-by-day.ts';
import { isolationSuite } from '../../src/suites/isolation.ts';
import { anyClientReadsSuite, readsSuite } from '../../src/suites/reads.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { countLater, countOther, joined, verificationsOf, withFields } from './pages.ts';
import { answers, type Break, fail, moved, on, remembering, roundTrip } from './patch.ts';

type Compare = (a: VerificationEvent, b: VerificationEvent) => number;

const byMoment: Compare = (a, b) => Number(a.at) - Number(b.at) || (a.id < b.id ? -1 : 1);
const byId: Compare = (a, b) => (a.id < b.id ? -1 : 1);
const byVersionAsText: Compare = (a, b) => (String(a.version) < String(b.version) ? -1 : 1);

interface History {
  readonly record: VerificationRecord;
  readonly events: readonly VerificationEvent[];
}

/** Puts the events of a verification in another order. */
const ordersEvents = (changes: (change: (history: History) => History) => Break): Record<string, Break> => {
  const orders = (compare: Compare): Break =>
    changes(({ record, events }) => ({ record, events: [...events].sort(compare) }));
  return {
    'orders events by their moment': orders(byMoment),
    'orders events by their id': orders(byId),
    'orders versions as text': orders(byVersionAsText),
  };
};

export const readsMutants: readonly Mutant[] = mutantsOf(readsSuite, {
  'lists without metadata': answers('verifications.list')(withFields({ metadata: {} })),
  'finds for any client without answers': answers('verifications.findForAnyClient')((record) => ({
    ...record,
    answers: {},
  })),
  'lists without their sandbox': answers('verifications.list')(withFields({ sandboxOutcome: null })),
  'does not find resolved ones by their key': answers('verifications.findByIdempotencyKey')((record) =>
    record.resolvedAt === null ? record : null,
  ),
  'fails on a text that is no UUID': on('verifications.findForAnyClient')(async ({ next }, id) =>
    id.length === 36 ? next(id) : fail('invalid input syntax for type uuid'),
  ),
  'fails on what it does not know': on('verifications.find')(
    async ({ next }, ...given) => (await next(...given)) ?? fail('no rows'),
  ),
  'makes up a history for what it does not know': on('verifications.findWithEvents')(
    async ({ next }, ...given) => (await next(...given)) ?? { record: {} as VerificationRecord, events: [] },
  ),
  'finds for the first client alone': on('verifications.findForAnyClient')(({ storage }, id) =>
    storage.verifications.find(clientId(1), id),
  ),
  'names the first client for every verification': answers('verifications.clientOf')((found) =>
    found === null ? null : clientId(1),
  ),
  'names no client of a resolved verification': on('verifications.clientOf')(async ({ next, storage }, id) =>
    (await storage.verifications.findForAnyClient(id))?.resolvedAt === null ? next(id) : null,
  ),
  'looks up the client of a text that is no UUID': on('verifications.clientOf')(async ({ next }, id) =>
    id.length === 36 ? next(id) : fail('invalid input syntax for type uuid'),
  ),
  'gives all events of the client': on('verifications.findWithEvents')(async ({ next, storage }, client, id) => {
    const found = await next(client, id);
    const records = await verificationsOf(storage, client);
    const all = await Promise.all(records.map((record) => next(client, record.id)));
    return found && { ...found, events: all.flatMap((each) => each?.events ?? []) };
  }),
  ...ordersEvents(answers('verifications.findWithEvents')),
  'reads the record first and its events later': on('verifications.findWithEvents')(
    async ({ next, storage }, client, id) => {
      const record = await storage.verifications.find(client, id);
      await roundTrip();
      const found = await next(client, id);
      return record && found && { ...found, record };
    },
  ),
  'reads the page first and counts later': on('verifications.list')(({ next }, ...given) =>
    countLater(() => next(...given)),
  ),
});

export const anyClientReadsMutants: readonly Mutant[] = mutantsOf(anyClientReadsSuite, {
  'finds for the first client alone': on('verifications.findWithEventsForAnyClient')(({ storage }, id) =>
    storage.verifications.findWithEvents(clientId(1), id),
  ),
  'finds what is submitted alone': answers('verifications.findWithEventsForAnyClient')((found) =>
    found.record.status === 'submitted' ? found : null,
  ),
  'finds without events': answers('verifications.findWithEventsForAnyClient')((found) => ({
    ...found,
    events: [],
  })),
  ...ordersEvents(answers('verifications.findWithEventsForAnyClient')),
  'fails on what it does not know': on('verifications.findWithEventsForAnyClient')(
    async ({ next }, id) => (await next(id)) ?? fail('no rows'),
  ),
  'fails on a text that is no UUID': on('verifications.findWithEventsForAnyClient')(async ({ next }, id) =>
    id.length === 36 ? next(id) : fail('invalid input syntax for type uuid'),
  ),
  'cuts an id at NUL': on('verifications.findWithEventsForAnyClient')(({ next }, id) =>
    next(id.split('\u0000')[0] ?? ''),
  ),
  'reads the record first and its events later': on('verifications.findWithEventsForAnyClient')(
    async ({ next, storage }, id) => {
      const record = await storage.verifications.findForAnyClient(id);
      await roundTrip();
      const found = await next(id);
      return record && found && { ...found, record };
    },
  ),
});

/** The answers for all clients together. */
async function ofAll<T>(storage: Storage, read: (clientId: string) => Promise<T>): Promise<T[]> {
  return Promise.all((await storage.clients.list()).map(({ client }) => read(client.id)));
}

const firstThree = [1, 2, 3].map(clientId);

/** Ends a hold for whichever client has it. */
const endsForAnyClient = (method: 'outbox.ack' | 'outbox.fail'): Break =>
  on(method)(async ({ next, storage }, hold, at) => {
    const outcomes = await ofAll(storage, (id) => next({ ...hold, clientId: id }, at));
    return outcomes.find(({ outcome }) => outcome === 'done') ?? { outcome: 'lease_lost' };
  });

export const isolationMutants: readonly Mutant[] = mutantsOf(isolationSuite, {
  'finds another client’s verification': on('verifications.find')(({ storage }, _, id) =>
    storage.verifications.findForAnyClient(id),
  ),
  'finds another client’s history': on('verifications.findWithEvents')(async ({ next, storage }, _, id) => {
    const found = await storage.verifications.findForAnyClient(id);
    return found && next(found.clientId, id);
  }),
  'finds by another client’s key': on('verifications.findByIdempotencyKey')(({ next }, _, key) =>
    next(clientId(2), key),
  ),
  'lists for all clients': on('verifications.list')(({ next }, _, query) =>
    joined(firstThree.map((id) => next(id, query))),
  ),
  'counts for all clients': on('verifications.list')(({ next }, own, query) =>
    countOther(next(own, query), joined(firstThree.map((id) => next(id, query)))),
  ),
  'lists keys of all clients': on('apiKeys.list')(async ({ next, storage }) =>
    (await ofAll(storage, next)).flat(),
  ),
  'counts the use of all clients': on('clients.usedIn')(async ({ next, storage }, _, month) => {
    const used = await ofAll(storage, (id) => next(id, month));
    return used.reduce((sum, each) => sum + each, 0);
  }),
  'commits under another client’s id': on('verifications.commit')(async ({ next, storage }, change) => {
    const owner = await storage.verifications.findForAnyClient(change.record.id);
    return next(owner === null ? change : { ...change, record: { ...change.record, clientId: owner.clientId } });
  }),
  'notes the use of another client’s key': on('apiKeys.recordUse')(async ({ next, storage }, use) => {
    await ofAll(storage, (id) => next({ ...use, clientId: id }));
  }),
  'acknowledges for whichever client': endsForAnyClient('outbox.ack'),
  'gives back for whichever client': endsForAnyClient('outbox.fail'),
  'mixes up clients who write at once': remembering(() => {
    let last = '';
    return on('verifications.createCharged')(async ({ next }, request) => {
      last = request.record.clientId;
      await roundTrip();
      return next({ ...request, record: { ...request.record, clientId: last } });
    });
  }),
});

const DAY_MS = 24 * 3_600_000;

/** Counts by another moment of each record; a record without one is not counted. */
const countsBy = (momentOf: (record: VerificationRecord) => Date | null): Break =>
  on('verifications.countByDay')(async ({ storage }, id, from, until) => {
    const days = new Map<string, number>();
    for (const record of await verificationsOf(storage, id)) {
      if (record.requestedAt < from || record.requestedAt >= until) continue;
      const day = momentOf(record)?.toISOString().slice(0, 10);
      if (day !== undefined) days.set(day, (days.get(day) ?? 0) + 1);
    }
    return [...days].map(([day, count]) => ({ day, count }));
  });

export const countByDayMutants: readonly Mutant[] = mutantsOf(countByDaySuite, {
  'counts days of another zone': countsBy(({ requestedAt }) => moved(requestedAt, 3_600_000)),
  'counts days in summer time': countsBy(({ requestedAt }) => {
    const isSummer =
      requestedAt >= new Date('2026-03-29T01:00:00Z') && requestedAt < new Date('2026-10-25T01:00:00Z');
    return moved(requestedAt, isSummer ? 3_600_000 : 0);
  }),
  'counts what is resolved on the day that it was': countsBy(
    ({ requestedAt, resolvedAt }) => resolvedAt ?? requestedAt,
  ),
  'counts active ones alone': countsBy(({ requestedAt, resolvedAt }) =>
    resolvedAt === null ? requestedAt : null,
  ),
  'counts the last moment too': on('verifications.countByDay')(({ next }, id, from, until) =>
    next(id, from, moved(until, 1)),
  ),
  'leaves out the first moment': on('verifications.countByDay')(({ next }, id, from, until) =>
    next(id, moved(from, 1), until),
  ),
  'counts whole days': on('verifications.countByDay')(({ next }, id, from, until) =>
    next(id, moved(from, -(from.getTime() % DAY_MS)), until),
  ),
  'has days without any': answers('verifications.countByDay')((days, _, from) => {
    const day = from.toISOString().slice(0, 10);
    return days.some((each) => each.day === day) ? days : [{ day, count: 0 }, ...days];
  }),
  'has moments for days': answers('verifications.countByDay')((days) =>
    days.map(({ day, count }) => ({ day: `${day}T00:00:00.000Z`, count })),
  ),
  'has counts as text': answers('verifications.countByDay')((days) =>
    days.map((each) => Object.assign(each, { count: String(each.count) })),
  ),
  'counts for all clients': on('verifications.countByDay')(async ({ next }, _, from, until) =>
    (await Promise.all(firstThree.map((id) => next(id, from, until)))).flat(),
  ),
  'counts nothing for a client that it does not know': on('verifications.countByDay')(
    async ({ next, storage }, ...given) =>
      (await storage.clients.find(given[0])) === null ? fail('no rows') : next(...given),
  ),
});
