import type { Storage, VerificationRepository } from '@countersign/domain';
import { clientId } from '../records/ids.ts';
import { anyClientReadsSuite } from '../suites/any-client-reads.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

type Find = VerificationRepository['findWithEventsForAnyClient'];
type Whole = NonNullable<Awaited<ReturnType<Find>>>;

export const anyClientReadsMutants: readonly Mutant[] = mutantsOf(anyClientReadsSuite, {
  'finds for the first client alone': (storage) =>
    finding(storage, (_, id) => storage.verifications.findWithEvents(clientId(1), id)),
  'finds what is submitted alone': (storage) =>
    finding(storage, async (next, id) => {
      const found = await next(id);
      return found?.record.status === 'submitted' ? found : null;
    }),
  'finds without events': (storage) => changing(storage, (found) => ({ ...found, events: [] })),
  'orders events by their moment': (storage) =>
    ordering(storage, (a, b) => Number(a.at) - Number(b.at) || (a.id < b.id ? -1 : 1)),
  'orders events by their id': (storage) => ordering(storage, (a, b) => (a.id < b.id ? -1 : 1)),
  'orders versions as text': (storage) =>
    ordering(storage, (a, b) => (String(a.version) < String(b.version) ? -1 : 1)),
  'fails on what it does not know': (storage) =>
    finding(storage, async (next, id) => {
      const found = await next(id);
      if (found === null) throw new Error('no rows');
      return found;
    }),
  'fails on a text that is no UUID': (storage) =>
    finding(storage, async (next, id) => {
      if (id.length !== 36) throw new Error('invalid input syntax for type uuid');
      return next(id);
    }),
  'cuts an id at NUL': (storage) => finding(storage, (next, id) => next(id.split('\u0000')[0] ?? '')),
  'reads the record first and its events later': (storage) =>
    finding(storage, async (next, id) => {
      const record = await storage.verifications.findForAnyClient(id);
      await roundTrip();
      const found = await next(id);
      return record && found && { ...found, record };
    }),
});

function finding(storage: Storage, find: (next: Find, id: string) => ReturnType<Find>): Storage {
  const { findWithEventsForAnyClient: next } = storage.verifications;
  return patched(storage, { verifications: { findWithEventsForAnyClient: (id) => find(next, id) } });
}

function changing(storage: Storage, change: (found: Whole) => Whole): Storage {
  return finding(storage, async (next, id) => {
    const found = await next(id);
    return found && change(found);
  });
}

function ordering(
  storage: Storage,
  compare: (a: Whole['events'][number], b: Whole['events'][number]) => number,
): Storage {
  return changing(storage, (found) => ({ ...found, events: [...found.events].sort(compare) }));
}
