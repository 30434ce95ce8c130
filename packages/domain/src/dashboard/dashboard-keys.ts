import {
  type ApiKey,
  apiKeyState,
  KEY_LIFETIMES_DAYS,
  type KeyLifetimeDays,
  type ListedKey,
  MAX_ACTIVE_KEYS,
} from '../access/api-key.ts';
import type { ManageApiKeys } from '../access/manage-api-keys.ts';
import { CountersignError, invalidParameters } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DashboardKeys } from './dashboard.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A client's keys for one of its staff. Whether they may, and that they did, is looked after in actions/. */
export function createDashboardKeys(
  ports: { apiKeys: ManageApiKeys; clock: Clock },
  { clientId, userId }: { readonly clientId: string; readonly userId: string },
): DashboardKeys {
  const { apiKeys, clock } = ports;

  async function get(keyId: string): Promise<ListedKey> {
    const key = (await apiKeys.list(clientId)).find(({ id }) => id === keyId);
    if (key === undefined) throw new CountersignError('API_KEY_NOT_FOUND', 'API key not found');
    return listed(key, clock.now());
  }

  return {
    get,

    async list() {
      const now = clock.now();
      const keys = (await apiKeys.list(clientId)).map((key) => listed(key, now));
      const active = keys.filter(({ state }) => state === 'active').length;
      return { keys, active, limit: MAX_ACTIVE_KEYS };
    },

    async issue(input) {
      if (isBlank(input.name)) {
        throw invalidParameters([
          { path: 'name', message: 'is needed: keys are revoked by it', code: 'required' },
        ]);
      }
      return apiKeys.issue(clientId, input, userId);
    },

    async rotate(keyId, { expiresInDays }) {
      requireLifetime(expiresInDays);
      const replaces = await get(keyId);
      if (replaces.state !== 'active') {
        throw invalidParameters([
          { path: '', message: `a key that is ${replaces.state} needs no other in its place` },
        ]);
      }
      const { name, permissions } = replaces;
      const input = { name: name === '' ? undefined : name, permissions, expiresInDays };
      return { ...(await apiKeys.issue(clientId, input, userId)), replaces };
    },

    async revoke(keyId, typedName) {
      const { name, display } = await get(keyId);
      const expected = name === '' ? display : name;
      if (typedName.trim() !== expected) {
        throw invalidParameters([{ path: 'name', message: `must be ${expected}`, code: 'invalid' }]);
      }
      await apiKeys.revoke(clientId, keyId);
    },
  };
}

function listed(key: ApiKey, now: Date): ListedKey {
  const state = apiKeyState(key, now);
  const { expiresAt } = key;
  const expiresInDays =
    state === 'active' && expiresAt !== null ? Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS) : null;
  return { ...key, state, expiresInDays };
}

/** What is no text is left to the schema of keys, which refuses it. */
function isBlank(name: unknown): boolean {
  return name === undefined || (typeof name === 'string' && name.trim() === '');
}

/** Before the key is looked for, so that an answer to a bad request tells nothing of keys. */
function requireLifetime(expiresInDays: KeyLifetimeDays | undefined): void {
  if (expiresInDays === undefined || KEY_LIFETIMES_DAYS.includes(expiresInDays)) return;
  throw invalidParameters([
    { path: 'expiresInDays', message: `must be one of ${KEY_LIFETIMES_DAYS.join(', ')}`, code: 'invalid' },
  ]);
}
