import { journeysSuite } from '../suites/journeys.ts';
import { committing } from './around.ts';
import { keepingEvents, keepingRecords, toSeconds } from './lossy.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

export const journeysMutants: readonly Mutant[] = mutantsOf(journeysSuite, {
  'forgets the answers': (storage) => keepingRecords(storage, (record) => ({ ...record, answers: {} })),
  'forgets the reviewData of what is resolved': (storage) =>
    keepingRecords(storage, (record) => (record.resolvedAt === null ? record : { ...record, reviewData: {} })),
  'forgets who noted what': (storage) =>
    keepingRecords(storage, (record) => ({ ...record, reviewData: { ...record.reviewData, internalNotes: [] } })),
  'forgets that it was resolved': (storage) =>
    keepingRecords(storage, (record) => ({ ...record, resolvedAt: null })),
  'keeps the moment of resolution to the minute': (storage) =>
    keepingRecords(storage, (record) => ({
      ...record,
      resolvedAt:
        record.resolvedAt && new Date(Math.floor(toSeconds(record.resolvedAt).getTime() / 60_000) * 60_000),
    })),
  'keeps the old link': (storage) => keepingRecords(storage, (record) => ({ ...record, linkVersion: 1 })),
  'gives every event the same status': (storage) =>
    keepingEvents(storage, (event) => ({ ...event, status: 'pending' })),
  'takes withdrawn ones for active': (storage) => {
    const withdrawn = new Map<string, string>();
    return patched(storage, {
      verifications: {
        commit: (change) => {
          const { status, subjectReference, id } = change.record;
          if (status === 'rejected') withdrawn.set(subjectReference, id);
          return storage.verifications.commit(change);
        },
        createCharged: async (request) => {
          const verificationId = withdrawn.get(request.record.subjectReference);
          if (verificationId === undefined) return storage.verifications.createCharged(request);
          return { outcome: 'duplicate', verificationId, status: 'pending' };
        },
      },
    });
  },
  'forgets the fingerprint of a request': (storage) =>
    keepingRecords(storage, (record) => ({ ...record, idempotencyFingerprint: record.idempotencyKey })),
  'charges a replay': (storage) => {
    let replays = 0;
    return patched(storage, {
      verifications: {
        createCharged: async (request) => {
          const answer = await storage.verifications.createCharged(request);
          if (answer.outcome === 'key_used') replays += 1;
          return answer;
        },
      },
      clients: { usedIn: async (...given) => (await storage.clients.usedIn(...given)) + replays },
    });
  },
  'lets both reviewers win': (storage) =>
    committing(storage, async (next, change) => {
      const read = await storage.verifications.find(change.record.clientId, change.record.id);
      if (read?.version !== change.expectedVersion) return { outcome: 'conflict' };
      await roundTrip();
      await next(change);
      return { outcome: 'committed' };
    }),
});
