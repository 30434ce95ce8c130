import type { ApiKey, ApiKeyRepository, Storage } from '@countersign/domain';
import { minute } from '../records/moments.ts';
import { revocationSuite } from '../suites/revocation.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

type Revoke = ApiKeyRepository['revoke'];

export const revocationMutants: readonly Mutant[] = mutantsOf(revocationSuite, {
  'answers before it has revoked': (storage) =>
    revoking(storage, async (next, ...given) => {
      const key = (await storage.apiKeys.list(given[0])).find(({ id }) => id === given[1]);
      if (key === undefined || key.revokedAt !== null) return next(...given);
      void roundTrip().then(() => next(...given));
      return { outcome: 'revoked' };
    }),
  'remembers keys': (storage) => {
    const remembered = new Map<string, Awaited<ReturnType<ApiKeyRepository['resolve']>>>();
    return patched(storage, {
      apiKeys: {
        issue: async (key) => {
          const answer = await storage.apiKeys.issue(key);
          remembered.set(key.hash, await storage.apiKeys.resolve(key.hash));
          return answer;
        },
        resolve: async (hash) => remembered.get(hash) ?? null,
      },
    });
  },
  'forgets when': (storage) => revoking(storage, (next, clientId, keyId) => next(clientId, keyId, minute(0))),
  'revokes again': (storage) =>
    revoking(storage, async (next, ...given) => {
      const answer = await next(...given);
      return answer.outcome === 'already_revoked' ? { outcome: 'revoked' } : answer;
    }),
  'takes an unknown key for a revoked one': (storage) =>
    revoking(storage, async (next, ...given) => {
      const answer = await next(...given);
      return answer.outcome === 'not_found' ? { outcome: 'already_revoked' } : answer;
    }),
  'revokes another client’s key': (storage) =>
    revoking(storage, async (next, ...[clientId, keyId, at]) => {
      const answer = await next(clientId, keyId, at);
      if (answer.outcome !== 'not_found') return answer;
      for (const { client } of await storage.clients.list()) await next(client.id, keyId, at);
      return answer;
    }),
  'tells that another client’s key is revoked': (storage) =>
    revoking(storage, async (next, ...given) => {
      const answer = await next(...given);
      if (answer.outcome !== 'not_found') return answer;
      for (const { client } of await storage.clients.list()) {
        const isRevoked = ({ id, revokedAt }: ApiKey): boolean => id === given[1] && revokedAt !== null;
        if ((await storage.apiKeys.list(client.id)).some(isRevoked)) return { outcome: 'already_revoked' };
      }
      return answer;
    }),
  'revokes all keys of the client': (storage) =>
    revoking(storage, async (next, ...[clientId, keyId, at]) => {
      const answer = await next(clientId, keyId, at);
      for (const { id } of await storage.apiKeys.list(clientId)) await next(clientId, id, at);
      return answer;
    }),
  'does not find expired keys': (storage) =>
    revoking(storage, async (next, ...given) => {
      const key = (await storage.apiKeys.list(given[0])).find(({ id }) => id === given[1]);
      const isExpired = key?.expiresAt !== undefined && key.expiresAt !== null && key.expiresAt <= given[2];
      return isExpired ? { outcome: 'not_found' } : next(...given);
    }),
  'looks first and revokes later': (storage) =>
    revoking(storage, async (next, ...given) => {
      const key = (await storage.apiKeys.list(given[0])).find(({ id }) => id === given[1]);
      if (key === undefined) return { outcome: 'not_found' };
      if (key.revokedAt !== null) return { outcome: 'already_revoked' };
      await roundTrip();
      await next(...given);
      return { outcome: 'revoked' };
    }),
  'writes back the whole key when it was used': (storage) => {
    const written = new Map<string, ApiKey>();
    const { apiKeys } = storage;
    return patched(storage, {
      apiKeys: {
        recordUse: async ({ clientId, keyId, at }) => {
          const read = (await apiKeys.list(clientId)).find(({ id }) => id === keyId);
          await roundTrip();
          if (read !== undefined) written.set(read.hash, { ...read, lastUsedAt: at });
        },
        resolve: async (hash) => {
          const resolved = await apiKeys.resolve(hash);
          return resolved && { ...resolved, key: written.get(hash) ?? resolved.key };
        },
      },
    });
  },
});

function revoking(
  storage: Storage,
  revoke: (next: Revoke, ...given: Parameters<Revoke>) => ReturnType<Revoke>,
): Storage {
  return patched(storage, { apiKeys: { revoke: (...given) => revoke(storage.apiKeys.revoke, ...given) } });
}
