import type { ApiKey } from './api-key.ts';
import type { ApiKeyRepository } from './api-key-repository.ts';

/** `lastUsedAt` is written at most this often for one key. */
const INTERVAL_MS = 5 * 60 * 1000;

/** After a failed write the next one waits so long: a storage in trouble is not asked again by every request. */
const RETRY_MS = 60 * 1000;

/** Keys remembered at most; past that the memory starts over, which costs a few needless writes. */
const REMEMBERED_KEYS = 10_000;

/** Notes that a key was used, off the request's path: the request neither waits for it nor fails with it. */
export function createLastUse(
  repository: Pick<ApiKeyRepository, 'recordUse'>,
  onFault: (fault: unknown) => void,
): (key: ApiKey, now: Date) => void {
  const noted = new Map<string, number>();

  return (key, now) => {
    const moment = now.getTime();
    const last = Math.max(key.lastUsedAt?.getTime() ?? 0, noted.get(key.id) ?? 0);
    if (moment - last < INTERVAL_MS) return;
    if (noted.size >= REMEMBERED_KEYS) noted.clear();
    noted.set(key.id, moment);
    const unlessSince = new Date(moment - INTERVAL_MS);
    repository
      .recordUse({ clientId: key.clientId, keyId: key.id, at: now, unlessSince })
      .catch((fault: unknown) => {
        noted.set(key.id, moment - INTERVAL_MS + RETRY_MS);
        onFault(fault);
      });
  };
}
