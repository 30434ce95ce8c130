import { type ApiKey, apiKeyState, MAX_ACTIVE_KEYS } from '@countersign/domain';
import { type ApiKeyRepository, compareText } from '@countersign/domain/storage';
import { compareTime, type Sync, type Tables } from './tables.ts';

/** API keys. */
export function createApiKeys(tables: Tables): Sync<ApiKeyRepository> {
  const { apiKeys, clients, subscriptions } = tables;
  const activeAt = (clientId: string, now: Date): ApiKey[] =>
    apiKeys.all(clientId).filter((key) => apiKeyState(key, now) === 'active');
  function add(key: ApiKey): void {
    const isTaken = apiKeys.first('hash', key.hash) ?? apiKeys.get(key.clientId, key.id);
    if (isTaken !== undefined) throw new Error(`The id or the hash of the new key ${key.id} is taken`);
    apiKeys.put(key);
  }
  return {
    resolve(hash) {
      const key = apiKeys.first('hash', hash);
      if (key === undefined) return null;
      const subscription = subscriptions.get(key.clientId)?.subscription ?? null;
      const client = clients.get(key.clientId);
      return {
        key,
        subscription,
        testOf: client?.testOf ?? null,
        linkDays: client?.flowSettings.linkDays ?? null,
      };
    },
    issue(key) {
      if (clients.get(key.clientId) === undefined) return { outcome: 'client_not_found' };
      if (activeAt(key.clientId, key.createdAt).length >= MAX_ACTIVE_KEYS) return { outcome: 'limit_reached' };
      add(key);
      return { outcome: 'issued' };
    },
    issueFirst(key) {
      if (clients.get(key.clientId) === undefined) return { outcome: 'client_not_found' };
      if (activeAt(key.clientId, key.createdAt).length > 0) return { outcome: 'key_exists' };
      add(key);
      return { outcome: 'issued' };
    },
    list: (clientId) =>
      apiKeys.all(clientId).sort((a, b) => compareTime(b.createdAt, a.createdAt) || compareText(b.id, a.id)),
    revoke(clientId, keyId, at) {
      const key = apiKeys.get(clientId, keyId);
      if (key === undefined) return { outcome: 'not_found' };
      if (key.revokedAt !== null) return { outcome: 'already_revoked' };
      apiKeys.put({ ...key, revokedAt: at });
      return { outcome: 'revoked' };
    },
    recordUse({ clientId, keyId, at, unlessSince }) {
      const key = apiKeys.get(clientId, keyId);
      if (key === undefined || (key.lastUsedAt !== null && key.lastUsedAt > unlessSince)) return;
      apiKeys.put({ ...key, lastUsedAt: at });
    },
  };
}
