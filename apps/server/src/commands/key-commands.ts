import {
  type ApiKey,
  type ApiKeyState,
  apiKeyState,
  CountersignError,
  getClient,
  issueClientKey,
  KEY_LIFETIMES_DAYS,
  type KeyLifetimeDays,
  listClientKeys,
  listClients,
  PERMISSIONS,
  type Permission,
  revokeClientKey,
} from '@countersign/domain';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { OpenAdministration } from '../composition/administration.ts';
import { administer, type CommandContext } from './command-context.ts';
import { listOf } from './option-values.ts';
import { tableOf } from './table.ts';

interface CreateOptions {
  readonly client: string;
  readonly permissions: readonly Permission[];
  readonly expires?: string;
  readonly name?: string;
}

/** `key create`, `key list` and `key revoke`. */
export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('make, list and revoke API keys of a client');

  key
    .command('create')
    .description('make a key; it is shown once, and only its hash is kept')
    .requiredOption('--client <id>', 'whose key')
    .requiredOption(
      '--permissions <list>',
      `some of ${PERMISSIONS.join(', ')}, separated by commas`,
      listOf(PERMISSIONS),
    )
    .addOption(
      new Option('--expires <days>', 'days until it expires; left out: never').choices(
        KEY_LIFETIMES_DAYS.map(String),
      ),
    )
    .option('--name <name>', 'for people: where the key is used')
    .action(({ client, permissions, expires, name }: CreateOptions) =>
      administer(context, async ({ run }) => {
        const expiresInDays = expires === undefined ? undefined : (Number(expires) as KeyLifetimeDays);
        const { key, value } = await run(issueClientKey, { clientId: client, permissions, expiresInDays, name });
        const { id, ...rest } = keyView(key);
        context.answer({ id, key: value, ...rest }, `Key ${id}: shown only now\n${value}`);
      }),
    );

  key
    .command('list')
    .description('the keys of a client in any state, newest first')
    .requiredOption('--client <id>', 'whose keys')
    .action(({ client }: { client: string }) =>
      administer(context, async ({ run }) => {
        await run(getClient, { clientId: client });
        const views = (await run(listClientKeys, { clientId: client })).map(keyView);
        context.answer(views, listText(views));
      }),
    );

  key
    .command('revoke')
    .description('disable a key for good, from the next request on')
    .argument('[id]', 'the id of the key, as key list shows it')
    .option('--key <id>', 'the same, as an option')
    .option('--client <id>', 'whose key; left out, it is looked up')
    .action((id: string | undefined, options: { key?: string; client?: string }) => {
      const keyId = id ?? options.key;
      if (keyId === undefined || (id !== undefined && options.key !== undefined)) {
        throw new InvalidArgumentError("give the key's id once, as the argument or with --key");
      }
      return administer(context, async (administration) => {
        const clientId = options.client ?? (await ownerOf(keyId, administration));
        await administration.run(revokeClientKey, { clientId, keyId });
        const all = await administration.run(listClientKeys, { clientId });
        context.answer(all.filter(({ id }) => id === keyId).map(keyView)[0], `Key ${keyId} is revoked`);
      });
    });
}

async function ownerOf(keyId: string, { run }: OpenAdministration): Promise<string> {
  for (const { client } of await run(listClients, {})) {
    if ((await run(listClientKeys, { clientId: client.id })).some(({ id }) => id === keyId)) return client.id;
  }
  throw new CountersignError('API_KEY_NOT_FOUND', 'API key not found');
}

type KeyView = Omit<ApiKey, 'hash'> & { readonly state: ApiKeyState };

function keyView({ id, clientId, name, display, permissions, ...key }: ApiKey): KeyView {
  const { createdAt, createdBy, expiresAt, revokedAt, lastUsedAt } = key;
  const state = apiKeyState(key, new Date());
  return {
    id,
    clientId,
    name,
    display,
    permissions,
    state,
    createdAt,
    createdBy,
    expiresAt,
    revokedAt,
    lastUsedAt,
  };
}

function listText(views: readonly KeyView[]): string {
  const rows = views.map(({ id, name, display, state, permissions, expiresAt, lastUsedAt }) => [
    id,
    name,
    display,
    state,
    permissions.join(','),
    expiresAt?.toISOString() ?? 'never',
    lastUsedAt?.toISOString() ?? 'never',
  ]);
  return tableOf(['ID', 'NAME', 'KEY', 'STATE', 'PERMISSIONS', 'EXPIRES', 'LAST USED'], rows, 'No keys yet');
}
