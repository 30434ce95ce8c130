import type { VerificationRecord } from '@countersign/domain';
import { claimsSuite } from '../suites/claims.ts';
import { committing, lastWriterWins, queueing } from './around.ts';
import { keepingRecords, toSeconds } from './lossy.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

/** Keeps something of the first record that had it, whatever comes later. */
function keepingTheFirst(field: 'claimedBy' | 'claimedAt'): Mutant['breakIn'] {
  return (storage) => {
    const first = new Map<string, Pick<VerificationRecord, typeof field>>();
    return keepingRecords(storage, (record) => {
      if (record.claimedBy === null) return record;
      first.set(record.id, first.get(record.id) ?? record);
      return { ...record, [field]: first.get(record.id)?.[field] };
    });
  };
}

export const claimsMutants: readonly Mutant[] = mutantsOf(claimsSuite, {
  'keeps the moment of submission to the second': (storage) =>
    keepingRecords(storage, (record) => ({
      ...record,
      submittedAt: record.submittedAt && toSeconds(record.submittedAt),
    })),
  'keeps the moment of a claim to the second': (storage) =>
    keepingRecords(storage, (record) => ({
      ...record,
      claimedAt: record.claimedAt && toSeconds(record.claimedAt),
    })),
  'shows claims in the queue alone': (storage) =>
    patched(storage, {
      verifications: {
        find: async (...given) => {
          const found = await storage.verifications.find(...given);
          return found && { ...found, claimedBy: null, claimedAt: null };
        },
      },
    }),
  'shows reviewers a verification without its sandbox': (storage) =>
    patched(storage, {
      verifications: {
        findWithEventsForAnyClient: async (id) => {
          const found = await storage.verifications.findWithEventsForAnyClient(id);
          return found && { ...found, record: { ...found.record, sandboxOutcome: null } };
        },
      },
    }),
  'forgets the submission with the decision': (storage) =>
    keepingRecords(storage, (record) => (record.resolvedAt === null ? record : { ...record, submittedAt: null })),
  'forgets the submission with the claim': (storage) =>
    keepingRecords(storage, (record) =>
      record.version > 3 && record.claimedBy === null ? { ...record, submittedAt: null } : record,
    ),
  'keeps the first claimant': keepingTheFirst('claimedBy'),
  'keeps the moment of the first claim': keepingTheFirst('claimedAt'),
  'does not take a claim back': (storage) =>
    committing(storage, async (next, change) => {
      const stored = await storage.verifications.find(change.record.clientId, change.record.id);
      const { claimedBy, claimedAt } = stored ?? change.record;
      const keeps = change.record.claimedBy === null && change.record.status === 'submitted';
      return next(keeps ? { ...change, record: { ...change.record, claimedBy, claimedAt } } : change);
    }),
  'keeps a claim over the decision': (storage) =>
    committing(storage, async (next, change) => {
      const stored = await storage.verifications.find(change.record.clientId, change.record.id);
      const { claimedBy, claimedAt } = stored ?? change.record;
      const keeps = change.record.resolvedAt !== null;
      return next(keeps ? { ...change, record: { ...change.record, claimedBy, claimedAt } } : change);
    }),
  'finds by an earlier claim': (storage) =>
    queueing(storage, (next, query) =>
      next(query.claimedBy === undefined ? query : { ...query, claimedBy: undefined }),
    ),
  'reads the version and writes later': lastWriterWins,
});
