import type { VerificationEvent } from '@countersign/domain';
import {
  MAX_EVENTS,
  STATUS_EVENT_TYPES,
  type Storage,
  type VerificationRecord,
} from '@countersign/domain/storage';
import { clientId } from '../../src/records/ids.ts';
import { isolationSuite } from '../../src/suites/isolation.ts';
import { anyClientReadsSuite, readsSuite } from '../../src/suites/reads.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { joined, readsThenCounts, verificationsOf, withFields, withTotalOf } from './pages.ts';
import {
  apiKeys,
  type Break,
  clients,
  fail,
  remembering,
  roundTrip,
  untilNul,
  uuidOnly,
  verifications,
} from './patch.ts';

const { clientOf, clientsWithReference, findForAnyClient, findWithEventsForAnyClient, findWithHistory, list } =
  verifications;

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
    'orders events by time': orders(byMoment),
    'orders events by id': orders(byId),
    'orders versions as text': orders(byVersionAsText),
  };
};

export const readsMutants: readonly Mutant[] = mutantsOf(readsSuite, {
  'reads the page, then the total': readsThenCounts(list),
  'lists without metadata': list.result(withFields({ metadata: {} })),
  'finds for any client without answers': findForAnyClient.result((record) => ({
    ...record,
    answers: {},
  })),
  'lists without the sandbox outcome': list.result(withFields({ sandboxOutcome: null })),
  'does not find resolved verifications by key': verifications.findByIdempotencyKey.result((record) =>
    record.resolvedAt === null ? record : null,
  ),
  'fails on an id that is not a UUID': findForAnyClient.first(uuidOnly),
  'fails on an unknown verification': verifications.find.override(
    async ({ next }, ...input) => (await next(...input)) ?? fail('no rows'),
  ),
  'returns an empty history for an unknown verification': findWithHistory.override(
    async ({ next }, ...input) => (await next(...input)) ?? { record: {} as VerificationRecord, events: [] },
  ),
  'finds the first client’s verifications only': findForAnyClient.override(({ storage }, id) =>
    storage.verifications.find(clientId(1), id),
  ),
  'names the first client for every verification': clientOf.result((found) =>
    found === null ? null : clientId(1),
  ),
  'names no client of a resolved verification': clientOf.override(async ({ next, storage }, id) =>
    (await storage.verifications.findForAnyClient(id))?.resolvedAt === null ? next(id) : null,
  ),
  'fails to name the client of an id that is not a UUID': clientOf.first(uuidOnly),
  'names every client that is asked for': clientsWithReference.override(async (_, __, clientIds) => clientIds),
  'names clients that are not asked for': clientsWithReference.override(async ({ next, storage }, reference) => {
    const all = await storage.clients.list();
    return next(
      reference,
      all.map(({ client }) => client.id),
    );
  }),
  'names one client only': clientsWithReference.result((found) => found.slice(0, 1)),
  'names a client for each of its verifications': clientsWithReference.result((found) => [...found, ...found]),
  'finds a reference in any case': clientsWithReference.override(async ({ next }, reference, clientIds) =>
    next(reference.replace('subject', 'Subject'), clientIds),
  ),
  'finds the beginning of a reference': clientsWithReference.override(async ({ next }, reference, clientIds) =>
    next(reference === 'Subject' ? 'Subject_1' : reference, clientIds),
  ),
  'fails on a client whose id is not a UUID': clientsWithReference.before((_, clientIds) => {
    for (const id of clientIds) uuidOnly(id);
  }),
  'returns the events of all verifications of the client': findWithHistory.override(
    async ({ next, storage }, client, id) => {
      const found = await next(client, id);
      const records = await verificationsOf(storage, client);
      const all = await Promise.all(records.map((record) => next(client, record.id)));
      return found && { ...found, events: all.flatMap((each) => each?.events ?? []) };
    },
  ),
  ...ordersEvents(findWithHistory.result),
  'returns events of steps too': findWithHistory.override(async ({ next, storage }, client, id) => {
    const whole = await storage.verifications.findWithEventsForAnyClient(id, MAX_EVENTS);
    return (await next(client, id)) && whole;
  }),
  'returns no withdrawal': findWithHistory.result(({ record, events }) => ({
    record,
    events: events.filter(({ type }) => type !== 'verification.withdrawn'),
  })),
  'returns no expiry': findWithHistory.result(({ record, events }) => ({
    record,
    events: events.filter(({ type }) => type !== 'verification.expired'),
  })),
  'reads the record, then its events': findWithHistory.override(async ({ next, storage }, client, id) => {
    const record = await storage.verifications.find(client, id);
    await roundTrip();
    const found = await next(client, id);
    return record && found && { ...found, record };
  }),
});

export const anyClientReadsMutants: readonly Mutant[] = mutantsOf(anyClientReadsSuite, {
  'finds the first client’s verifications only': findWithEventsForAnyClient.result((found) =>
    found.record.clientId === clientId(1) ? found : null,
  ),
  'finds submitted verifications only': findWithEventsForAnyClient.result((found) =>
    found.record.status === 'submitted' ? found : null,
  ),
  'returns no events': findWithEventsForAnyClient.result((found) => ({ ...found, events: [] })),
  ...ordersEvents(findWithEventsForAnyClient.result),
  'returns the first events': findWithEventsForAnyClient.override(async ({ next }, id, limit) => {
    const found = await next(id, MAX_EVENTS);
    return found && { ...found, events: found.events.slice(0, limit) };
  }),
  'returns the newest event first': findWithEventsForAnyClient.result(({ record, events }) => ({
    record,
    events: events.toReversed(),
  })),
  'returns changes of status only': findWithEventsForAnyClient.result(({ record, events }) => ({
    record,
    events: events.filter(({ type }) => STATUS_EVENT_TYPES.includes(type)),
  })),
  'fails on an unknown verification': findWithEventsForAnyClient.override(
    async ({ next }, ...input) => (await next(...input)) ?? fail('no rows'),
  ),
  'fails on an id that is not a UUID': findWithEventsForAnyClient.first(uuidOnly),
  'truncates ids at NUL': findWithEventsForAnyClient.first(untilNul),
  'reads the record, then its events': findWithEventsForAnyClient.override(
    async ({ next, storage }, id, limit) => {
      const record = await storage.verifications.findForAnyClient(id);
      await roundTrip();
      const found = await next(id, limit);
      return record && found && { ...found, record };
    },
  ),
});

/** The answers for all clients together. */
async function ofAll<T>(storage: Storage, read: (clientId: string) => Promise<T>): Promise<T[]> {
  return Promise.all((await storage.clients.list()).map(({ client }) => read(client.id)));
}

const firstThree = [1, 2, 3].map(clientId);

export const isolationMutants: readonly Mutant[] = mutantsOf(isolationSuite, {
  'finds another client’s verification': verifications.find.override(({ storage }, _, id) =>
    storage.verifications.findForAnyClient(id),
  ),
  'finds another client’s history': findWithHistory.override(async ({ next, storage }, _, id) => {
    const found = await storage.verifications.findForAnyClient(id);
    return found && next(found.clientId, id);
  }),
  'finds by another client’s key': verifications.findByIdempotencyKey.override(({ next }, _, key) =>
    next(clientId(2), key),
  ),
  'lists for all clients': list.override(({ next }, _, query) => joined(firstThree.map((id) => next(id, query)))),
  'counts for all clients': list.override(async ({ next }, own, query) =>
    withTotalOf(await next(own, query), await joined(firstThree.map((id) => next(id, query)))),
  ),
  'lists keys of all clients': apiKeys.list.override(async ({ next, storage }) =>
    (await ofAll(storage, next)).flat(),
  ),
  'counts the use of all clients': clients.usedIn.override(async ({ next, storage }, _, month) => {
    const used = await ofAll(storage, (id) => next(id, month));
    return used.reduce((sum, each) => sum + each, 0);
  }),
  'commits under another client’s id': verifications.commit.override(async ({ next, storage }, change) => {
    const owner = await storage.verifications.findForAnyClient(change.record.id);
    return next(owner === null ? change : { ...change, record: { ...change.record, clientId: owner.clientId } });
  }),
  'records the use of another client’s key': apiKeys.recordUse.override(async ({ next, storage }, use) => {
    await ofAll(storage, (id) => next({ ...use, clientId: id }));
  }),
  'mixes up concurrent clients': remembering(() => {
    let last = '';
    return verifications.createCharged.override(async ({ next }, request) => {
      last = request.record.clientId;
      await roundTrip();
      return next({ ...request, record: { ...request.record, clientId: last } });
    });
  }),
});
