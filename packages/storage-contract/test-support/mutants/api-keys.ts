import { type ApiKey, apiKeyState, MAX_ACTIVE_KEYS } from '@countersign/domain';
import type { Subscription } from '@countersign/domain/clients';
import type { Storage } from '@countersign/domain/storage';
import { aClient, aSubscription } from '../../src/records/clients.ts';
import { minute } from '../../src/records/ids.ts';
import { keyCapSuite, revocationSuite } from '../../src/suites/active-keys.ts';
import { apiKeysSuite, lastUseSuite } from '../../src/suites/api-keys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { apiKeys, type Break, both, fail, keepsKey, moved, remembering, roundTrip, toSeconds } from './patch.ts';

const { issue, list, recordUse, resolve, revoke } = apiKeys;

export const apiKeysMutants: readonly Mutant[] = mutantsOf(apiKeysSuite, {
  'truncates times to seconds': keepsKey(({ createdAt }) => ({ createdAt: toSeconds(createdAt) })),
  'drops the creator of a key': keepsKey(() => ({ createdBy: null })),
  'lists keys without their creator': list.result((keys) => keys.map((key) => ({ ...key, createdBy: null }))),
  'drops the expiry of a key': keepsKey(() => ({ expiresAt: null })),
  'stores one permission only': keepsKey(({ permissions }) => ({ permissions: permissions.slice(0, 1) })),
  'drops the networks': keepsKey(() => ({ networks: [] })),
  'stores one network only': keepsKey(({ networks }) => ({ networks: networks.slice(0, 1) })),
  'sorts the networks': keepsKey(({ networks }) => ({ networks: [...networks].sort() })),
  'adds a network to a key without any': keepsKey(({ networks }) => ({
    networks: networks.length === 0 ? ['0.0.0.0/0'] : networks,
  })),
  'lists keys without their networks': list.result((keys) => keys.map((key) => ({ ...key, networks: [] }))),
  'resolves without the networks': resolve.result((resolved) => ({
    ...resolved,
    key: { ...resolved.key, networks: [] },
  })),
  'grants every permission': keepsKey(() => ({ permissions: ['*'] })),
  'resolves an unknown hash to another key': remembering(() => {
    let last = '';
    return both(
      issue.before((key) => {
        last = key.hash;
      }),
      resolve.override(async ({ next }, hash) => (await next(hash)) ?? next(last)),
    );
  }),
  'caches the subscription': remembering(() => {
    const remembered = new Map<string, Subscription | null>();
    return resolve.result((resolved, hash) => {
      if (!remembered.has(hash)) remembered.set(hash, resolved.subscription);
      return { ...resolved, subscription: remembered.get(hash) ?? null };
    });
  }),
  'resolves without the subscription': resolve.result((resolved) => ({ ...resolved, subscription: null })),
  'resolves with a subscription for a client without one': resolve.result((resolved) => ({
    ...resolved,
    subscription: resolved.subscription ?? aSubscription(),
  })),
  'resolves with the first client’s subscription': resolve.override(async ({ next, storage }, hash) => {
    const resolved = await next(hash);
    return resolved && { ...resolved, subscription: (await storage.clients.list())[0]?.subscription ?? null };
  }),
  'does not resolve revoked keys': resolve.result((resolved) =>
    resolved.key.revokedAt === null ? resolved : null,
  ),
  'does not resolve expired keys': resolve.result((resolved) =>
    (resolved.key.expiresAt ?? minute(0)) < minute(0) ? null : resolved,
  ),
  'creates unknown clients': issue.override(async ({ next, storage }, key) => {
    await storage.clients.create({ client: aClient(9, { id: key.clientId }), subscription: null });
    return next(key);
  }),
  'answers limit_reached for an unknown client': issue.result((answer) =>
    answer.outcome === 'client_not_found' ? { outcome: 'limit_reached' } : answer,
  ),
  'lists the oldest first': list.result((keys) => [...keys].reverse()),
  'lists keys of one moment by ascending id': list.result((keys) =>
    [...keys].reverse().sort((a, b) => Number(b.createdAt) - Number(a.createdAt)),
  ),
  'lists unrevoked keys only': list.result((keys) => keys.filter(({ revokedAt }) => revokedAt === null)),
  'fails on an empty list': list.result((keys) => (keys.length === 0 ? fail('no rows') : keys)),
});

export const revocationMutants: readonly Mutant[] = mutantsOf(revocationSuite, {
  'answers before it has revoked': revoke.override(async ({ next, storage }, ...input) => {
    const key = await keyOf(storage, input[0], input[1]);
    if (key === undefined || key.revokedAt !== null) return next(...input);
    void roundTrip().then(() => next(...input));
    return { outcome: 'revoked' };
  }),
  'caches keys': remembering(() => {
    const remembered = new Map<string, Awaited<ReturnType<Storage['apiKeys']['resolve']>>>();
    return both(
      issue.override(async ({ next, storage }, key) => {
        const answer = await next(key);
        remembered.set(key.hash, await storage.apiKeys.resolve(key.hash));
        return answer;
      }),
      resolve.override(async (_, hash) => remembered.get(hash) ?? null),
    );
  }),
  'drops the time of revocation': revoke.override(({ next }, clientId, keyId) => next(clientId, keyId, minute(0))),
  'answers revoked for a revoked key': revoke.result((answer) =>
    answer.outcome === 'already_revoked' ? { outcome: 'revoked' } : answer,
  ),
  'answers already_revoked for an unknown key': revoke.result((answer) =>
    answer.outcome === 'not_found' ? { outcome: 'already_revoked' } : answer,
  ),
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
  'revokes all keys of the client': revoke.override(async ({ next, storage }, clientId, keyId, at) => {
    const answer = await next(clientId, keyId, at);
    for (const { id } of await storage.apiKeys.list(clientId)) await next(clientId, id, at);
    return answer;
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
  'writes back the whole key to record a use': remembering(() => {
    const written = new Map<string, ApiKey>();
    return both(
      recordUse.override(async ({ storage }, { clientId, keyId, at }) => {
        const read = await keyOf(storage, clientId, keyId);
        await roundTrip();
        if (read !== undefined) written.set(read.hash, { ...read, lastUsedAt: at });
      }),
      resolve.result((resolved, hash) => ({ ...resolved, key: written.get(hash) ?? resolved.key })),
    );
  }),
});

async function keyOf(storage: Storage, clientId: string, keyId: string): Promise<ApiKey | undefined> {
  return (await storage.apiKeys.list(clientId)).find(({ id }) => id === keyId);
}

export const lastUseMutants: readonly Mutant[] = mutantsOf(lastUseSuite, {
  'records nothing': recordUse.override(async () => undefined),
  'truncates times to seconds': recordUse.input(({ at }) => ({ at: toSeconds(at) })),
  'records every use': recordUse.input(({ at }) => ({ unlessSince: at })),
  'does not record a use at the bound': recordUse.input(({ unlessSince }) => ({
    unlessSince: moved(unlessSince, -1),
  })),
  'records the use for all keys of the client': recordUse.override(async ({ next, storage }, use) => {
    for (const { id } of await storage.apiKeys.list(use.clientId)) await next({ ...use, keyId: id });
  }),
  'records the use of another client’s key': recordUse.override(async ({ next, storage }, use) => {
    for (const { client } of await storage.clients.list()) await next({ ...use, clientId: client.id });
  }),
  'fails on an unknown key': recordUse.override(async ({ next, storage }, use) =>
    (await keyOf(storage, use.clientId, use.keyId)) === undefined ? fail('no rows') : next(use),
  ),
  'revokes a used key': recordUse.override(async ({ next, storage }, use) => {
    await next(use);
    await storage.apiKeys.revoke(use.clientId, use.keyId, use.at);
  }),
});

export const keyCapMutants: readonly Mutant[] = mutantsOf(keyCapSuite, {
  'allows eleven keys': remembering(() => {
    const refused = new Map<string, number>();
    return issue.result((answer, key) => {
      if (answer.outcome !== 'limit_reached') return answer;
      const count = (refused.get(key.clientId) ?? 0) + 1;
      refused.set(key.clientId, count);
      return count === 1 ? { outcome: 'issued' } : answer;
    });
  }),
  'allows nine keys': countingKeys((keys, { createdAt }) => activeAt(keys, createdAt).length + 1),
  'revokes the oldest key to make room': issue.override(async ({ next, storage }, key) => {
    const answer = await next(key);
    if (answer.outcome !== 'limit_reached') return answer;
    const oldest = activeAt(await storage.apiKeys.list(key.clientId), key.createdAt).at(-1);
    if (oldest !== undefined) await storage.apiKeys.revoke(key.clientId, oldest.id, key.createdAt);
    return next(key);
  }),
  'counts expired keys': countingKeys((keys) => keys.filter(({ revokedAt }) => revokedAt === null).length),
  'counts revoked keys': countingKeys(
    (keys, { createdAt }) => keys.filter(({ expiresAt }) => (expiresAt ?? createdAt) >= createdAt).length,
  ),
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
