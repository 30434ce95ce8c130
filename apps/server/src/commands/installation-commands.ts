import { type Command, InvalidArgumentError } from 'commander';
import { readDoctorSettings, readServerSettings, readStorageSettings } from '../config/environment.ts';
import { chooseDatabase } from '../database/choose-database.ts';
import type { CommandContext } from './command-context.ts';
import { examine } from './doctor.ts';
import { EXIT } from './failure.ts';

interface DoctorOptions {
  readonly mendCounts?: boolean;
  readonly completeErasureLog?: boolean;
}

/** Adds `serve`, `migrate` and `doctor`. */
export function addInstallationCommands(program: Command, context: CommandContext): void {
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

  program
    .command('migrate')
    .description('apply pending migrations, and create the SQLite file if it is missing; serve does both too')
    .action(async () => {
      const database = await chooseDatabase(readStorageSettings(context.environment));
      const applied = await database.migrate();
      const text = applied.length === 0 ? 'nothing to do' : `applied ${applied.join(', ')}`;
      context.answer({ database: database.place, applied }, `${database.place}: ${text}`);
    });

  program
    .command('doctor')
    .description('check the installation; exit code 1 if it finds a problem. Without options it changes nothing')
    .option('--mend-counts', 'count verifications again where the counts are wrong')
    .option('--complete-erasure-log', 'write erasures of the database that the erasure log lacks')
    .action(async ({ mendCounts = false, completeErasureLog = false }: DoctorOptions) => {
      const options = { mendCounts, completeErasureLog };
      const { report, text } = await examine(readDoctorSettings(context.environment), options);
      context.answer(report, text);
      if (!report.ok) context.exitCode = EXIT.failed;
    });
}
