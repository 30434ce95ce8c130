import { resealSecondFactors } from '@countersign/accounts';
import { createKeyRing, type RotationProgress, rotateDataKeys } from '@countersign/sealing';
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
      'wrap the data key of every verification and seal second factors by the newest of SECRET_KEYS, also while servers run; ' +
        'run again, it goes on',
    )
    .action(async () => {
      const result = await rotate(context);
      context.answer(result, textOf(result));
    });
}

interface Rotation {
  /** Data keys that this run wrapped anew. */
  readonly rewrapped: number;
  /** Second factors that this run sealed anew. */
  readonly secondFactors: number;
  /** Names the key that wraps them all now. */
  readonly newestKey: string;
}

async function rotate({ environment, err }: CommandContext): Promise<Rotation> {
  const settings = readSealingSettings(environment);
  const secretKeys = requiredSecretKeys(settings);
  const keys = createKeyRing(secretKeys);
  const database = await chooseDatabase(settings);
  const storage = await database.open();
  const progress = createProgressLine(err, { textOf: progressOf, isTerminal: process.stderr.isTTY });
  const onProgress = (at: RotationProgress) => {
    if (at.total > 0) progress.show(at);
  };
  try {
    const toRewrap = await storage.dataKeys.countNotWrappedBy(keys.newest);
    if (toRewrap > 0) warnOfServers(database.isServed(), err);
    const { rewrapped } = await rotateDataKeys({ dataKeys: storage.dataKeys, keys, onProgress });
    const { resealed } = await resealSecondFactors({ database: database.accounts, secretKeys });
    return { rewrapped, secondFactors: resealed, newestKey: keys.newest };
  } finally {
    progress.end();
    await storage.close();
  }
}

/** Warns before anything is re-wrapped: a server that does not know the newest secret yet cannot read it afterwards. */
function warnOfServers(isServed: boolean | undefined, warn: (text: string) => void): void {
  if (isServed === false) return;
  const servers =
    isServed === true
      ? 'A server is serving this database. If it was'
      : 'Servers of this database cannot be seen from here. If one was';
  warn(
    `Warning: ${servers} not restarted since the newest secret came into SECRET_KEYS, it answers 503 ` +
      '(UNKNOWN_KEY in its log) for verifications that are re-wrapped, until it is restarted\n',
  );
}

function progressOf({ done, total }: RotationProgress): string {
  return `re-wrapping data keys: ${done} of ${total}`;
}

function textOf({ rewrapped, secondFactors, newestKey }: Rotation): string {
  const what = rewrapped === 1 ? '1 data key' : `${rewrapped} data keys`;
  const whatElse = secondFactors === 1 ? '1 second factor' : `${secondFactors} second factors`;
  return [
    `Re-wrapped ${what} and ${whatElse}; all are wrapped by the newest key (${newestKey}) now`,
    'Older keys are still needed for the links that they signed (docs/operations.md, Secrets)',
  ].join('\n');
}
