import {
  type ApiKey,
  type ApiKeyRepository,
  apiKeyState,
  MAX_ACTIVE_KEYS,
  type Storage,
} from '@countersign/domain';
import { keyCapSuite } from '../suites/key-cap.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

type Issue = ApiKeyRepository['issue'];

export const keyCapMutants: readonly Mutant[] = mutantsOf(keyCapSuite, {
  'allows eleven': (storage) => {
    const refused = new Map<string, number>();
    return issuing(storage, async (next, key) => {
      const answer = await next(key);
      if (answer.outcome !== 'limit_reached') return answer;
      const count = (refused.get(key.clientId) ?? 0) + 1;
      refused.set(key.clientId, count);
      return count === 1 ? { outcome: 'issued' } : answer;
    });
  },
  'allows nine': (storage) => counting(storage, (keys, key) => activeAt(keys, key.createdAt).length + 1),
  'makes room by revoking the oldest': (storage) =>
    issuing(storage, async (next, key) => {
      const answer = await next(key);
      if (answer.outcome !== 'limit_reached') return answer;
      const oldest = activeAt(await storage.apiKeys.list(key.clientId), key.createdAt).at(-1);
      if (oldest !== undefined) await storage.apiKeys.revoke(key.clientId, oldest.id, key.createdAt);
      return next(key);
    }),
  'lets expired keys take up room': (storage) =>
    counting(storage, (keys) => keys.filter(({ revokedAt }) => revokedAt === null).length),
  'lets revoked keys take up room': (storage) =>
    counting(
      storage,
      (keys, key) => keys.filter(({ expiresAt }) => (expiresAt ?? key.createdAt) >= key.createdAt).length,
    ),
  'makes room a moment after a key expired': (storage) =>
    counting(storage, (keys, key) => activeAt(keys, new Date(key.createdAt.getTime() - 1)).length),
  'makes room a moment before a key expires': (storage) =>
    issuing(storage, (next, key) => next({ ...key, createdAt: new Date(key.createdAt.getTime() + 1) })),
  'drops keys that made room': (storage) =>
    patched(storage, {
      apiKeys: {
        list: async (id) => (await storage.apiKeys.list(id)).filter(({ revokedAt }) => revokedAt === null),
      },
    }),
  'gives twenty keys in all': (storage) => counting(storage, (keys) => keys.length - 10),
  'has one cap for all clients': (storage) =>
    issuing(storage, async (next, key) => {
      const clients = await storage.clients.list();
      const lists = await Promise.all(clients.map(({ client }) => storage.apiKeys.list(client.id)));
      const active = activeAt(lists.flat(), key.createdAt);
      return active.length >= MAX_ACTIVE_KEYS ? { outcome: 'limit_reached' } : next(key);
    }),
  'counts first and issues later': (storage) =>
    issuing(storage, async (next, key) => {
      const active = activeAt(await storage.apiKeys.list(key.clientId), key.createdAt);
      if (active.length >= MAX_ACTIVE_KEYS) return { outcome: 'limit_reached' };
      await roundTrip();
      await next(key);
      return { outcome: 'issued' };
    }),
  'refuses whom it meets at once': (storage) => {
    let issuingNow = 0;
    return issuing(storage, async (next, key) => {
      issuingNow += 1;
      await roundTrip();
      const isAlone = issuingNow === 1;
      await roundTrip();
      issuingNow -= 1;
      return isAlone ? next(key) : { outcome: 'limit_reached' };
    });
  },
});

function issuing(storage: Storage, issue: (next: Issue, key: ApiKey) => ReturnType<Issue>): Storage {
  return patched(storage, { apiKeys: { issue: (key) => issue(storage.apiKeys.issue, key) } });
}

/** An adapter that counts its keys in a way of its own. */
function counting(storage: Storage, count: (keys: readonly ApiKey[], key: ApiKey) => number): Storage {
  return issuing(storage, async (next, key) => {
    const keys = await storage.apiKeys.list(key.clientId);
    return count(keys, key) >= MAX_ACTIVE_KEYS ? { outcome: 'limit_reached' } : next(key);
  });
}

const activeAt = (keys: readonly ApiKey[], now: Date): ApiKey[] =>
  keys.filter((key) => apiKeyState(key, now) === 'active');
