import { precedenceSuite } from '../suites/precedence.ts';
import { admitting, keyless, looksForTheKeyFirst } from './around.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

export const precedenceMutants: readonly Mutant[] = mutantsOf(precedenceSuite, {
  'tells a duplicate before a used key': (storage) =>
    admitting(storage, async (next, admission) => {
      const probe = await next({ ...keyless(admission), allowance: 0 });
      return probe.outcome === 'duplicate' ? probe : next(admission);
    }),
  'tells the limit before a duplicate': (storage) =>
    admitting(storage, async (next, admission) => {
      const used = await storage.clients.usedIn(admission.record.clientId, admission.month);
      const answer = await next(admission);
      return answer.outcome === 'duplicate' && used >= admission.allowance ? { outcome: 'limit_reached' } : answer;
    }),
  'tells the limit before a used key': (storage) =>
    admitting(storage, async (next, admission) => {
      const used = await storage.clients.usedIn(admission.record.clientId, admission.month);
      return used >= admission.allowance ? { outcome: 'limit_reached' } : next(admission);
    }),
  'looks for the key first and inserts later': looksForTheKeyFirst,
});
