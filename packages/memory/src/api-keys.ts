import { type ApiKey, apiKeyState, MAX_ACTIVE_KEYS } from '@countersign/domain';
import { type ApiKeyRepository, compareText } from '@countersign/domain/storage';
import { putMails, requireNewMails } from './mails.ts';
import type { Tables } from './tables.ts';

export function createApiKeys({ apiKeys, clients, subscriptions, mails: stored }: Tables): ApiKeyRepository {
  const ofClient = (clientId: string): ApiKey[] =>
    [...apiKeys.values()].filter((key) => key.clientId === clientId);

  const own = (clientId: string, keyId: string): ApiKey | undefined => {
    const key = apiKeys.get(keyId);
    return key?.clientId === clientId ? key : undefined;
  };

  const activeAt = (clientId: string, now: Date): ApiKey[] =>
    ofClient(clientId).filter((key) => apiKeyState(key, now) === 'active');

  function put(key: ApiKey): void {
    const isTaken = [...apiKeys.values()].some(({ id, hash }) => id === key.id || hash === key.hash);
    if (isTaken) throw new Error(`the id or the hash of the new key ${key.id} is taken`);
    apiKeys.set(key.id, structuredClone(key));
  }

  return {
    async resolve(hash) {
      const key = [...apiKeys.values()].find((candidate) => candidate.hash === hash);
      if (key === undefined) return null;
      const { testOf } = clients.get(key.clientId) ?? { testOf: null };
      return structuredClone({ key, subscription: subscriptions.get(key.clientId) ?? null, testOf });
    },

    async issue(key) {
      if (!clients.has(key.clientId)) return { outcome: 'client_not_found' };
      if (activeAt(key.clientId, key.createdAt).length >= MAX_ACTIVE_KEYS) return { outcome: 'limit_reached' };
      put(key);
      return { outcome: 'issued' };
    },

    async issueFirst(key) {
      if (!clients.has(key.clientId)) return { outcome: 'client_not_found' };
      if (activeAt(key.clientId, key.createdAt).length > 0) return { outcome: 'key_exists' };
      put(key);
      return { outcome: 'issued' };
    },

    async list(clientId) {
      const keys = ofClient(clientId);
      return structuredClone(
        keys.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)),
      );
    },

    async revoke(clientId, keyId, at) {
      const key = own(clientId, keyId);
      if (key === undefined) return { outcome: 'not_found' };
      if (key.revokedAt !== null) return { outcome: 'already_revoked' };
      apiKeys.set(keyId, { ...key, revokedAt: new Date(at) });
      return { outcome: 'revoked' };
    },

    async recordUse({ clientId, keyId, at, unlessSince }) {
      const key = own(clientId, keyId);
      if (key === undefined || (key.lastUsedAt !== null && key.lastUsedAt > unlessSince)) return;
      apiKeys.set(keyId, { ...key, lastUsedAt: new Date(at) });
    },

    async expiring({ now, until, days, limit }) {
      const due = [...apiKeys.values()].flatMap((key) => {
        const { expiresAt, revokedAt } = key;
        const isDue = expiresAt !== null && expiresAt > now && expiresAt <= until;
        return isDue && revokedAt === null && isUnnoticed(key, days) ? [{ key, at: expiresAt.getTime() }] : [];
      });
      const sorted = due.sort((a, b) => a.at - b.at || compareText(a.key.id, b.key.id));
      return structuredClone(sorted.slice(0, limit).map(({ key }) => key));
    },

    async noteExpiry({ clientId, keyId, days, mails }) {
      const key = own(clientId, keyId);
      if (key === undefined || key.revokedAt !== null || !isUnnoticed(key, days)) return { outcome: 'not_due' };
      requireNewMails(stored, mails);
      putMails(stored, mails);
      apiKeys.set(keyId, { ...key, noticedDays: days });
      return { outcome: 'noted' };
    },
  };
}

function isUnnoticed({ noticedDays }: ApiKey, days: number): boolean {
  return noticedDays === null || noticedDays > days;
}
