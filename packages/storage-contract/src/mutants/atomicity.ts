import { atomicitySuite } from '../suites/atomicity.ts';
import { creating, lastWriterWins } from './around.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

export const atomicityMutants: readonly Mutant[] = mutantsOf(atomicitySuite, {
  'charges in a step of its own': (storage) =>
    creating(storage, async (next, request) => {
      const used = await storage.clients.usedIn(request.record.clientId, request.month);
      if (used >= request.allowance) return { outcome: 'limit_reached' };
      await roundTrip();
      return next({ ...request, allowance: 1_000_000 });
    }),
  'loses events under load': (storage) => {
    let underWay = 0;
    return creating(storage, async (next, request) => {
      underWay += 1;
      await roundTrip();
      const isAlone = underWay === 1;
      underWay -= 1;
      return isAlone ? next(request) : next({ ...request, event: { ...request.event, at: new Date(8.64e15) } });
    });
  },
  'keeps rows of refused requests': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      if (answer.outcome === 'limit_reached') await next({ ...request, month: '1970-01', allowance: 1_000_000 });
      return answer;
    }),
  'tells a resolved one as a duplicate': (storage) => {
    const resolved = new Map<string, string>();
    return patched(storage, {
      verifications: {
        commit: (change) => {
          resolved.set(change.record.subjectReference, change.record.id);
          return storage.verifications.commit(change);
        },
        createCharged: async (request) => {
          const verificationId = resolved.get(request.record.subjectReference);
          if (verificationId === undefined) return storage.verifications.createCharged(request);
          return { outcome: 'duplicate', verificationId, status: 'pending' };
        },
      },
    });
  },
  'reads the version and writes later': lastWriterWins,
  'is worn out after thirty writes': (storage) => {
    let writes = 0;
    return creating(storage, async (next, request) => {
      writes += 1;
      if (writes > 30) throw new Error('too many connections');
      return next(request);
    });
  },
});
