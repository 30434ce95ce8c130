import { precedenceSuite } from '../suites/precedence.ts';
import { creating, keyless, looksForTheKeyFirst } from './around.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

export const precedenceMutants: readonly Mutant[] = mutantsOf(precedenceSuite, {
  'tells a duplicate before a used key': (storage) =>
    creating(storage, async (next, request) => {
      const probe = await next({ ...keyless(request), allowance: 0 });
      return probe.outcome === 'duplicate' ? probe : next(request);
    }),
  'tells the limit before a duplicate': (storage) =>
    creating(storage, async (next, request) => {
      const used = await storage.clients.usedIn(request.record.clientId, request.month);
      const answer = await next(request);
      return answer.outcome === 'duplicate' && used >= request.allowance ? { outcome: 'limit_reached' } : answer;
    }),
  'tells the limit before a used key': (storage) =>
    creating(storage, async (next, request) => {
      const used = await storage.clients.usedIn(request.record.clientId, request.month);
      return used >= request.allowance ? { outcome: 'limit_reached' } : next(request);
    }),
  'looks for the key first and inserts later': looksForTheKeyFirst,
});
