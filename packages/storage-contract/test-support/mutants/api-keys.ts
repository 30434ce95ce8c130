import { type ApiKey, apiKeyState, MAX_ACTIVE_KEYS, type Storage, type Subscription } from '@countersign/domain';
import { aClient, aSubscription } from '../../src/records/clients.ts';
import { minute } from '../../src/records/ids.ts';
import { keyCapSuite, revocationSuite } from '../../src/suites/active-keys.ts';
import { apiKeysSuite, lastUseSuite } from '../../src/suites/api-keys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  answers,
  asks,
  type Break,
  both,
  fail,
  keepsKey,
  moved,
  on,
  remembering,
  roundTrip,
  toSeconds,
} from './patch.ts';

export const apiKeysMutants: readonly Mutant[] = mutantsOf(apiKeysSuite, {
  'keeps moments to the second': keepsKey(({ createdAt }) => ({ createdAt: toSeconds(createdAt) })),
  'forgets who made a key': keepsKey(() => ({ createdBy: null })),
  'lists keys without who made them': answers('apiKeys.list')((keys) =>
    keys.map((key) => ({ ...key, createdBy: null })),
  ),
  'forgets when a key expires': keepsKey(() => ({ expiresAt: null })),
  'keeps one permission': keepsKey(({ permissions }) => ({ permissions: permissions.slice(0, 1) })),
  'grants every permission': keepsKey(() => ({ permissions: ['*'] })),
  'resolves an unknown hash to some key': remembering(() => {
    let last = '';
    return both(
      on('apiKeys.issue')(({ next }, key) => {
        last = key.hash;
        return next(key);
      }),
      on('apiKeys.resolve')(async ({ next }, hash) => (await next(hash)) ?? next(last)),
    );
  }),
  'remembers the subscription': remembering(() => {
    const remembered = new Map<string, Subscription | null>();
    return answers('apiKeys.resolve')((resolved, hash) => {
      if (!remembered.has(hash)) remembered.set(hash, resolved.subscription);
      return { ...resolved, subscription: remembered.get(hash) ?? null };
    });
  }),
  'resolves without the subscription': answers('apiKeys.resolve')((resolved) => ({
    ...resolved,
    subscription: null,
  })),
  'resolves with a subscription where there is none': answers('apiKeys.resolve')((resolved) => ({
    ...resolved,
    subscription: resolved.subscription ?? aSubscription(),
  })),
  'resolves with the first client’s subscription': on('apiKeys.resolve')(async ({ next, storage }, hash) => {
    const resolved = await next(hash);
    return resolved && { ...resolved, subscription: (await storage.clients.list())[0]?.subscription ?? null };
  }),
  'does not resolve a revoked key': answers('apiKeys.resolve')((resolved) =>
    resolved.key.revokedAt === null ? resolved : null,
  ),
  'does not resolve an expired key': answers('apiKeys.resolve')((resolved) =>
    (resolved.key.expiresAt ?? minute(0)) < minute(0) ? null : resolved,
  ),
  'issues keys for clients that it does not know': on('apiKeys.issue')(async ({ next, storage }, key) => {
    await storage.clients.create({ client: aClient(9, { id: key.clientId }), subscription: null });
    return next(key);
  }),
  'takes an unknown client for a full one': answers('apiKeys.issue')((answer) =>
    answer.outcome === 'client_not_found' ? { outcome: 'limit_reached' } : answer,
  ),
  'lists the oldest first': answers('apiKeys.list')((keys) => [...keys].reverse()),
  'lists those of one moment by ascending id': answers('apiKeys.list')((keys) =>
    [...keys].reverse().sort((a, b) => Number(b.createdAt) - Number(a.createdAt)),
  ),
  'lists active keys alone': answers('apiKeys.list')((keys) => keys.filter(({ revokedAt }) => revokedAt === null)),
  'fails to list nothing': answers('apiKeys.list')((keys) => (keys.length === 0 ? fail('no rows') : keys)),
});

export const revocationMutants: readonly Mutant[] = mutantsOf(revocationSuite, {
  'answers before it has revoked': on('apiKeys.revoke')(async ({ next, storage }, ...given) => {
    const key = await keyOf(storage, given[0], given[1]);
    if (key === undefined || key.revokedAt !== null) return next(...given);
    void roundTrip().then(() => next(...given));
    return { outcome: 'revoked' };
  }),
  'remembers keys': remembering(() => {
    const remembered = new Map<string, Awaited<ReturnType<Storage['apiKeys']['resolve']>>>();
    return both(
      on('apiKeys.issue')(async ({ next, storage }, key) => {
        const answer = await next(key);
        remembered.set(key.hash, await storage.apiKeys.resolve(key.hash));
        return answer;
      }),
      on('apiKeys.resolve')(async (_, hash) => remembered.get(hash) ?? null),
    );
  }),
  'forgets when': on('apiKeys.revoke')(({ next }, clientId, keyId) => next(clientId, keyId, minute(0))),
  'revokes again': answers('apiKeys.revoke')((answer) =>
    answer.outcome === 'already_revoked' ? { outcome: 'revoked' } : answer,
  ),
  'takes an unknown key for a revoked one': answers('apiKeys.revoke')((answer) =>
    answer.outcome === 'not_found' ? { outcome: 'already_revoked' } : answer,
  ),
  'revokes another client’s key': on('apiKeys.revoke')(async ({ next, storage }, clientId, keyId, at) => {
    const answer = await next(clientId, keyId, at);
    if (answer.outcome !== 'not_found') return answer;
    for (const { client } of await storage.clients.list()) await next(client.id, keyId, at);
    return answer;
  }),
  'tells that another client’s key is revoked': on('apiKeys.revoke')(async ({ next, storage }, ...given) => {
    const answer = await next(...given);
    if (answer.outcome !== 'not_found') return answer;
    const clients = await storage.clients.list();
    const keys = await Promise.all(clients.map(({ client }) => keyOf(storage, client.id, given[1])));
    return keys.some((key) => key && key.revokedAt !== null) ? { outcome: 'already_revoked' } : answer;
  }),
  'revokes all keys of the client': on('apiKeys.revoke')(async ({ next, storage }, clientId, keyId, at) => {
    const answer = await next(clientId, keyId, at);
    for (const { id } of await storage.apiKeys.list(clientId)) await next(clientId, id, at);
    return answer;
  }),
  'does not find expired keys': on('apiKeys.revoke')(async ({ next, storage }, clientId, keyId, at) => {
    const expiresAt = (await keyOf(storage, clientId, keyId))?.expiresAt ?? null;
    return expiresAt !== null && expiresAt <= at ? { outcome: 'not_found' } : next(clientId, keyId, at);
  }),
  'looks first and revokes later': on('apiKeys.revoke')(async ({ next, storage }, clientId, keyId, at) => {
    const key = await keyOf(storage, clientId, keyId);
    if (key === undefined) return { outcome: 'not_found' };
    if (key.revokedAt !== null) return { outcome: 'already_revoked' };
    await roundTrip();
    await next(clientId, keyId, at);
    return { outcome: 'revoked' };
  }),
  'writes back the whole key when it was used': remembering(() => {
    const written = new Map<string, ApiKey>();
    return both(
      on('apiKeys.recordUse')(async ({ storage }, { clientId, keyId, at }) => {
        const read = await keyOf(storage, clientId, keyId);
        await roundTrip();
        if (read !== undefined) written.set(read.hash, { ...read, lastUsedAt: at });
      }),
      answers('apiKeys.resolve')((resolved, hash) => ({ ...resolved, key: written.get(hash) ?? resolved.key })),
    );
  }),
});

async function keyOf(storage: Storage, clientId: string, keyId: string): Promise<ApiKey | undefined> {
  return (await storage.apiKeys.list(clientId)).find(({ id }) => id === keyId);
}

export const lastUseMutants: readonly Mutant[] = mutantsOf(lastUseSuite, {
  'notes nothing': on('apiKeys.recordUse')(async () => undefined),
  'notes to the second': asks('apiKeys.recordUse')(({ at }) => ({ at: toSeconds(at) })),
  'notes every use': asks('apiKeys.recordUse')(({ at }) => ({ unlessSince: at })),
  'leaves a note at the very bound': asks('apiKeys.recordUse')(({ unlessSince }) => ({
    unlessSince: moved(unlessSince, -1),
  })),
  'notes all keys of the client': on('apiKeys.recordUse')(async ({ next, storage }, use) => {
    for (const { id } of await storage.apiKeys.list(use.clientId)) await next({ ...use, keyId: id });
  }),
  'notes another client’s key': on('apiKeys.recordUse')(async ({ next, storage }, use) => {
    for (const { client } of await storage.clients.list()) await next({ ...use, clientId: client.id });
  }),
  'fails on an unknown key': on('apiKeys.recordUse')(async ({ next, storage }, use) =>
    (await keyOf(storage, use.clientId, use.keyId)) === undefined ? fail('no rows') : next(use),
  ),
  'revokes what is used': on('apiKeys.recordUse')(async ({ next, storage }, use) => {
    await next(use);
    await storage.apiKeys.revoke(use.clientId, use.keyId, use.at);
  }),
});

export const keyCapMutants: readonly Mutant[] = mutantsOf(keyCapSuite, {
  'allows eleven': remembering(() => {
    const refused = new Map<string, number>();
    return answers('apiKeys.issue')((answer, key) => {
      if (answer.outcome !== 'limit_reached') return answer;
      const count = (refused.get(key.clientId) ?? 0) + 1;
      refused.set(key.clientId, count);
      return count === 1 ? { outcome: 'issued' } : answer;
    });
  }),
  'allows nine': countingKeys((keys, { createdAt }) => activeAt(keys, createdAt).length + 1),
  'makes room by revoking the oldest': on('apiKeys.issue')(async ({ next, storage }, key) => {
    const answer = await next(key);
    if (answer.outcome !== 'limit_reached') return answer;
    const oldest = activeAt(await storage.apiKeys.list(key.clientId), key.createdAt).at(-1);
    if (oldest !== undefined) await storage.apiKeys.revoke(key.clientId, oldest.id, key.createdAt);
    return next(key);
  }),
  'lets expired keys take up room': countingKeys(
    (keys) => keys.filter(({ revokedAt }) => revokedAt === null).length,
  ),
  'lets revoked keys take up room': countingKeys(
    (keys, { createdAt }) => keys.filter(({ expiresAt }) => (expiresAt ?? createdAt) >= createdAt).length,
  ),
  'makes room a moment after a key expired': countingKeys(
    (keys, { createdAt }) => activeAt(keys, moved(createdAt, -1)).length,
  ),
  'makes room a moment before a key expires': keepsKey(({ createdAt }) => ({ createdAt: moved(createdAt, 1) })),
  'drops keys that made room': answers('apiKeys.list')((keys) =>
    keys.filter(({ revokedAt }) => revokedAt === null),
  ),
  'gives twenty keys in all': countingKeys((keys) => keys.length - 10),
  'has one cap for all clients': on('apiKeys.issue')(async ({ next, storage }, key) => {
    const clients = await storage.clients.list();
    const lists = await Promise.all(clients.map(({ client }) => storage.apiKeys.list(client.id)));
    const active = activeAt(lists.flat(), key.createdAt);
    return active.length >= MAX_ACTIVE_KEYS ? { outcome: 'limit_reached' } : next(key);
  }),
  'counts first and issues later': on('apiKeys.issue')(async ({ next, storage }, key) => {
    const active = activeAt(await storage.apiKeys.list(key.clientId), key.createdAt);
    if (active.length >= MAX_ACTIVE_KEYS) return { outcome: 'limit_reached' };
    await roundTrip();
    await next(key);
    return { outcome: 'issued' };
  }),
  'refuses whom it meets at once': remembering(() => {
    let pending = 0;
    return on('apiKeys.issue')(async ({ next }, key) => {
      pending += 1;
      await roundTrip();
      const isAlone = pending === 1;
      await roundTrip();
      pending -= 1;
      return isAlone ? next(key) : { outcome: 'limit_reached' };
    });
  }),
});

/** Counts the keys that take up room in another way. */
function countingKeys(count: (keys: readonly ApiKey[], key: ApiKey) => number): Break {
  return on('apiKeys.issue')(async ({ next, storage }, key) => {
    const keys = await storage.apiKeys.list(key.clientId);
    return count(keys, key) >= MAX_ACTIVE_KEYS ? { outcome: 'limit_reached' } : next(key);
  });
}

const activeAt = (keys: readonly ApiKey[], now: Date): ApiKey[] =>
  keys.filter((key) => apiKeyState(key, now) === 'active');
