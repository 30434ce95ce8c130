import type { ClearedSpace } from '@countersign/storage-sqlite';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readServerSettings, readStorageSettings } from '../config/environment.ts';
import { chooseDatabase } from '../database/choose-database.ts';
import type { CommandContext } from './command-context.ts';
import { examine } from './doctor.ts';
import { EXIT } from './failure.ts';
import { wholeNumber } from './option-values.ts';

interface DoctorOptions {
  readonly mendCounts?: boolean;
  readonly completeErasureLog?: boolean;
  readonly deep?: boolean;
}

/** Adds `serve`, `migrate`, `clear-erased-space` and `doctor`. */
export function addInstallationCommands(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the server until SIGTERM or Ctrl-C; its log is JSON on standard output')
    // For `npm run dev`, so the help does not list it.
    .addOption(new Option('--design-pages', 'show the parts of pages at /design').hideHelp())
    .action(async ({ designPages = false }: { designPages?: boolean }) => {
      if (program.opts<{ json?: boolean }>().json) {
        throw new InvalidArgumentError("option '--json' has no meaning for serve: its log is JSON already");
      }
      const settings = readServerSettings(context.environment);
      // Loaded here, so that the other commands start without what only a server needs.
      const { serve } = await import('../composition/serve.ts');
      await serve({ ...settings, designPages: designPages && !settings.production });
    });

  program
    .command('migrate')
    .description('apply pending migrations, and create the SQLite file if it is missing; serve does both too')
    .option('--wait <seconds>', 'how long to wait for a Postgres that is starting', wholeNumber, WAIT_SECONDS)
    .action(async ({ wait }: { wait: number }) => {
      const database = await chooseDatabase(readStorageSettings(context.environment));
      const applied = await database.migrate({ waitMs: wait * 1_000 });
      const text = applied.length === 0 ? 'nothing to do' : `applied ${applied.join(', ')}`;
      context.answer({ database: database.place, applied }, `${database.place}: ${text}`);
    });

  program
    .command('clear-erased-space')
    .description('SQLite: remove copies of erased values from the free space of the file; writes wait meanwhile')
    .action(async () => {
      const database = await chooseDatabase(readStorageSettings(context.environment));
      const cleared = (await database.clearErasedSpace?.()) ?? NOT_SQLITE;
      context.answer({ database: database.place, ...cleared }, `${database.place}: ${clearedText(cleared)}`);
      if (FAILED.includes(cleared.outcome)) context.exitCode = EXIT.failed;
    });

  program
    .command('doctor')
    .description('check the installation; exit code 1 if it finds a problem. Without options it changes nothing')
    .option('--mend-counts', 'count verifications again where the counts are wrong')
    .option('--complete-erasure-log', 'write erasures of the database that the erasure log lacks')
    .option('--deep', 'also open every file and compare it with what was uploaded; takes as long as a backup')
    .action(async ({ mendCounts = false, completeErasureLog = false, deep = false }: DoctorOptions) => {
      const { report, text } = await examine(context.environment, { mendCounts, completeErasureLog, deep });
      context.answer(report, text);
      if (!report.ok) context.exitCode = EXIT.failed;
    });
}

/** Postgres may start together with the command, such as after a boot. */
const WAIT_SECONDS = 30;

const NOT_SQLITE = { outcome: 'not_sqlite' } as const;

const FAILED: readonly string[] = ['busy', 'no_space', 'not_sqlite'];

function clearedText(cleared: ClearedSpace | typeof NOT_SQLITE): string {
  switch (cleared.outcome) {
    case 'cleared':
      return `cleared (erasures: ${cleared.erasures}) in ${Math.ceil(cleared.durationMs)} ms`;
    case 'nothing_to_clear':
      return 'nothing to clear';
    case 'busy':
      return 'another process, such as a backup, clears or reads the file. Try again later';
    case 'no_space':
      return `not enough free space in ${cleared.folder}: ${cleared.neededBytes} bytes are needed and ${cleared.freeBytes} are free. Free some space and try again`;
    case 'not_sqlite':
      return 'PostgreSQL reuses free space itself, so there is nothing to clear. docs/privacy.md lists what its files keep';
    default:
      return cleared satisfies never;
  }
}
