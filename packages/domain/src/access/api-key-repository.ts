import type { Subscription } from '../subscription/subscription.ts';
import type { ApiKey } from './api-key.ts';

/** An API key, and its client as far as a request needs it. */
export interface ResolvedKey {
  readonly key: ApiKey;
  /** The current subscription of its client. */
  readonly subscription: Subscription | null;
  /** `Client.testOf` of its client. */
  readonly testOf: string | null;
  /** `FlowSettings.linkDays` of its client. */
  readonly linkDays: number | null;
}

/** Stores API keys. An adapter never caches them: the first request after a revocation is refused. */
export interface ApiKeyRepository {
  /** Finds the key with this hash, in any state, and what `ResolvedKey` says of its client, in one read; null if there is none. */
  resolve(hash: string): Promise<ResolvedKey | null>;

  /**
   * Stores a new key if its client has fewer than `MAX_ACTIVE_KEYS` active keys at `key.createdAt`; expired keys do not
   * count.
   *
   * Concurrency: as many calls win as there are free places; the others receive `limit_reached` and store nothing.
   */
  issue(
    key: ApiKey,
  ): Promise<{ outcome: 'issued' } | { outcome: 'limit_reached' } | { outcome: 'client_not_found' }>;

  /**
   * Stores a new key if its client has no active key at `key.createdAt`.
   *
   * Concurrency: of calls for a client without an active key, one wins; the others receive `key_exists` and store nothing.
   */
  issueFirst(
    key: ApiKey,
  ): Promise<{ outcome: 'issued' } | { outcome: 'key_exists' } | { outcome: 'client_not_found' }>;

  /** Lists the client's keys in any state, newest first; keys created at the same time by descending id. */
  list(clientId: string): Promise<readonly ApiKey[]>;

  /**
   * Revokes a key for good, an expired one too. Every `resolve` that starts after this call returned, on any instance, sees `revokedAt`.
   * Another client's key is `not_found`.
   *
   * Concurrency: the first call wins; the others receive `already_revoked` and change nothing.
   */
  revoke(
    clientId: string,
    keyId: string,
    at: Date,
  ): Promise<{ outcome: 'revoked' } | { outcome: 'already_revoked' } | { outcome: 'not_found' }>;

  /**
   * Sets `lastUsedAt` to `at`, unless it is already later than `unlessSince`.
   *
   * Concurrency: of calls with the same `unlessSince`, one writes; the others change nothing.
   */
  recordUse(use: { clientId: string; keyId: string; at: Date; unlessSince: Date }): Promise<void>;
}
