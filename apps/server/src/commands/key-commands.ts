import {
  type ApiKey,
  type ApiKeyState,
  apiKeyState,
  CountersignError,
  type IssuedKey,
  PERMISSIONS,
} from '@countersign/domain';
import {
  getClient,
  issueClientKey,
  issueFirstClientKey,
  listClientKeys,
  listClients,
  revokeClientKey,
} from '@countersign/domain/actions';
import { InvalidArgumentError } from 'commander';
import type { OpenAdministration } from '../composition/administration.ts';
import type { ActionCommands, Given, Printed } from './action-command.ts';
import { tableOf } from './terminal.ts';

/** What the commands that create a key have in common. */
const CREATION = {
  options: {
    name: { help: 'where the key is used' },
    // Asked for by `input`, once the client is known.
    permissions: { help: `some of ${PERMISSIONS.join(', ')}, separated by commas`, isOptional: true },
    networks: {
      help: 'networks in CIDR notation from which the key works, separated by commas; default everywhere',
    },
    expiresInDays: { name: 'expires', value: '<days>' },
  },
  async input({ expiresInDays, ...given }: Given, { run }: OpenAdministration): Promise<Given> {
    if (given.permissions === undefined) {
      await run(getClient, { clientId: String(given.clientId) });
      throw new InvalidArgumentError("required option '--permissions <list>' not specified");
    }
    return { ...given, ...(expiresInDays !== undefined && { expiresInDays: Number(expiresInDays) }) };
  },
  print({ key, value }: IssuedKey): Printed {
    const { id, ...rest } = keyView(key);
    return { json: { id, key: value, ...rest }, text: `Key ${id}: shown only now\n${value}` };
  },
};

/** Adds `key create`, `key create-first`, `key list` and `key revoke`. */
export function addKeyCommands({ add }: ActionCommands): void {
  add({
    ...CREATION,
    name: 'key create',
    description: 'create a key; it is shown once, and only its hash is kept',
    action: issueClientKey,
  });

  add({
    ...CREATION,
    name: 'key create-first',
    description: 'create a key for a client without an active one; it is shown once',
    action: issueFirstClientKey,
  });

  add({
    name: 'key list',
    description: 'list the keys of a client in any state, newest first',
    action: listClientKeys,
    async input({ clientId }, { run }) {
      await run(getClient, { clientId: String(clientId) });
      return { clientId };
    },
    print({ keys }) {
      const views = keys.map(keyView);
      return { json: views, text: listText(views) };
    },
  });

  add({
    name: 'key revoke',
    description: 'revoke a key for good, from the next request on',
    action: revokeClientKey,
    options: {
      clientId: { isOptional: true, help: 'client of the key; by default it is looked up' },
    },
    input: async ({ clientId, keyId }, administration) => ({
      clientId: clientId ?? (await ownerOf(String(keyId), administration)),
      keyId,
    }),
    async print(_, { clientId, keyId }, { run }) {
      const { keys } = await run(listClientKeys, { clientId });
      return { json: keys.filter(({ id }) => id === keyId).map(keyView)[0], text: `Key ${keyId} is revoked` };
    },
  });
}

async function ownerOf(keyId: string, { run }: OpenAdministration): Promise<string> {
  for (const { client } of await run(listClients, {})) {
    const { keys } = await run(listClientKeys, { clientId: client.id });
    if (keys.some(({ id }) => id === keyId)) return client.id;
  }
  throw new CountersignError('API_KEY_NOT_FOUND');
}

type KeyView = Omit<ApiKey, 'hash' | 'noticedDays'> & { readonly state: ApiKeyState };

/** Keeps what both a created and a listed key have. */
function keyView({ id, clientId, name, display, permissions, networks, ...key }: ApiKey): KeyView {
  const { createdAt, createdBy, expiresAt, revokedAt, lastUsedAt } = key;
  const state = apiKeyState(key, new Date());
  const times = { createdAt, createdBy, expiresAt, revokedAt, lastUsedAt };
  return { id, clientId, name, display, permissions, networks, state, ...times };
}

function listText(views: readonly KeyView[]): string {
  const rows = views.map(({ id, name, display, state, permissions, networks, expiresAt, lastUsedAt }) => [
    id,
    name,
    display,
    state,
    permissions.join(','),
    networks.join(',') || 'all',
    expiresAt?.toISOString() ?? 'never',
    lastUsedAt?.toISOString() ?? 'never',
  ]);
  return tableOf(
    ['ID', 'NAME', 'KEY', 'STATE', 'PERMISSIONS', 'NETWORKS', 'EXPIRES', 'LAST USED'],
    rows,
    'No keys yet',
  );
}
