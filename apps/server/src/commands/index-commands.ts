import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RebuiltIndex, rebuildIndex } from '@countersign/domain/storage';
import { createNodeSecrets } from '@countersign/runtime';
import { createKeyRing, createSealedStorage } from '@countersign/sealing';
import type { Command } from 'commander';
import { requiredSecretKeys } from '../composition/sealing.ts';
import { readSealingSettings } from '../config/environment.ts';
import { FLOWS } from '../config/flows.ts';
import { chooseDatabase } from '../database/choose-database.ts';
import type { CommandContext } from './command-context.ts';
import { createProgressLine } from './terminal.ts';

interface RebuildOptions {
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
    .action(async (options: RebuildOptions) => {
      const result = await rebuild(context, options);
      context.answer(result, textOf(result));
    });
}

async function rebuild({ environment, err }: CommandContext, options: RebuildOptions): Promise<RebuiltIndex> {
  setPriority(NICENESS);
  const settings = readSealingSettings(environment);
  const secretKeys = requiredSecretKeys(settings);
  const database = await chooseDatabase(settings);
  const storage = createSealedStorage(await database.open(), { keys: createKeyRing(secretKeys) });
  const progress = createProgressLine<{ done: number; total: number }>(err, {
    textOf: ({ done, total }) => `labelling verifications: ${done} of ${total}`,
    isTerminal: process.stderr.isTTY,
  });
  try {
    return await rebuildIndex(
      { storage, secrets: createNodeSecrets(secretKeys), flows: FLOWS },
      {
        clientId: options.client,
        newKey: options.newKey,
        onProgress: (at) => {
          if (at.total > 0) progress.show(at);
        },
        pause: createPause(),
      },
    );
  } finally {
    progress.end();
    await storage.close();
  }
}

/** Share of the time in which a rebuild works. */
const WORKING = 1 / 4;
/** Servers on the same machine go first. */
const NICENESS = 10;

/** Makes the pause after each page, so that the database has most of the time for others. */
function createPause(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    await sleep((performance.now() - begun) * (1 / WORKING - 1));
    begun = performance.now();
  };
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
