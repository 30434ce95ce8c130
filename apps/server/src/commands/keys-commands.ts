import { countOlderSecondFactors, resealSecondFactors } from '@countersign/accounts';
import {
  createKeyRing,
  type RotationProgress,
  rotateDataKeys,
  rotateIndexKeys,
  rotateWebhookSecrets,
} from '@countersign/sealing';
import type { Command } from 'commander';
import { requiredSecretKeys } from '../composition/sealing.ts';
import { readSealingSettings } from '../config/environment.ts';
import { chooseDatabase } from '../database/choose-database.ts';
import type { CommandContext } from './command-context.ts';
import { createProgressLine } from './terminal.ts';

/** `keys rotate`. */
export function addKeysCommands(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description("the servers' own secrets (API keys of clients: key)");

  keys
    .command('rotate')
    .description(
      're-wrap the data keys of all verifications, the secrets of webhooks and the index keys of clients, and re-seal second factors, ' +
        'with the newest of SECRET_KEYS, also while servers run; ' +
        'run it again if it is interrupted',
    )
    .action(async () => {
      const result = await rotate(context);
      context.answer(result, textOf(result));
    });
}

interface Rotation {
  /** Data keys that this run re-wrapped. */
  readonly rewrapped: number;
  /** Secrets of webhooks that this run re-wrapped. */
  readonly webhookSecrets: number;
  /** Index keys of clients that this run re-wrapped. */
  readonly indexKeys: number;
  /** Second factors that this run re-sealed. */
  readonly secondFactors: number;
  /** Name of the secret that wraps them all now. */
  readonly newestKey: string;
}

async function rotate({ environment, err }: CommandContext): Promise<Rotation> {
  const settings = readSealingSettings(environment);
  const secretKeys = requiredSecretKeys(settings);
  const { lostSecrets } = settings;
  const keys = createKeyRing(secretKeys);
  const database = await chooseDatabase(settings);
  const storage = await database.open();
  const { webhooks, indexes } = storage;
  const progress = createProgressLine(err, { textOf: progressOf, isTerminal: process.stderr.isTTY });
  const onProgress = (at: RotationProgress) => {
    if (at.total > 0) progress.show(at);
  };
  try {
    const toRewrap = await storage.dataKeys.countNotWrappedBy(keys.newest);
    const secrets = await webhooks.countSecretsNotWrappedBy(keys.newest);
    const indexKeys = await indexes.countKeysNotWrappedBy(keys.newest);
    const toReseal = await countOlderSecondFactors({ database: database.accounts, secretKeys });
    if (toRewrap + secrets + indexKeys + toReseal > 0) warnOfServers(database.isServed(), err);
    const { rewrapped } = await rotateDataKeys({
      dataKeys: storage.dataKeys,
      keys,
      onProgress,
      lostKeys: lostSecrets,
    });
    const rotated = await rotateWebhookSecrets({ webhooks, keys, lostKeys: lostSecrets });
    const rotatedIndexKeys = await rotateIndexKeys({ indexes, keys, lostKeys: lostSecrets });
    const { resealed } = await resealSecondFactors({ database: database.accounts, secretKeys, lostSecrets });
    return {
      rewrapped,
      webhookSecrets: rotated.rewrapped,
      indexKeys: rotatedIndexKeys.rewrapped,
      secondFactors: resealed,
      newestKey: keys.newest,
    };
  } finally {
    progress.end();
    await storage.close();
  }
}

/** Warns before the rotation: a server that does not know the newest secret yet cannot read what it re-wraps and re-seals. */
function warnOfServers(isServed: boolean | undefined, warn: (text: string) => void): void {
  if (isServed === false) return;
  const servers =
    isServed === true
      ? 'a server is serving this database. If you have not restarted it'
      : 'servers of this database cannot be seen from here. If you have not restarted one';
  warn(
    `Warning: ${servers} since you added the newest secret to SECRET_KEYS, it answers 503 for re-wrapped ` +
      'verifications and for second factors at sign-in (UNKNOWN_KEY in its log) until you restart it\n',
  );
}

function progressOf({ done, total }: RotationProgress): string {
  return `re-wrapping data keys: ${done} of ${total}`;
}

function textOf({ rewrapped, webhookSecrets, indexKeys, secondFactors, newestKey }: Rotation): string {
  const what = rewrapped === 1 ? '1 data key' : `${rewrapped} data keys`;
  const secrets = webhookSecrets === 1 ? '1 webhook secret' : `${webhookSecrets} webhook secrets`;
  const ofClients = indexKeys === 1 ? '1 index key' : `${indexKeys} index keys`;
  const whatElse = secondFactors === 1 ? '1 second factor' : `${secondFactors} second factors`;
  return [
    `Re-wrapped ${what}, ${secrets}, ${ofClients} and ${whatElse}; all are wrapped by the newest secret (${newestKey}) now`,
    'Keep older secrets until the links that they signed have expired (docs/operations.md, Secrets)',
  ].join('\n');
}
