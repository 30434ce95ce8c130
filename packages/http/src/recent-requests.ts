import { type ApiRequest, RECENT_REQUESTS_KEPT, type RecentRequests } from '@countersign/domain';
import type { AccessLogEntry } from './handle.ts';

/** The requests of one client: once full, each new one replaces the oldest. */
interface Ring {
  readonly requests: ApiRequest[];
  /** Where the next request goes. */
  next: number;
}

/** Full lists of so many clients take about 6 MB. */
const CLIENTS = 200;

/**
 * Keeps the last API requests of each client in memory. Pass `add` the entries of the API, and the result to the core as
 * its port `recentRequests`. Above the number of clients, the client whose last request is oldest is forgotten.
 *
 * @example
 * const recentRequests = createRecentRequests();
 * const countersign = createCountersign({ ...ports, recentRequests }, settings);
 * const api = createApi(countersign, { ...options, onResponse: recentRequests.add });
 */
export function createRecentRequests({
  now = () => new Date(),
  requestsPerClient = RECENT_REQUESTS_KEPT,
  clients = CLIENTS,
}: {
  readonly now?: () => Date;
  readonly requestsPerClient?: number;
  readonly clients?: number;
} = {}): RecentRequests & {
  /** Keeps a request, if it had a valid key. */
  readonly add: (entry: AccessLogEntry) => void;
} {
  /** Ordered by the last request of each client, oldest first. */
  const rings = new Map<string, Ring>();

  function ringOf(clientId: string): Ring {
    const ring = rings.get(clientId) ?? { requests: [], next: 0 };
    rings.delete(clientId);
    rings.set(clientId, ring);
    if (rings.size > clients) {
      const [oldest] = rings.keys();
      if (oldest !== undefined) rings.delete(oldest);
    }
    return ring;
  }

  return {
    add({ clientId, keyId, requestId, method, path, status, code, durationMs }) {
      if (clientId === undefined || keyId === undefined) return;
      const ring = ringOf(clientId);
      const answeredAt = now();
      ring.requests[ring.next] = {
        answeredAt,
        requestId,
        method,
        route: path,
        status,
        code: code ?? null,
        durationMs,
        keyId,
      };
      ring.next = (ring.next + 1) % requestsPerClient;
    },
    of(clientId) {
      const { requests, next } = rings.get(clientId) ?? { requests: [], next: 0 };
      return [...requests.slice(next), ...requests.slice(0, next)].reverse();
    },
  };
}
