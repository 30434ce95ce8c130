import { apiKeyState } from '@countersign/domain';
import { aClient } from '../../src/records/clients.ts';
import { firstKeysSuite } from '../../src/suites/first-keys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { apiKeys, both, moved, remembering, roundTrip } from './patch.ts';

const { issueFirst, resolve } = apiKeys;

export const firstKeysMutants: readonly Mutant[] = mutantsOf(firstKeysSuite, {
  'revokes the active key to store a first one': issueFirst.override(async ({ next, storage }, key) => {
    const [active] = await storage.apiKeys.list(key.clientId);
    if (active !== undefined) await storage.apiKeys.revoke(key.clientId, active.id, key.createdAt);
    return next(key);
  }),
  'keeps a refused first key resolvable': remembering(() => {
    let refused: { hash: string } | undefined;
    return both(
      issueFirst.after((answer, key) => {
        if (answer.outcome === 'key_exists') refused = key;
      }),
      resolve.override(async ({ next, storage }, hash) => {
        if (refused?.hash !== hash) return next(hash);
        const [{ client } = { client: aClient(1) }] = await storage.clients.list();
        const [other] = await storage.apiKeys.list(client.id);
        return other === undefined ? null : next(other.hash);
      }),
    );
  }),
  'looks at the oldest key only': issueFirst.override(async ({ next, storage }, key) => {
    const oldest = (await storage.apiKeys.list(key.clientId)).at(-1);
    if (oldest === undefined || apiKeyState(oldest, key.createdAt) === 'active') return next(key);
    await storage.apiKeys.issue(key);
    return { outcome: 'issued' };
  }),
  'stores a first key a moment before the other expires': issueFirst.input(({ createdAt }) => ({
    createdAt: moved(createdAt, 1),
  })),
  'looks, then issues': issueFirst.override(async ({ storage }, key) => {
    const keys = await storage.apiKeys.list(key.clientId);
    if (keys.some((other) => apiKeyState(other, key.createdAt) === 'active')) return { outcome: 'key_exists' };
    await roundTrip();
    const { outcome } = await storage.apiKeys.issue(key);
    return { outcome: outcome === 'limit_reached' ? 'key_exists' : outcome };
  }),
  'refuses all concurrent calls': remembering(() => {
    let pending = 0;
    return issueFirst.override(async ({ next }, key) => {
      pending += 1;
      await roundTrip();
      const isAlone = pending === 1;
      await roundTrip();
      pending -= 1;
      return isAlone ? next(key) : { outcome: 'key_exists' };
    });
  }),
});
