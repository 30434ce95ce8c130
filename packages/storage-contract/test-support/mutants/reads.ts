import type { VerificationEvent } from '@countersign/domain';
import { STATUS_EVENT_TYPES, type VerificationRecord } from '@countersign/domain/storage';
import { clientId } from '../../src/records/ids.ts';
import { isolationSuite } from '../../src/suites/isolation.ts';
import { anyClientReadsSuite, readsSuite } from '../../src/suites/reads.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { readsThenCounts } from './pages.ts';
import { type Break, fail, remembering, roundTrip, untilNul, uuidOnly, verifications } from './patch.ts';

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
  'fails on an id that is not a UUID': findForAnyClient.first(uuidOnly),
  'finds the first client’s verifications only': findForAnyClient.override(({ storage }, id) =>
    storage.verifications.find(clientId(1), id),
  ),
  'fails to name the client of an id that is not a UUID': clientOf.first(uuidOnly),
  'finds a reference in any case': clientsWithReference.override(async ({ next }, reference, clientIds) =>
    next(reference.replace('subject', 'Subject'), clientIds),
  ),
  'fails on a client whose id is not a UUID': clientsWithReference.before((_, clientIds) => {
    for (const id of clientIds) uuidOnly(id);
  }),
  ...ordersEvents(findWithHistory.result),
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
  ...ordersEvents(findWithEventsForAnyClient.result),
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

export const isolationMutants: readonly Mutant[] = mutantsOf(isolationSuite, {
  'mixes up concurrent clients': remembering(() => {
    let last = '';
    return verifications.createCharged.override(async ({ next }, request) => {
      last = request.record.clientId;
      await roundTrip();
      return next({ ...request, record: { ...request.record, clientId: last } });
    });
  }),
});
