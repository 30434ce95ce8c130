import { CountersignError } from '../errors.ts';
import type { RateLimitDecision } from '../rate-limit/rate-limiter.ts';
import type { Runtime } from '../runtime.ts';
import type { ClientMode } from '../subscription/client-mode.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { modeOf } from '../subscription/test-twin.ts';
import { type ApiKey, apiKeyState, isKeyFormat, type Permission } from './api-key.ts';
import type { ApiKeyRepository } from './api-key-repository.ts';
import { isInNetworks } from './networks.ts';

/** The client, the permissions and the subscription of a valid key. Valid for one request only. */
export interface Principal {
  readonly clientId: string;
  readonly keyId: string;
  readonly permissions: readonly Permission[];
  readonly subscription: Subscription | null;
  /** `test` for a key of a test twin. */
  readonly mode: ClientMode;
  /** Days that the client's links work; null: the installation's. Has no effect for a test twin. */
  readonly linkDays: number | null;
}

/**
 * Authenticates the value of `X-API-Key`, and counts the request toward the rate of the key's client. The messages are those
 * of the interface (Authentication 5–8).
 *
 * @param options `clientAddress` gives the network address of the caller. A key with networks is refused from every other one, and
 *   without an address. `countRequest: false` leaves counting to a caller that needs the `RateLimitDecision`:
 *   `countersign.rateLimits.forClient(principal)`
 * @throws CountersignError `API_KEY_REQUIRED`, `INVALID_API_KEY`, `API_KEY_EXPIRED`, `API_KEY_REVOKED`,
 *   `RATE_LIMIT_EXCEEDED`
 */
export type Authenticate = (
  presented: string | undefined,
  options?: {
    readonly countRequest?: boolean | undefined;
    readonly clientAddress?: (() => string) | undefined;
  },
) => Promise<Principal>;

export function createAuthenticate(
  ports: Pick<Runtime, 'clock' | 'onFault' | 'secrets'> & {
    apiKeys: ApiKeyRepository;
    /** Counts a request of the key's client. */
    count: (principal: Principal) => Promise<RateLimitDecision>;
    /** Records that a request from a network address was refused. Never rejects. */
    recordRefusal: (key: Pick<ApiKey, 'id' | 'clientId'>, from: string | null) => Promise<void>;
  },
): Authenticate {
  const { apiKeys, clock, secrets, count } = ports;
  const recordUse = createUseRecorder(apiKeys, ports.onFault);

  /**
   * Refuses the key from other networks like one that does not exist, also if it is revoked or has expired. The refusal does not wait for
   * its entry, so that its time does not show that the key exists.
   */
  function requireNetwork(key: ApiKey, from: string | null): void {
    if (key.networks.length === 0 || isInNetworks(from ?? '', key.networks)) return;
    void ports.recordRefusal(key, from);
    throw new CountersignError('INVALID_API_KEY');
  }

  return async (presented, { countRequest = true, clientAddress } = {}) => {
    if (presented === undefined || presented === '') {
      throw new CountersignError('API_KEY_REQUIRED');
    }
    const resolved = isKeyFormat(presented) ? await apiKeys.resolve(secrets.sha256(presented)) : null;
    if (resolved === null) throw new CountersignError('INVALID_API_KEY');

    const { key, subscription, testOf, linkDays } = resolved;
    requireNetwork(key, clientAddress?.() ?? null);
    const now = clock.now();
    const state = apiKeyState(key, now);
    switch (state) {
      case 'revoked':
        throw new CountersignError('API_KEY_REVOKED');
      case 'expired':
        throw new CountersignError('API_KEY_EXPIRED');
      case 'active': {
        recordUse(key, now);
        const { clientId, id: keyId, permissions } = key;
        const principal = { clientId, keyId, permissions, subscription, mode: modeOf({ testOf }), linkDays };
        if (countRequest) requireCapacity(await count(principal), now);
        return principal;
      }
      default:
        return state satisfies never;
    }
  };
}

function requireCapacity({ allowed, resetAt }: RateLimitDecision, now: Date): void {
  if (allowed) return;
  const seconds = Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1000));
  throw new CountersignError('RATE_LIMIT_EXCEEDED', `Rate limit exceeded. Try again in ${seconds} s.`);
}

/** `lastUsedAt` is written at most this often for one key. */
const INTERVAL_MS = 5 * 60 * 1000;

/** Delay of the next write after a failed one, so that requests do not overload a failing storage. */
const RETRY_MS = 60 * 1000;

/** How many keys are remembered. Beyond that all are forgotten, which costs a few extra writes. */
const REMEMBERED_KEYS = 10_000;

/** Makes the function that records the use of a key. The request neither waits for the write nor fails with it. */
function createUseRecorder(
  repository: Pick<ApiKeyRepository, 'recordUse'>,
  onFault: (fault: unknown) => void,
): (key: ApiKey, now: Date) => void {
  const lastWrites = new Map<string, number>();

  return (key, now) => {
    const moment = now.getTime();
    const last = Math.max(key.lastUsedAt?.getTime() ?? 0, lastWrites.get(key.id) ?? 0);
    if (moment - last < INTERVAL_MS) return;
    if (lastWrites.size >= REMEMBERED_KEYS) lastWrites.clear();
    lastWrites.set(key.id, moment);
    const unlessSince = new Date(moment - INTERVAL_MS);
    repository
      .recordUse({ clientId: key.clientId, keyId: key.id, at: now, unlessSince })
      .catch((fault: unknown) => {
        lastWrites.set(key.id, moment - INTERVAL_MS + RETRY_MS);
        onFault(fault);
      });
  };
}
