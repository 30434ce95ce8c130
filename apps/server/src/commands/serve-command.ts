import { type Command, InvalidArgumentError } from 'commander';
import { readServerSettings } from '../config/environment.ts';
import type { CommandContext } from './command-context.ts';

/** `serve`. */
export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the server until SIGTERM or Ctrl-C; its log is JSON on standard output')
    .action(async () => {
      if (program.opts<{ json?: boolean }>().json) {
        throw new InvalidArgumentError("option '--json' has no meaning for serve: its log is JSON already");
      }
      const settings = readServerSettings(context.environment);
      // Loaded here, so that the other commands start without what only a server needs.
      const { serve } = await import('../composition/serve.ts');
      await serve(settings);
    });
}
