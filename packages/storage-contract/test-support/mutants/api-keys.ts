import { type ApiKey, apiKeyState, MAX_ACTIVE_KEYS } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { minute } from '../../src/records/ids.ts';
import { keyCapSuite, revocationSuite } from '../../src/suites/active-keys.ts';
import { apiKeysSuite, lastUseSuite } from '../../src/suites/api-keys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { apiKeys, type Break, both, keepsKey, moved, remembering, roundTrip, toSeconds } from './patch.ts';

const { issue, list, recordUse, resolve, revoke } = apiKeys;

export const apiKeysMutants: readonly Mutant[] = mutantsOf(apiKeysSuite, {
  'truncates times to seconds': keepsKey(({ createdAt }) => ({ createdAt: toSeconds(createdAt) })),
  'lists keys without their creator': list.result((keys) => keys.map((key) => ({ ...key, createdBy: null }))),
  'lists keys without their networks': list.result((keys) => keys.map((key) => ({ ...key, networks: [] }))),
  'resolves an unknown hash to another key': remembering(() => {
    let last = '';
    return both(
      issue.before((key) => {
        last = key.hash;
      }),
      resolve.override(async ({ next }, hash) => (await next(hash)) ?? next(last)),
    );
  }),
  'does not resolve revoked keys': resolve.result((resolved) =>
    resolved.key.revokedAt === null ? resolved : null,
  ),
  'does not resolve expired keys': resolve.result((resolved) =>
    (resolved.key.expiresAt ?? minute(0)) < minute(0) ? null : resolved,
  ),
  'lists unrevoked keys only': list.result((keys) => keys.filter(({ revokedAt }) => revokedAt === null)),
});

export const revocationMutants: readonly Mutant[] = mutantsOf(revocationSuite, {
  'revokes another client’s key': revoke.override(async ({ next, storage }, clientId, keyId, at) => {
    const answer = await next(clientId, keyId, at);
    if (answer.outcome !== 'not_found') return answer;
    for (const { client } of await storage.clients.list()) await next(client.id, keyId, at);
    return answer;
  }),
  'reveals that another client’s key is revoked': revoke.override(async ({ next, storage }, ...input) => {
    const answer = await next(...input);
    if (answer.outcome !== 'not_found') return answer;
    const clients = await storage.clients.list();
    const keys = await Promise.all(clients.map(({ client }) => keyOf(storage, client.id, input[1])));
    return keys.some((key) => key && key.revokedAt !== null) ? { outcome: 'already_revoked' } : answer;
  }),
  'does not find expired keys': revoke.override(async ({ next, storage }, clientId, keyId, at) => {
    const expiresAt = (await keyOf(storage, clientId, keyId))?.expiresAt ?? null;
    return expiresAt !== null && expiresAt <= at ? { outcome: 'not_found' } : next(clientId, keyId, at);
  }),
  'reads, then revokes': revoke.override(async ({ next, storage }, clientId, keyId, at) => {
    const key = await keyOf(storage, clientId, keyId);
    if (key === undefined) return { outcome: 'not_found' };
    if (key.revokedAt !== null) return { outcome: 'already_revoked' };
    await roundTrip();
    await next(clientId, keyId, at);
    return { outcome: 'revoked' };
  }),
});

async function keyOf(storage: Storage, clientId: string, keyId: string): Promise<ApiKey | undefined> {
  return (await storage.apiKeys.list(clientId)).find(({ id }) => id === keyId);
}

export const lastUseMutants: readonly Mutant[] = mutantsOf(lastUseSuite, {
  'truncates times to seconds': recordUse.input(({ at }) => ({ at: toSeconds(at) })),
});

export const keyCapMutants: readonly Mutant[] = mutantsOf(keyCapSuite, {
  'counts expired keys': countingKeys((keys) => keys.filter(({ revokedAt }) => revokedAt === null).length),
  'frees room a moment after a key expired': countingKeys(
    (keys, { createdAt }) => activeAt(keys, moved(createdAt, -1)).length,
  ),
  'frees room a moment before a key expires': keepsKey(({ createdAt }) => ({ createdAt: moved(createdAt, 1) })),
  'drops revoked keys': list.result((keys) => keys.filter(({ revokedAt }) => revokedAt === null)),
  'allows twenty keys in all': countingKeys((keys) => keys.length - 10),
  'has one cap for all clients': issue.override(async ({ next, storage }, key) => {
    const clients = await storage.clients.list();
    const lists = await Promise.all(clients.map(({ client }) => storage.apiKeys.list(client.id)));
    const active = activeAt(lists.flat(), key.createdAt);
    return active.length >= MAX_ACTIVE_KEYS ? { outcome: 'limit_reached' } : next(key);
  }),
  'counts, then issues': issue.override(async ({ next, storage }, key) => {
    const active = activeAt(await storage.apiKeys.list(key.clientId), key.createdAt);
    if (active.length >= MAX_ACTIVE_KEYS) return { outcome: 'limit_reached' };
    await roundTrip();
    await next(key);
    return { outcome: 'issued' };
  }),
  'refuses all concurrent calls': remembering(() => {
    let pending = 0;
    return issue.override(async ({ next }, key) => {
      pending += 1;
      await roundTrip();
      const isAlone = pending === 1;
      await roundTrip();
      pending -= 1;
      return isAlone ? next(key) : { outcome: 'limit_reached' };
    });
  }),
});

/** Counts keys for the cap in another way. */
function countingKeys(count: (keys: readonly ApiKey[], key: ApiKey) => number): Break {
  return issue.override(async ({ next, storage }, key) => {
    const keys = await storage.apiKeys.list(key.clientId);
    return count(keys, key) >= MAX_ACTIVE_KEYS ? { outcome: 'limit_reached' } : next(key);
  });
}

const activeAt = (keys: readonly ApiKey[], now: Date): ApiKey[] =>
  keys.filter((key) => apiKeyState(key, now) === 'active');
