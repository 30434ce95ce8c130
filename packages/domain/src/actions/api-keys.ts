import type { ApiKey, KeyLifetimeDays, ListedKey } from '../access/api-key.ts';
import {
  type IssuedKey,
  type KeyOverview,
  keyLifetimeField,
  keyNameField,
  type NewApiKey,
  networksField,
  permissionsField,
} from '../access/manage-api-keys.ts';
import type { ListedRequest } from '../access/recent-requests.ts';
import { type Action, defineAction } from './action.ts';
import { teamOf } from './caller.ts';
import { newKeyAudit } from './new-key-audit.ts';
import type { Who } from './rights.ts';
import { plainRead } from './targets.ts';

const KEY_MANAGERS: readonly Who[] = [{ right: 'manage_keys' }];

/** Lists the keys of the caller's client, newest first. */
export const listApiKeys: Action<object, KeyOverview> = defineAction({
  id: 'api_keys.list',
  who: KEY_MANAGERS,
  ...plainRead,
  run: ({ apiKeys }, _input, caller) => apiKeys.overview(teamOf(caller).clientId),
});

/** Reads a key of the caller's client, with its state. Outcome: `API_KEY_NOT_FOUND`. */
export const getApiKey: Action<{ readonly keyId: string }, ListedKey> = defineAction({
  id: 'api_keys.get',
  who: KEY_MANAGERS,
  fields: { keyId: { kind: 'id', by: 'page' } },
  audit: { log: 'refusals', target: 'keyId' },
  outcomes: ['API_KEY_NOT_FOUND'],
  run: ({ apiKeys }, { keyId }, caller) => apiKeys.get(teamOf(caller).clientId, keyId),
});

/** Creates a key. A name is required, because a key is revoked by its name. */
export const issueApiKey: Action<NewApiKey & { readonly name: string }, IssuedKey> = defineAction({
  id: 'api_keys.create',
  who: KEY_MANAGERS,
  reauthenticate: true,
  fields: {
    name: keyNameField,
    permissions: permissionsField,
    networks: networksField,
    expiresInDays: keyLifetimeField,
  },
  audit: {
    keep: ['permissions', 'expiresInDays'],
    made: newKeyAudit,
  },
  outcomes: ['API_KEY_LIMIT_REACHED'],
  run: ({ apiKeys }, input, caller) => {
    const { clientId, userId } = teamOf(caller);
    return apiKeys.issue(clientId, input, userId);
  },
});

/** Creates a key to replace an active one, which works until it is revoked. */
export const rotateApiKey: Action<
  { readonly keyId: string; readonly expiresInDays?: KeyLifetimeDays | undefined },
  IssuedKey & { readonly replaces: ApiKey }
> = defineAction({
  id: 'api_keys.rotate',
  who: KEY_MANAGERS,
  reauthenticate: true,
  fields: {
    keyId: { kind: 'id', by: 'page' },
    expiresInDays: keyLifetimeField,
  },
  audit: {
    target: 'keyId',
    keep: ['expiresInDays'],
    made: ({ key, replaces }) => newKeyAudit({ key, detail: { replaces: replaces.id } }),
  },
  outcomes: ['API_KEY_NOT_FOUND', 'API_KEY_NOT_ACTIVE', 'API_KEY_LIMIT_REACHED'],
  run: ({ apiKeys }, { keyId, expiresInDays }, caller) => {
    const { clientId, userId } = teamOf(caller);
    return apiKeys.rotate(clientId, keyId, expiresInDays, userId);
  },
});

/** Revokes a key after its name was typed, so that another key is not revoked by mistake. */
export const revokeApiKey: Action<{ readonly keyId: string; readonly name: string }, void> = defineAction({
  id: 'api_keys.revoke',
  who: KEY_MANAGERS,
  fields: { keyId: { kind: 'id', by: 'page' }, name: keyNameField },
  audit: { target: 'keyId' },
  outcomes: ['API_KEY_NOT_FOUND', 'API_KEY_REVOKED'],
  run: ({ apiKeys }, { keyId, name }, caller) => apiKeys.revokeByName(teamOf(caller).clientId, keyId, name),
});

/** Lists the last API requests of the caller's client that this process answered, newest first, each with its key. */
export const listApiRequests: Action<object, readonly ListedRequest[]> = defineAction({
  id: 'api_requests.list',
  who: KEY_MANAGERS,
  ...plainRead,
  run: async ({ apiKeys, recentRequests }, _input, caller): Promise<readonly ListedRequest[]> => {
    const { clientId } = teamOf(caller);
    const keys = new Map((await apiKeys.list(clientId)).map(({ id, name, display }) => [id, { name, display }]));
    return recentRequests.of(clientId).map((request) => ({ ...request, key: keys.get(request.keyId) }));
  },
});
