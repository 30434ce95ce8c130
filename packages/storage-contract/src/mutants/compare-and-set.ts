import type { Storage, VerificationEvent } from '@countersign/domain';
import { aQuery } from '../records/queries.ts';
import { createCharged } from '../records/verifications.ts';
import { compareAndSetSuite } from '../suites/compare-and-set.ts';
import { committing, lastWriterWins } from './around.ts';
import { keepingRecords } from './lossy.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const compareAndSetMutants: readonly Mutant[] = mutantsOf(compareAndSetSuite, {
  'keeps the link of the first version': (storage) =>
    keepingRecords(storage, (record) => ({ ...record, linkVersion: 1 })),
  'does not look at the version': (storage) =>
    committing(storage, async (next, change) => {
      const stored = await storage.verifications.find(change.record.clientId, change.record.id);
      return next({ ...change, expectedVersion: stored?.version ?? 0 });
    }),
  'reads the version and writes later': lastWriterWins,
  'takes any later version': (storage) =>
    committing(storage, async (next, change) => {
      const stored = await storage.verifications.find(change.record.clientId, change.record.id);
      const isLater = stored !== null && change.expectedVersion > stored.version;
      return next(isLater ? { ...change, expectedVersion: stored.version } : change);
    }),
  'tells every change a conflict once there was one': (storage) => {
    const lost = new Set<string>();
    return committing(storage, async (next, change) => {
      const answer = lost.has(change.record.id) ? ({ outcome: 'conflict' } as const) : await next(change);
      if (answer.outcome === 'conflict') lost.add(change.record.id);
      return answer;
    });
  },
  'keeps the events of a lost change': (storage) =>
    committing(storage, async (next, change) => {
      const answer = await next(change);
      if (answer.outcome === 'conflict')
        await appendOnly(storage, change.record.clientId, change.record.id, change.events);
      return answer;
    }),
  'loses the events': (storage) => committing(storage, (next, change) => next({ ...change, events: [] })),
  'writes nothing without events': (storage) =>
    committing(storage, (next, change) =>
      change.events.length === 0 ? Promise.resolve({ outcome: 'conflict' }) : next(change),
    ),
  'inserts what it does not know': (storage) =>
    committing(storage, async (next, change) => {
      const { record, events } = change;
      const known = await storage.verifications.findForAnyClient(record.id);
      const [event] = events;
      if (known !== null || event === undefined) return next(change);
      await createCharged(storage, record, { event });
      return { outcome: 'committed' };
    }),
  'looks for the id alone': (storage) =>
    committing(storage, async (next, change) => {
      const owner = await storage.verifications.findForAnyClient(change.record.id);
      return next(owner === null ? change : { ...change, record: { ...change.record, clientId: owner.clientId } });
    }),
  'fails on what it does not know': (storage) =>
    committing(storage, async (next, change) => {
      const known = await storage.verifications.find(change.record.clientId, change.record.id);
      if (known === null) throw new Error('no rows');
      return next(change);
    }),
  'changes all verifications of the client': (storage) =>
    committing(storage, async (next, change) => {
      const { clientId, status } = change.record;
      const { records } = await storage.verifications.list(clientId, aQuery());
      for (const record of records.filter(({ id }) => id !== change.record.id)) {
        await next({ record: { ...record, status }, expectedVersion: record.version, events: [] });
      }
      return next(change);
    }),
  'charges changes': (storage) => {
    let changes = 0;
    return patched(storage, {
      verifications: {
        commit: (change) => {
          changes += 1;
          return storage.verifications.commit(change);
        },
      },
      clients: { usedIn: async (...given) => (await storage.clients.usedIn(...given)) + changes },
    });
  },
});

/** Appends events while the record stays as it is. */
async function appendOnly(
  storage: Storage,
  clientId: string,
  id: string,
  events: readonly VerificationEvent[],
): Promise<void> {
  const record = await storage.verifications.find(clientId, id);
  if (record !== null) await storage.verifications.commit({ record, expectedVersion: record.version, events });
}
