import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSqliteStorage, migrateSqlite } from '@countersign/storage-sqlite';
import type { Command } from 'commander';
import { ensureDataDirectory } from '../config/data-directory.ts';
import { readStorageSettings } from '../config/environment.ts';
import type { CommandContext } from './command-context.ts';
import { examine } from './doctor.ts';
import { EXIT } from './failure.ts';
import { fileName } from './option-values.ts';

/** `migrate`, `backup` and `doctor`. */
export function addStorageCommands(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('make the database if there is none and bring it to this version; serve does so too')
    .action(async () => {
      const { dataDir, databaseFile } = readStorageSettings(context.environment);
      ensureDataDirectory(dataDir);
      const applied = await migrateSqlite({ file: databaseFile });
      const text = applied.length === 0 ? 'nothing to do' : `applied ${applied.join(', ')}`;
      context.answer({ file: databaseFile, applied }, `${databaseFile}: ${text}`);
    });

  program
    .command('backup')
    .description('copy the database to a new file, also while a server runs')
    .argument('<file>', 'must not exist yet', fileName)
    .action(async (target: string) => {
      const { databaseFile } = readStorageSettings(context.environment);
      // A database that is not there, or not of this version, is not made just to be copied.
      const storage = await createSqliteStorage({ file: databaseFile, migrate: false });
      try {
        await storage.backup(target);
      } finally {
        await storage.close();
      }
      const file = resolve(target);
      const sizeBytes = statSync(file).size;
      context.answer({ file, sizeBytes }, `${file}: ${sizeBytes} bytes`);
    });

  program
    .command('doctor')
    .description('look at this machine and the database, and change nothing; exit code 1 where something is wrong')
    .action(async () => {
      const { report, text } = await examine(readStorageSettings(context.environment));
      context.answer(report, text);
      if (!report.ok) context.exitCode = EXIT.failed;
    });
}
