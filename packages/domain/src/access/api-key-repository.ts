import type { Subscription } from '../subscription/subscription.ts';
import type { ApiKey } from './api-key.ts';

/** A key with what is needed to answer its request. */
export interface ResolvedKey {
  readonly key: ApiKey;
  readonly subscription: Subscription | null;
}

/** Keys of clients. Nothing here is ever cached: a revoked key is refused by the next request. */
export interface ApiKeyRepository {
  /** The key with this hash and its client's present subscription, in one look-up, whatever its state; or null. */
  resolve(hash: string): Promise<ResolvedKey | null>;

  /**
   * Keeps a new key if fewer than ten of its client's keys are active at `key.createdAt`; expired keys make room.
   * Of any number of calls at once, just as many succeed as there is room; the others get `limit_reached`.
   */
  issue(
    key: ApiKey,
  ): Promise<{ outcome: 'issued' } | { outcome: 'limit_reached' } | { outcome: 'client_not_found' }>;

  /** The client's keys in any state, newest first; of one moment, the higher id first. */
  list(clientId: string): Promise<readonly ApiKey[]>;

  /**
   * Revokes for good. Once it has returned, every `resolve` that starts later, on any instance, sees `revokedAt`.
   * Revoking again changes nothing and answers `already_revoked`; another client's key is `not_found`.
   */
  revoke(
    clientId: string,
    keyId: string,
    at: Date,
  ): Promise<{ outcome: 'revoked' } | { outcome: 'already_revoked' } | { outcome: 'not_found' }>;

  /** Sets `lastUsedAt` to `at`, unless it is already later than `unlessSince`. Of several at once, one writes. */
  recordUse(use: { clientId: string; keyId: string; at: Date; unlessSince: Date }): Promise<void>;
}
