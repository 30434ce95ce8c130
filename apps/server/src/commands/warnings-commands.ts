import type { RecomputedWarnings } from '@countersign/domain';
import type { Command } from 'commander';
import { openWarnings } from '../composition/administration.ts';
import { readSealingSettings } from '../config/environment.ts';
import { besideServers, type ShareOption, shareOption } from './beside-servers.ts';
import type { CommandContext } from './command-context.ts';

interface RecomputeOptions extends ShareOption {
  readonly client?: string;
  readonly all?: boolean;
}

/** `warnings recompute`. */
export function addWarningsCommands(program: Command, context: CommandContext): void {
  program
    .command('warnings')
    .description('warnings for reviewers')
    .command('recompute')
    .description(
      'compute the warnings of waiting cases for which none are kept, or those of an earlier version or submission, also while servers run; ' +
        'run it again if it is interrupted',
    )
    .option('--client <id>', 'only this client')
    .option('--all', 'all waiting cases: after a server was killed, or because documents have expired since')
    .addOption(shareOption())
    .action(async ({ client: clientId, all, share }: RecomputeOptions) => {
      const { recompute, close } = await openWarnings(readSealingSettings(context.environment));
      try {
        const result = await besideServers(context, { doing: 'computing warnings', share }, (options) =>
          recompute({ clientId, all, ...options }),
        );
        context.answer(result, textOf(result));
      } finally {
        await close();
      }
    });
}

function textOf({ changed, unchanged, unreadable }: RecomputedWarnings): string {
  return [
    `Warnings of waiting cases: changed ${changed}, unchanged ${unchanged}`,
    ...(unreadable === 0 ? [] : [`Left out ${unreadable} that cannot be read: run countersign doctor`]),
  ].join('\n');
}
