import { z } from 'zod';
import { CountersignError } from '../errors.ts';
import { parseInput } from '../parse.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Secrets } from '../runtime/secrets.ts';
import { isPlainLine } from '../text.ts';
import {
  type ApiKey,
  KEY_LIFETIMES_DAYS,
  type KeyLifetimeDays,
  keyDisplay,
  MAX_ACTIVE_KEYS,
  newKeyValue,
} from './api-key.ts';
import type { ApiKeyRepository } from './api-key-repository.ts';
import { PERMISSIONS, type Permission } from './permission.ts';

export interface NewApiKey {
  /** At least one. */
  readonly permissions: readonly Permission[];
  /** Left out, the key never expires. */
  readonly expiresInDays?: KeyLifetimeDays | undefined;
  /** Up to 100 characters, for people. */
  readonly name?: string | undefined;
}

/** What a client's staff or an operator does with keys (interface, Authentication 4–6 and 10). */
export interface ManageApiKeys {
  /**
   * Makes a key. `value` is the key itself: it is returned here and never again. `createdBy` is The user who asked
   * for it; null, as without it, for one from the command line.
   * @throws `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND`, `API_KEY_LIMIT_REACHED`
   */
  issue(clientId: string, input: NewApiKey, createdBy?: string | null): Promise<{ key: ApiKey; value: string }>;
  /** Newest first, in any state. */
  list(clientId: string): Promise<readonly ApiKey[]>;
  /** Holds for every request that starts after this returned. Revoking twice is no error. @throws `API_KEY_NOT_FOUND` */
  revoke(clientId: string, keyId: string): Promise<void>;
}

const newKeySchema: z.ZodType<NewApiKey> = z.strictObject({
  permissions: z.array(z.enum(PERMISSIONS)).min(1),
  expiresInDays: z.literal(KEY_LIFETIMES_DAYS).optional(),
  name: z.string().trim().max(100).refine(isPlainLine, 'must be one line of plain text').optional(),
});

const DAY_MS = 24 * 60 * 60 * 1000;

export function createManageApiKeys(ports: {
  apiKeys: ApiKeyRepository;
  clock: Clock;
  ids: Ids;
  secrets: Secrets;
}): ManageApiKeys {
  const { apiKeys, clock, ids, secrets } = ports;

  return {
    list: (clientId) => apiKeys.list(clientId),

    async issue(clientId, input, createdBy = null) {
      const { permissions, expiresInDays, name } = parseInput(newKeySchema, input);
      const now = clock.now();
      const value = newKeyValue(secrets);
      const key: ApiKey = {
        id: ids.next(),
        clientId,
        name: name ?? '',
        hash: secrets.sha256(value),
        display: keyDisplay(value),
        permissions: [...new Set(permissions)],
        createdAt: now,
        createdBy,
        expiresAt: expiresInDays === undefined ? null : new Date(now.getTime() + expiresInDays * DAY_MS),
        revokedAt: null,
        lastUsedAt: null,
      };
      const { outcome } = await apiKeys.issue(key);
      switch (outcome) {
        case 'issued':
          return { key, value };
        case 'limit_reached':
          throw new CountersignError(
            'API_KEY_LIMIT_REACHED',
            `A client has at most ${MAX_ACTIVE_KEYS} active keys: revoke one first`,
          );
        case 'client_not_found':
          throw new CountersignError('CLIENT_NOT_FOUND', 'Client not found');
        default:
          return outcome satisfies never;
      }
    },

    async revoke(clientId, keyId) {
      const { outcome } = await apiKeys.revoke(clientId, keyId, clock.now());
      if (outcome === 'not_found') throw new CountersignError('API_KEY_NOT_FOUND', 'API key not found');
    },
  };
}
