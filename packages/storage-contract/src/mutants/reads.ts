import type { Storage, VerificationRecord } from '@countersign/domain';
import { clientId } from '../records/ids.ts';
import { aQuery } from '../records/queries.ts';
import { readsSuite } from '../suites/reads.ts';
import { listing } from './around.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

export const readsMutants: readonly Mutant[] = mutantsOf(readsSuite, {
  'lists without metadata': (storage) =>
    listing(storage, async (next, ...given) => {
      const { records, totalCount } = await next(...given);
      return { records: records.map((record) => ({ ...record, metadata: {} })), totalCount };
    }),
  'finds for any client without answers': (storage) =>
    patched(storage, {
      verifications: {
        findForAnyClient: async (id) => {
          const found = await storage.verifications.findForAnyClient(id);
          return found && { ...found, answers: {} };
        },
      },
    }),
  'lists without their sandbox': (storage) =>
    listing(storage, async (next, ...given) => {
      const { records, totalCount } = await next(...given);
      return { records: records.map((record) => ({ ...record, sandboxOutcome: null })), totalCount };
    }),
  'does not find resolved ones by their key': (storage) =>
    patched(storage, {
      verifications: {
        findByIdempotencyKey: async (...given) => {
          const found = await storage.verifications.findByIdempotencyKey(...given);
          return found?.resolvedAt === null ? found : null;
        },
      },
    }),
  'fails on a text that is no UUID': (storage) =>
    patched(storage, {
      verifications: {
        findForAnyClient: async (id) => {
          if (id.length !== 36) throw new Error('invalid input syntax for type uuid');
          return storage.verifications.findForAnyClient(id);
        },
      },
    }),
  'fails on what it does not know': (storage) =>
    patched(storage, {
      verifications: {
        find: async (...given) => {
          const found = await storage.verifications.find(...given);
          if (found === null) throw new Error('no rows');
          return found;
        },
      },
    }),
  'makes up a history for what it does not know': (storage) =>
    patched(storage, {
      verifications: {
        findWithEvents: async (...given) =>
          (await storage.verifications.findWithEvents(...given)) ?? {
            record: {} as VerificationRecord,
            events: [],
          },
      },
    }),
  'finds for the first client alone': (storage) =>
    patched(storage, {
      verifications: { findForAnyClient: (id) => storage.verifications.find(clientId(1), id) },
    }),
  'gives all events of the client': (storage) =>
    patched(storage, {
      verifications: {
        findWithEvents: async (client, id) => {
          const found = await storage.verifications.findWithEvents(client, id);
          const { records } = await storage.verifications.list(client, aQuery());
          const whole = await Promise.all(
            records.map((each) => storage.verifications.findWithEvents(client, each.id)),
          );
          return found && { ...found, events: whole.flatMap((each) => each?.events ?? []) };
        },
      },
    }),
  'orders events by their moment': (storage) => orderingEvents(storage, (a, b) => a.at.getTime() - b.at.getTime()),
  'orders events by their id': (storage) => orderingEvents(storage, (a, b) => (a.id < b.id ? -1 : 1)),
  'orders versions as text': (storage) =>
    orderingEvents(storage, (a, b) => (String(a.version) < String(b.version) ? -1 : 1)),
  'reads the record first and its events later': (storage) =>
    patched(storage, {
      verifications: {
        findWithEvents: async (client, id) => {
          const record = await storage.verifications.find(client, id);
          await roundTrip();
          const found = await storage.verifications.findWithEvents(client, id);
          return record && found && { ...found, record };
        },
      },
    }),
  'reads the page first and counts later': (storage) =>
    listing(storage, async (next, ...given) => {
      const { records } = await next(...given);
      await roundTrip();
      return { records, totalCount: (await next(...given)).totalCount };
    }),
});

type Whole = NonNullable<Awaited<ReturnType<Storage['verifications']['findWithEvents']>>>;
type Event = Whole['events'][number];

function orderingEvents(storage: Storage, compare: (a: Event, b: Event) => number): Storage {
  return patched(storage, {
    verifications: {
      findWithEvents: async (...given) => {
        const found = await storage.verifications.findWithEvents(...given);
        return found && { ...found, events: [...found.events].sort(compare) };
      },
    },
  });
}
