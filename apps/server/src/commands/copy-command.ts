import { type CopiedAccounts, copyAccounts } from '@countersign/accounts';
import {
  type CopyProgress,
  type CopyResult,
  copyStorage,
  TRANSFER_KINDS,
  type TransferSource,
} from '@countersign/domain/storage';
import { type Command, InvalidArgumentError } from 'commander';
import { readStorageSettings } from '../config/environment.ts';
import {
  accountsAt,
  type CopyPlace,
  copyPlaceOf,
  copyPlaceOfSettings,
  isSamePlace,
  openCopySource,
  openCopyTarget,
} from '../database/copy-place.ts';
import type { CommandContext } from './command-context.ts';
import { asSetting } from './option-values.ts';
import { createProgressLine, tableOf } from './terminal.ts';

interface CopyOptions {
  readonly from?: string;
  readonly to?: string;
}

interface CopiedInstallation extends CopyResult {
  /** People who sign in, with their passwords and second factors. */
  readonly accounts: CopiedAccounts;
}

/** `copy`. */
export function addCopyCommand(program: Command, context: CommandContext): void {
  program
    .command('copy')
    .description(
      'copy an installation into another database and compare the two; run it again if it is interrupted. Without --from or without --to, that database is the one of the settings',
    )
    .option('--from <url>', 'file:… or postgres://…; no server may use it meanwhile')
    .option('--to <url>', 'an empty database, or one that this copy was begun into')
    .action(async (options: CopyOptions) => {
      if (options.from === undefined && options.to === undefined) {
        throw new InvalidArgumentError(
          '--from or --to is missing: only one of them can be the database of the settings',
        );
      }
      const [from, to] = [placeOf('--from', options.from, context), placeOf('--to', options.to, context)];
      if (isSamePlace(from, to)) throw new InvalidArgumentError('--from and --to name the same database');
      const result = await copy(from, to, context);
      context.answer({ from: from.place, to: to.place, ...result }, textOf(from, to, result));
    });
}

/** Opens the source first: if it cannot be copied, the target is not created. */
async function copy(from: CopyPlace, to: CopyPlace, { err }: CommandContext): Promise<CopiedInstallation> {
  const source = await openCopySource(from);
  try {
    const storage = await copyFrom(source, to, err);
    // Last: a target that is no copy of the source is left without them.
    return { ...storage, accounts: await copyAccounts(await accountsAt(from), await accountsAt(to)) };
  } finally {
    await source.close();
  }
}

async function copyFrom(source: TransferSource, to: CopyPlace, err: (text: string) => void): Promise<CopyResult> {
  const target = await openCopyTarget(to);
  const progress = createProgressLine(err, { textOf: progressOf, isTerminal: process.stderr.isTTY });
  try {
    return await copyStorage({ from: source, to: target, onProgress: progress.show });
  } finally {
    progress.end();
    await target.close();
  }
}

const PHASES = { check: 'reading', copy: 'copying', verify: 'comparing' } as const;

function progressOf({ phase, kind, done, total }: CopyProgress): string {
  return `${PHASES[phase]} ${kind}: ${done} of ${total}`;
}

function placeOf(option: string, url: string | undefined, { environment }: CommandContext): CopyPlace {
  if (url === undefined) return copyPlaceOfSettings(readStorageSettings(environment).database);
  return asSetting(() => copyPlaceOf(option, url));
}

function textOf(from: CopyPlace, to: CopyPlace, result: CopiedInstallation): string {
  const rows = [...TRANSFER_KINDS, 'accounts' as const].map((kind) => [
    kind,
    String(result[kind].rows),
    String(result[kind].written),
  ]);
  const table = tableOf(['KIND', 'ROWS', 'WRITTEN NOW'], rows, '');
  return `${table}\n${to.place} is equal to ${from.place}`;
}
