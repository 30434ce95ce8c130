import { z } from 'zod';
import { type IssuedKey, type KeyOverview, type NewApiKey, newApiKeyFields } from '../access/manage-api-keys.ts';
import type { Issue } from '../errors.ts';
import type { Fields } from '../fields/field.ts';
import type { JsonObject } from '../input/json.ts';
import type { Client, ClientWithSubscription } from '../subscription/client-repository.ts';
import {
  CLIENT_NAME_MAX,
  type ClientPage,
  type ClientSearch,
  type ClientWithTwin,
  type NewClient,
  newClientFields,
  type SubscriptionInput,
  subscriptionFields,
} from '../subscription/manage-clients.ts';
import { parseReturnAddresses, RETURN_ADDRESSES_MAX, RETURN_URL_MAX } from '../subscription/return-address.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { MonthUsage, UsageReport } from '../verification/read-usage.ts';
import { type Action, defineAction } from './action.ts';
import { teamOf } from './caller.ts';
import { newKeyAudit } from './new-key-audit.ts';
import { OPERATORS } from './rights.ts';
import type { Services } from './services.ts';
import { aboutClient, clientField, clientRead, type OnClient, plainRead } from './targets.ts';

/** Reads the client of the caller's team. */
export const getOwnClient: Action<object, ClientWithSubscription> = defineAction({
  id: 'dashboard.client',
  who: ['team'],
  ...plainRead,
  run: ({ clients }, _input, caller) => clients.get(teamOf(caller).clientId),
});

/** Reads the current month's usage of the caller's client. */
export const readOwnMonth: Action<object, MonthUsage> = defineAction({
  id: 'dashboard.month',
  who: ['team'],
  ...plainRead,
  run: ({ readUsage }, _input, caller) => readUsage.month(teamOf(caller).clientId),
});

/** Reads the usage of the caller's client by day. */
export const readOwnUsage: Action<object, UsageReport> = defineAction({
  id: 'dashboard.usage',
  who: ['team'],
  ...plainRead,
  run: ({ readUsage }, _input, caller) => readUsage.report(teamOf(caller).clientId),
});

/** Clients on one page. The usage of each is read for it. */
const PAGE = 25;

/** Reads a page of the clients by name. */
export const searchClients: Action<ClientSearch, ClientPage> = defineAction({
  id: 'clients.search',
  who: ['operator'],
  fields: {
    name: { kind: 'text', shape: 'label', max: CLIENT_NAME_MAX, optional: true },
    after: { kind: 'id', by: 'page', optional: true },
  },
  audit: { log: 'refusals' },
  run: ({ clients }, input) => clients.search(input, PAGE),
});

/** Lists all clients, oldest first. */
export const listClients: Action<object, readonly ClientWithTwin[]> = defineAction({
  id: 'clients.list',
  who: OPERATORS,
  ...plainRead,
  run: ({ clients }) => clients.list(),
});

/** Reads a client and its subscription, for operators. Outcome: `CLIENT_NOT_FOUND`. */
export const getClient: Action<OnClient, ClientWithSubscription> = defineAction({
  id: 'clients.get',
  who: OPERATORS,
  ...clientRead,
  run: ({ clients }, { clientId }) => clients.get(clientId),
});

/** Finds the test twin of a client. */
export const getTestTwin: Action<OnClient, Client> = defineAction({
  id: 'clients.test_twin',
  who: ['operator'],
  ...clientRead,
  run: ({ clients }, { clientId }) => clients.testTwin(clientId),
});

/** Reads the current month's usage of a client. */
export const readClientMonth: Action<OnClient, MonthUsage> = defineAction({
  id: 'clients.month',
  who: OPERATORS,
  ...clientRead,
  run: ({ readUsage }, { clientId }) => readUsage.month(clientId),
});

/** Reads the usage of a client by day. */
export const readClientUsage: Action<OnClient, UsageReport> = defineAction({
  id: 'clients.usage',
  who: OPERATORS,
  ...clientRead,
  run: ({ readUsage }, { clientId }) => readUsage.report(clientId),
});

/** Creates a client; with a plan, also an active subscription that starts now. */
export const createClient: Action<NewClient, ClientWithTwin & { readonly test: Client }> = defineAction({
  id: 'clients.create',
  who: OPERATORS,
  reauthenticate: true,
  fields: newClientFields,
  audit: {
    keep: ['plan', 'monthlyLimit'],
    made: ({ client: { id } }) => ({ targetId: id, clientId: id }),
  },
  run: ({ clients }, input) => clients.create(input),
});

/** Changes to a subscription. Fields that are left out do not change. */
export interface ChangeSubscriptionInput extends OnClient, SubscriptionInput {
  /** Uses the plan's own limit again. */
  readonly planLimit?: boolean | undefined;
  /** ISO 8601 in UTC: the first moment at which the subscription no longer runs. */
  readonly endsAt?: string | undefined;
  /** Removes the end. */
  readonly openEnded?: boolean | undefined;
}

/** Changes a client's subscription, or begins the first one, for which `plan` is required. */
export const changeSubscription: Action<ChangeSubscriptionInput, Subscription> = defineAction({
  id: 'clients.change_subscription',
  who: OPERATORS,
  reauthenticate: true,
  fields: {
    ...clientField,
    ...subscriptionFields,
    planLimit: { kind: 'flag', optional: true },
    endsAt: { kind: 'timestamp', optional: true },
    openEnded: { kind: 'flag', optional: true },
  },
  audit: {
    ...aboutClient,
    keep: ['plan', 'status', 'monthlyLimit', 'planLimit', 'endsAt', 'openEnded'],
  },
  outcomes: ['CLIENT_NOT_FOUND'],
  run: ({ clients }, { clientId, planLimit, openEnded, endsAt, ...settings }) =>
    clients.setSubscription(clientId, {
      ...settings,
      ...(planLimit === true && { monthlyLimit: null }),
      ...(endsAt !== undefined && { endsAt: new Date(endsAt) }),
      ...(openEnded === true && { endsAt: null }),
    }),
});

const returnAddressesField: Fields<{ readonly returnAddresses: readonly string[] }>['returnAddresses'] = {
  kind: 'list',
  each: { kind: 'text', max: RETURN_URL_MAX },
  max: RETURN_ADDRESSES_MAX,
};

/** Replaces the return addresses of the caller's client. The audit log keeps their origins. */
export const changeReturnAddresses: Action<{ readonly returnAddresses: readonly string[] }, Client> = defineAction(
  {
    id: 'dashboard.change_return_addresses',
    who: [{ right: 'manage_return_addresses' }],
    reauthenticate: true,
    fields: { returnAddresses: returnAddressesField },
    check: issuesOfReturnAddresses,
    audit: { detail: originsOf },
    run: ({ clients }, { returnAddresses }, caller) =>
      clients.setReturnAddresses(teamOf(caller).clientId, returnAddresses),
  },
);

/** Replaces the return addresses of any client. The audit log keeps their origins. */
export const setReturnAddresses: Action<
  { readonly clientId: string; readonly returnAddresses: readonly string[] },
  Client
> = defineAction({
  id: 'clients.set_return_addresses',
  who: OPERATORS,
  reauthenticate: true,
  fields: { ...clientField, returnAddresses: returnAddressesField },
  check: issuesOfReturnAddresses,
  audit: { ...aboutClient, detail: originsOf },
  outcomes: ['CLIENT_NOT_FOUND'],
  run: ({ clients }, { clientId, returnAddresses }) => clients.setReturnAddresses(clientId, returnAddresses),
});

/**
 * Switches access to files on or off for the caller's client. On, its API keys with every permission, its owners and its agents read
 * the files of its verifications.
 */
export const switchFileAccess: Action<{ readonly fileAccess: boolean }, Client> = defineAction({
  id: 'dashboard.switch_files',
  who: [{ right: 'manage_file_access' }],
  liveOnly: true,
  reauthenticate: true,
  fields: { fileAccess: { kind: 'flag' } },
  audit: { keep: ['fileAccess'] },
  run: ({ clients }, { fileAccess }, caller) => clients.setFileAccess(teamOf(caller).clientId, fileAccess),
});

/** The rules of the addresses themselves, as far as their field accepts them. */
function issuesOfReturnAddresses(input: unknown, { clients }: Services): readonly Issue[] {
  const parsed = z.looseObject({ returnAddresses: z.array(z.string().trim()) }).safeParse(input);
  return parsed.success ? clients.returnAddressIssues(parsed.data.returnAddresses) : [];
}

/** Where subjects may be sent, without paths. Checked host names are no free text. */
function originsOf({ returnAddresses }: { readonly returnAddresses: readonly string[] }): JsonObject {
  const origins = parseReturnAddresses(returnAddresses).map((address) => address.split('/', 3).join('/'));
  return { origins: [...new Set(origins)] };
}

/** Lists the keys of any client, newest first. */
export const listClientKeys: Action<OnClient, KeyOverview> = defineAction({
  id: 'clients.list_api_keys',
  who: OPERATORS,
  fields: clientField,
  audit: { ...aboutClient, log: 'refusals' },
  run: ({ apiKeys }, { clientId }) => apiKeys.overview(clientId),
});

/** What the actions that create a key for a client have in common. */
const KEY_CREATION = {
  who: OPERATORS,
  reauthenticate: true,
  fields: { ...clientField, ...newApiKeyFields },
  audit: {
    client: 'clientId',
    keep: ['permissions', 'expiresInDays'],
    made: newKeyAudit,
  },
} as const;

/** Creates a key for any client. Unlike a team's key, it needs no name. */
export const issueClientKey: Action<NewApiKey & OnClient, IssuedKey> = defineAction({
  id: 'clients.create_api_key',
  ...KEY_CREATION,
  outcomes: ['CLIENT_NOT_FOUND', 'API_KEY_LIMIT_REACHED'],
  run: ({ apiKeys }, { clientId, ...input }, { actor }) => apiKeys.issue(clientId, input, actor.id),
});

/** Creates a key for a client without an active one. */
export const issueFirstClientKey: Action<NewApiKey & OnClient, IssuedKey> = defineAction({
  id: 'clients.create_first_api_key',
  ...KEY_CREATION,
  outcomes: ['CLIENT_NOT_FOUND', 'API_KEY_EXISTS'],
  run: ({ apiKeys }, { clientId, ...input }, { actor }) => apiKeys.issueFirst(clientId, input, actor.id),
});

/** Revokes a key of any client. */
export const revokeClientKey: Action<{ readonly clientId: string; readonly keyId: string }, void> = defineAction({
  id: 'clients.revoke_api_key',
  who: OPERATORS,
  fields: { ...clientField, keyId: { kind: 'id', by: 'page' } },
  audit: { target: 'keyId', client: 'clientId' },
  outcomes: ['API_KEY_NOT_FOUND'],
  run: ({ apiKeys }, { clientId, keyId }) => apiKeys.revoke(clientId, keyId),
});
