import type { ApiKey, ResolvedKey, Storage, Subscription } from '@countersign/domain';
import { aClient, aSubscription } from '../records/clients.ts';
import { minute } from '../records/moments.ts';
import { apiKeysSuite } from '../suites/api-keys.ts';
import { keepingKeys, toSeconds } from './lossy.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const apiKeysMutants: readonly Mutant[] = mutantsOf(apiKeysSuite, {
  'keeps moments to the second': (storage) =>
    keepingKeys(storage, (key) => ({ ...key, createdAt: toSeconds(key.createdAt) })),
  'forgets who made a key': (storage) => keepingKeys(storage, (key) => ({ ...key, createdBy: null })),
  'lists keys without who made them': (storage) =>
    listing(storage, (keys) => keys.map((key) => ({ ...key, createdBy: null }))),
  'forgets when a key expires': (storage) => keepingKeys(storage, (key) => ({ ...key, expiresAt: null })),
  'keeps one permission': (storage) =>
    keepingKeys(storage, (key) => ({ ...key, permissions: key.permissions.slice(0, 1) })),
  'grants every permission': (storage) => keepingKeys(storage, (key) => ({ ...key, permissions: ['*'] })),
  'resolves an unknown hash to some key': (storage) => {
    let last = '';
    return patched(storage, {
      apiKeys: {
        issue: (key) => {
          last = key.hash;
          return storage.apiKeys.issue(key);
        },
        resolve: async (hash) => (await storage.apiKeys.resolve(hash)) ?? storage.apiKeys.resolve(last),
      },
    });
  },
  'remembers the subscription': (storage) => {
    const remembered = new Map<string, Subscription | null>();
    return resolving(storage, (resolved, hash) => {
      if (!remembered.has(hash)) remembered.set(hash, resolved.subscription);
      return { ...resolved, subscription: remembered.get(hash) ?? null };
    });
  },
  'resolves without the subscription': (storage) =>
    resolving(storage, (resolved) => ({ ...resolved, subscription: null })),
  'resolves with a subscription where there is none': (storage) =>
    resolving(storage, (resolved) => ({ ...resolved, subscription: resolved.subscription ?? aSubscription() })),
  'resolves with the first client’s subscription': (storage) =>
    patched(storage, {
      apiKeys: {
        resolve: async (hash) => {
          const resolved = await storage.apiKeys.resolve(hash);
          return (
            resolved && { ...resolved, subscription: (await storage.clients.list())[0]?.subscription ?? null }
          );
        },
      },
    }),
  'does not resolve a revoked key': (storage) =>
    resolving(storage, (resolved) => (resolved.key.revokedAt === null ? resolved : null)),
  'does not resolve an expired key': (storage) =>
    resolving(storage, (resolved) => ((resolved.key.expiresAt ?? minute(0)) < minute(0) ? null : resolved)),
  'issues keys for clients that it does not know': (storage) =>
    patched(storage, {
      apiKeys: {
        issue: async (key) => {
          await storage.clients.create({ client: aClient(9, { id: key.clientId }), subscription: null });
          return storage.apiKeys.issue(key);
        },
      },
    }),
  'takes an unknown client for a full one': (storage) =>
    patched(storage, {
      apiKeys: {
        issue: async (key) => {
          const answer = await storage.apiKeys.issue(key);
          return answer.outcome === 'client_not_found' ? { outcome: 'limit_reached' } : answer;
        },
      },
    }),
  'lists the oldest first': (storage) => listing(storage, (keys) => keys.reverse()),
  'lists those of one moment by ascending id': (storage) =>
    listing(storage, (keys) => keys.reverse().sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())),
  'lists active keys alone': (storage) => listing(storage, (keys) => keys.filter((key) => key.revokedAt === null)),
  'fails to list nothing': (storage) =>
    listing(storage, (keys) => {
      if (keys.length === 0) throw new Error('no rows');
      return keys;
    }),
});

function resolving(
  storage: Storage,
  change: (resolved: ResolvedKey, hash: string) => ResolvedKey | null,
): Storage {
  return patched(storage, {
    apiKeys: {
      resolve: async (hash) => {
        const resolved = await storage.apiKeys.resolve(hash);
        return resolved && change(resolved, hash);
      },
    },
  });
}

function listing(storage: Storage, change: (keys: ApiKey[]) => ApiKey[]): Storage {
  return patched(storage, { apiKeys: { list: async (id) => change([...(await storage.apiKeys.list(id))]) } });
}
