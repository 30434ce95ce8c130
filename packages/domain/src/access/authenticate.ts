import { CountersignError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Secrets } from '../runtime/secrets.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { apiKeyState, isKeyFormat } from './api-key.ts';
import type { ApiKeyRepository } from './api-key-repository.ts';
import { createLastUse } from './last-use.ts';
import type { Permission } from './permission.ts';

/** Who a valid key speaks for. Lives for one request only. */
export interface Principal {
  readonly clientId: string;
  readonly keyId: string;
  readonly permissions: readonly Permission[];
  readonly subscription: Subscription | null;
}

/**
 * Turns the value of `X-API-Key` into a principal. Messages are the interface's (Authentication 5–8).
 * @throws CountersignError `API_KEY_REQUIRED`, `INVALID_API_KEY`, `API_KEY_EXPIRED`, `API_KEY_REVOKED`
 */
export type Authenticate = (presented: string | undefined) => Promise<Principal>;

export function createAuthenticate(ports: {
  apiKeys: ApiKeyRepository;
  clock: Clock;
  secrets: Secrets;
  onFault: (fault: unknown) => void;
}): Authenticate {
  const { apiKeys, clock, secrets } = ports;
  const noteUse = createLastUse(apiKeys, ports.onFault);

  return async (presented) => {
    if (presented === undefined || presented === '') {
      throw new CountersignError('API_KEY_REQUIRED', 'API key is required. Provide it in X-API-Key header.');
    }
    const resolved = isKeyFormat(presented) ? await apiKeys.resolve(secrets.sha256(presented)) : null;
    if (resolved === null) throw new CountersignError('INVALID_API_KEY', 'Invalid API key');

    const { key, subscription } = resolved;
    const now = clock.now();
    const state = apiKeyState(key, now);
    switch (state) {
      case 'revoked':
        throw new CountersignError('API_KEY_REVOKED', 'API key has been revoked');
      case 'expired':
        throw new CountersignError('API_KEY_EXPIRED', 'API key has expired');
      case 'active':
        noteUse(key, now);
        return { clientId: key.clientId, keyId: key.id, permissions: key.permissions, subscription };
      default:
        return state satisfies never;
    }
  };
}
