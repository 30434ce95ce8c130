import { CountersignError, invalidParameters } from '../errors.ts';
import type { ChoiceField, Fields, ListField, TextField } from '../fields/field.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import type { Runtime } from '../runtime.ts';
import {
  type ApiKey,
  expiryOf,
  KEY_LIFETIMES_DAYS,
  type KeyLifetimeDays,
  keyDisplay,
  type ListedKey,
  listedKey,
  MAX_ACTIVE_KEYS,
  newKeyValue,
  PERMISSIONS,
  type Permission,
} from './api-key.ts';
import type { ApiKeyRepository } from './api-key-repository.ts';
import { canonicalNetwork, canonicalNetworks, MAX_KEY_NETWORKS, NETWORK_TEXT_MAX } from './networks.ts';

/** What a new key may do, for how long, and its name. */
export interface NewApiKey {
  /** At least one. */
  readonly permissions: readonly Permission[];
  /** Networks in CIDR notation from which the key works. Without any, it works from everywhere. */
  readonly networks?: readonly string[] | undefined;
  /** Without it the key never expires. */
  readonly expiresInDays?: KeyLifetimeDays | undefined;
  /** One line for people, such as where the key is used. */
  readonly name?: string | undefined;
}

/** A new key and its value, which is returned once and never stored. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly value: string;
}

/** The keys of a client, the number of active ones and its limit. */
export interface KeyOverview {
  readonly keys: readonly ListedKey[];
  readonly active: number;
  readonly limit: number;
}

/** Manages the API keys of a client (interface, Authentication 4–6 and 10). */
export interface ManageApiKeys {
  /**
   * Creates a key.
   * @param createdBy the user who asked for it; null for the command line
   * @throws CountersignError `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND`, `API_KEY_LIMIT_REACHED`
   */
  issue(clientId: string, input: NewApiKey, createdBy?: string | null): Promise<IssuedKey>;
  /**
   * Creates a key for a client without an active one. After that, the client's owners manage its keys.
   *
   * Concurrency: of calls at the same time, one creates a key; the others throw `API_KEY_EXISTS`.
   * @throws CountersignError `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND`, `API_KEY_EXISTS`
   */
  issueFirst(clientId: string, input: NewApiKey, createdBy: string | null): Promise<IssuedKey>;
  /** Lists the keys in any state, newest first. */
  list(clientId: string): Promise<readonly ApiKey[]>;
  /** Lists the keys with their states, newest first. */
  overview(clientId: string): Promise<KeyOverview>;
  /** @throws CountersignError `API_KEY_NOT_FOUND` */
  get(clientId: string, keyId: string): Promise<ListedKey>;
  /**
   * Creates a key with the name, permissions and networks of an active one, which stays valid until it is revoked.
   * @throws CountersignError `API_KEY_NOT_FOUND`, `API_KEY_NOT_ACTIVE`, `API_KEY_LIMIT_REACHED`
   */
  rotate(
    clientId: string,
    keyId: string,
    expiresInDays: KeyLifetimeDays | undefined,
    createdBy: string | null,
  ): Promise<IssuedKey & { readonly replaces: ApiKey }>;
  /**
   * Revokes a key. Every request that starts after this returned is refused. Revoking again changes nothing.
   * @throws CountersignError `API_KEY_NOT_FOUND`
   */
  revoke(clientId: string, keyId: string): Promise<void>;
  /**
   * Revokes a key if the typed text is its name or, for a key without a name, its display (`csk_ab12…cd34`).
   * @throws CountersignError `API_KEY_NOT_FOUND`, `API_KEY_REVOKED`; `INVALID_PARAMETERS` at `name`; nothing is revoked then
   */
  revokeByName(clientId: string, keyId: string, typedName: string): Promise<void>;
}

/** Longest name of a key, in characters. */
const KEY_NAME_MAX = 100;

/** Field for the name of a key. */
export const keyNameField: TextField = { kind: 'text', shape: 'label', max: KEY_NAME_MAX };

export const permissionsField: ListField<Permission> = {
  kind: 'list',
  each: { kind: 'choice', of: PERMISSIONS },
  min: 1,
  max: PERMISSIONS.length,
};

export const networksField: ListField<string> & { readonly optional: true } = {
  kind: 'list',
  each: {
    kind: 'text',
    max: NETWORK_TEXT_MAX,
    check: {
      test: (text) => canonicalNetwork(text) !== null,
      code: 'not_a_network',
      message: 'must be a network in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32',
    },
  },
  max: MAX_KEY_NETWORKS,
  optional: true,
};

export const keyLifetimeField: ChoiceField<KeyLifetimeDays> & { readonly optional: true } = {
  kind: 'choice',
  of: KEY_LIFETIMES_DAYS,
  optional: true,
};

/** Fields of a new key. */
export const newApiKeyFields: Fields<NewApiKey> = {
  name: { ...keyNameField, optional: true },
  permissions: permissionsField,
  networks: networksField,
  expiresInDays: keyLifetimeField,
};

const schema = typedSchemaOf<NewApiKey>(newApiKeyFields);

export function createManageApiKeys(
  ports: Pick<Runtime, 'clock' | 'ids' | 'secrets'> & {
    apiKeys: ApiKeyRepository;
  },
): ManageApiKeys {
  const { apiKeys, clock, ids, secrets } = ports;

  async function get(clientId: string, keyId: string): Promise<ListedKey> {
    const key = (await apiKeys.list(clientId)).find(({ id }) => id === keyId);
    if (key === undefined) throw unknownKey();
    return listedKey(key, clock.now());
  }

  /**
   * Creates a key and stores it.
   * @param store operation of the repository that decides whether the client may have the key
   */
  async function add(
    clientId: string,
    { name, permissions, networks = [], expiresInDays }: NewApiKey,
    createdBy: string | null,
    store: 'issue' | 'issueFirst' = 'issue',
  ): Promise<IssuedKey> {
    const now = clock.now();
    const value = newKeyValue(secrets);
    const key: ApiKey = {
      id: ids.next(),
      clientId,
      name: name ?? '',
      hash: secrets.sha256(value),
      display: keyDisplay(value),
      permissions: [...new Set(permissions)],
      networks: canonicalNetworks(networks),
      createdAt: now,
      createdBy,
      expiresAt: expiryOf(expiresInDays, now),
      revokedAt: null,
      lastUsedAt: null,
      noticedDays: null,
    };
    const { outcome } = await apiKeys[store](key);
    switch (outcome) {
      case 'issued':
        return { key, value };
      case 'limit_reached':
        throw new CountersignError(
          'API_KEY_LIMIT_REACHED',
          `The client already has ${MAX_ACTIVE_KEYS} active keys. Revoke one, then create the new key.`,
        );
      case 'key_exists':
        throw new CountersignError('API_KEY_EXISTS');
      case 'client_not_found':
        throw new CountersignError('CLIENT_NOT_FOUND');
      default:
        return outcome satisfies never;
    }
  }

  async function revoke(clientId: string, keyId: string): Promise<void> {
    const { outcome } = await apiKeys.revoke(clientId, keyId, clock.now());
    if (outcome === 'not_found') throw unknownKey();
  }

  async function overview(clientId: string): Promise<KeyOverview> {
    const now = clock.now();
    const keys = (await apiKeys.list(clientId)).map((key) => listedKey(key, now));
    const active = keys.filter(({ state }) => state === 'active').length;
    return { keys, active, limit: MAX_ACTIVE_KEYS };
  }

  return {
    list: (clientId) => apiKeys.list(clientId),
    get,
    revoke,
    overview,

    async issue(clientId, input, createdBy = null) {
      return add(clientId, parseInput(schema(), input), createdBy);
    },

    async issueFirst(clientId, input, createdBy) {
      return add(clientId, parseInput(schema(), input), createdBy, 'issueFirst');
    },

    async rotate(clientId, keyId, expiresInDays, createdBy) {
      const replaces = await get(clientId, keyId);
      if (replaces.state !== 'active') {
        throw new CountersignError('API_KEY_NOT_ACTIVE');
      }
      const { name, permissions, networks } = replaces;
      return { ...(await add(clientId, { name, permissions, networks, expiresInDays }, createdBy)), replaces };
    },

    async revokeByName(clientId, keyId, typedName) {
      const { name, display, state } = await get(clientId, keyId);
      if (state === 'revoked') throw new CountersignError('API_KEY_REVOKED');
      const expected = name === '' ? display : name;
      if (typedName !== expected) {
        throw invalidParameters([{ path: 'name', message: `must be ${expected}`, code: 'invalid' }]);
      }
      await revoke(clientId, keyId);
    },
  };
}

function unknownKey(): CountersignError {
  return new CountersignError('API_KEY_NOT_FOUND');
}
