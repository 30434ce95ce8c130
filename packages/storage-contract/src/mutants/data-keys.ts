import type { Storage, VerificationRecord, WrappedDataKey } from '@countersign/domain';
import { dataKeysSuite } from '../suites/data-keys.ts';
import { committing, creating, replacing } from './around.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const dataKeysMutants: readonly Mutant[] = mutantsOf(dataKeysSuite, {
  'makes one up': (storage) =>
    patched(storage, {
      dataKeys: {
        find: async (...given) => (await storage.dataKeys.find(...given)) ?? { wrappedBy: '', wrapped: '' },
      },
    }),
  'shows none in records': (storage) => showing(storage, (record) => ({ ...record, dataKey: null })),
  'fails where there is none yet': (storage) =>
    replacing(storage, async (next, change) =>
      change.expected === null ? { outcome: 'conflict' } : next(change),
    ),
  'drops the one that a creation brings': (storage) =>
    creating(storage, (next, request) => next({ ...request, record: { ...request.record, dataKey: null } })),
  'cuts long ones': (storage) =>
    replacing(storage, (next, change) =>
      next({ ...change, next: { ...change.next, wrapped: change.next.wrapped.slice(0, 2_000) } }),
    ),
  'trims names of keys': (storage) =>
    replacing(storage, (next, change) =>
      next({ ...change, next: { ...change.next, wrappedBy: change.next.wrappedBy.trim() } }),
    ),
  'takes one that is the same for a conflict': (storage) =>
    replacing(storage, async (next, change) =>
      change.expected?.wrapped === change.next.wrapped ? { outcome: 'conflict' } : next(change),
    ),
  'replaces whatever is there': (storage) =>
    replacing(storage, (next, change) => overwriting(storage, next, change)),
  'compares the names of keys alone': (storage) =>
    expecting(storage, (stored, expected) => stored.wrappedBy === expected?.wrappedBy),
  'compares the wrapped keys alone': (storage) =>
    expecting(storage, (stored, expected) => stored.wrapped === expected?.wrapped),
  'compares without regard to case': (storage) =>
    expecting(storage, (stored, expected) => stored.wrappedBy === expected?.wrappedBy.toLowerCase()),
  'replaces in another client’s verification': (storage) =>
    replacing(storage, async (next, change) => {
      const owner = await storage.verifications.findForAnyClient(change.verificationId);
      return next({ ...change, clientId: owner?.clientId ?? change.clientId });
    }),
  'finds another client’s': (storage) =>
    patched(storage, {
      dataKeys: { find: async (_, id) => (await storage.verifications.findForAnyClient(id))?.dataKey ?? null },
    }),
  'fails on what it does not know': (storage) =>
    replacing(storage, async (next, change) => {
      const known = await storage.verifications.find(change.clientId, change.verificationId);
      if (known === null) throw new Error('no rows');
      return next(change);
    }),
  'counts versions for it': (storage) =>
    replacing(storage, async (next, change) => {
      const answer = await next(change);
      const record = await storage.verifications.find(change.clientId, change.verificationId);
      if (record === null || answer.outcome === 'conflict') return answer;
      const expectedVersion = record.version;
      const counted = { ...record, version: expectedVersion + 1 };
      await storage.verifications.commit({ record: counted, expectedVersion, events: [] });
      return answer;
    }),
  'writes the one of a commit': (storage) =>
    committing(storage, async (next, change) => {
      const answer = await next(change);
      const { clientId, id: verificationId, dataKey } = change.record;
      const expected = await storage.dataKeys.find(clientId, verificationId);
      if (dataKey !== null) await storage.dataKeys.replace({ clientId, verificationId, expected, next: dataKey });
      return answer;
    }),
  'loses it with a commit': (storage) => {
    const committed = new Set<string>();
    const kept = (record: VerificationRecord): VerificationRecord =>
      committed.has(record.id) ? { ...record, dataKey: null } : record;
    return committing(showing(storage, kept), (_, change) => {
      if (change.record.dataKey === null) committed.add(change.record.id);
      return storage.verifications.commit(change);
    });
  },
});

type Replace = Storage['dataKeys']['replace'];
type Change = Parameters<Replace>[0];

/** Replaces the one that is there, whatever was expected. */
async function overwriting(storage: Storage, next: Replace, change: Change): ReturnType<Replace> {
  return next({ ...change, expected: await storage.dataKeys.find(change.clientId, change.verificationId) });
}

/** Takes other stored ones for the one expected. */
function expecting(
  storage: Storage,
  isExpected: (stored: WrappedDataKey, expected: WrappedDataKey | null) => boolean,
): Storage {
  return replacing(storage, async (next, change) => {
    const stored = await storage.dataKeys.find(change.clientId, change.verificationId);
    return stored !== null && isExpected(stored, change.expected)
      ? overwriting(storage, next, change)
      : next(change);
  });
}

/** Shows something else of each record with its events. */
function showing(storage: Storage, show: (record: VerificationRecord) => VerificationRecord): Storage {
  return patched(storage, {
    verifications: {
      find: async (...given) => {
        const found = await storage.verifications.find(...given);
        return found && show(found);
      },
      findWithEvents: async (...given) => {
        const found = await storage.verifications.findWithEvents(...given);
        return found && { ...found, record: show(found.record) };
      },
    },
  });
}
