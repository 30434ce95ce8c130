import { atomicitySuite } from '../suites/atomicity.ts';
import { admitting, lastWriterWins } from './around.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

export const atomicityMutants: readonly Mutant[] = mutantsOf(atomicitySuite, {
  'charges in a step of its own': (storage) =>
    admitting(storage, async (next, admission) => {
      const used = await storage.clients.usedIn(admission.record.clientId, admission.month);
      if (used >= admission.allowance) return { outcome: 'limit_reached' };
      await roundTrip();
      return next({ ...admission, allowance: 1_000_000 });
    }),
  'loses events under load': (storage) => {
    let underWay = 0;
    return admitting(storage, async (next, admission) => {
      underWay += 1;
      await roundTrip();
      const isAlone = underWay === 1;
      underWay -= 1;
      return isAlone
        ? next(admission)
        : next({ ...admission, event: { ...admission.event, at: new Date(8.64e15) } });
    });
  },
  'keeps rows of refused admissions': (storage) =>
    admitting(storage, async (next, admission) => {
      const answer = await next(admission);
      if (answer.outcome === 'limit_reached') await next({ ...admission, month: '1970-01', allowance: 1_000_000 });
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
        admit: async (admission) => {
          const verificationId = resolved.get(admission.record.subjectReference);
          if (verificationId === undefined) return storage.verifications.admit(admission);
          return { outcome: 'duplicate', verificationId, status: 'pending' };
        },
      },
    });
  },
  'reads the version and writes later': lastWriterWins,
  'is worn out after thirty writes': (storage) => {
    let writes = 0;
    return admitting(storage, async (next, admission) => {
      writes += 1;
      if (writes > 30) throw new Error('too many connections');
      return next(admission);
    });
  },
});
