import { type RebuiltIndex, rebuildIndex } from '@countersign/domain/storage';
import { createNodeSecrets } from '@countersign/runtime';
import { createKeyRing, createSealedStorage } from '@countersign/sealing';
import type { Command } from 'commander';
import { requiredSecretKeys } from '../composition/sealing.ts';
import { readSealingSettings } from '../config/environment.ts';
import { FLOWS } from '../config/flows.ts';
import { chooseDatabase } from '../database/choose-database.ts';
import { besideServers, type ShareOption, shareOption } from './beside-servers.ts';
import type { CommandContext } from './command-context.ts';

interface RebuildOptions extends ShareOption {
  readonly client?: string;
  readonly newKey?: boolean;
}

/** `index rebuild`. */
export function addIndexCommands(program: Command, context: CommandContext): void {
  const index = program
    .command('index')
    .description(
      'blind indexes, by which verifications of one client with the same document, person or file are found',
    );

  index
    .command('rebuild')
    .description(
      'label verifications that have no labels, or labels of an older key or an earlier version, also while servers run; ' +
        'run it again if it is interrupted',
    )
    .option('--client <id>', 'only this client')
    .option('--new-key', 'make a new key for each client first: an old one is lost, or may be known to others')
    .addOption(shareOption())
    .action(async (options: RebuildOptions) => {
      const result = await rebuild(context, options);
      context.answer(result, textOf(result));
    });
}

async function rebuild(context: CommandContext, { client, newKey, share }: RebuildOptions): Promise<RebuiltIndex> {
  const settings = readSealingSettings(context.environment);
  const secretKeys = requiredSecretKeys(settings);
  const database = await chooseDatabase(settings);
  const storage = createSealedStorage(await database.open(), { keys: createKeyRing(secretKeys) });
  const ports = { storage, secrets: createNodeSecrets(secretKeys), flows: FLOWS };
  try {
    return await besideServers(context, { doing: 'labelling verifications', share }, (options) =>
      rebuildIndex(ports, { clientId: client, newKey, ...options }),
    );
  } finally {
    await storage.close();
  }
}

function textOf({ labelled, unreadable, keysAdded, keysRemoved }: RebuiltIndex): string {
  const verifications = labelled === 1 ? '1 verification' : `${labelled} verifications`;
  return [
    `Labelled ${verifications}; keys added ${keysAdded}, removed ${keysRemoved}`,
    ...(unreadable === 0
      ? []
      : [
          `Left out ${unreadable} that cannot be read, or whose client's index key cannot: run countersign doctor`,
        ]),
  ].join('\n');
}
