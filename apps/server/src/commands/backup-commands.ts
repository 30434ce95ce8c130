import { type Command, InvalidArgumentError } from 'commander';
import type { Backup } from '../backup/back-up.ts';
import type { CheckedBackup, RestoreOptions } from '../backup/check-backup.ts';
import type { Restored } from '../backup/restore.ts';
import { readDoctorSettings } from '../config/environment.ts';
import type { Manifest } from '../database/manifest.ts';
import type { BackupProgress } from '../database/progress.ts';
import type { CommandContext } from './command-context.ts';
import { EXIT } from './failure.ts';
import { createProgressLine, type ProgressLine } from './terminal.ts';

/** Adds `backup` and `restore`. Their code is loaded with the first call. */
export function addBackupCommands(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .description(
      'back up database and evidence into a new folder, also while servers run; secrets are not included',
    )
    .argument('<folder>', 'must be empty or not exist yet', folderName)
    .option(
      '--evidence-only',
      'copy the evidence only, and back the PostgreSQL database up by other means, such as snapshots',
    )
    .action(async (folder: string, { evidenceOnly = false }: { evidenceOnly?: boolean }) => {
      const { environment } = context;
      const settings = readDoctorSettings(environment);
      if (evidenceOnly && settings.database.kind === 'sqlite') {
        throw new InvalidArgumentError("option '--evidence-only' is for PostgreSQL only: leave it out for SQLite");
      }
      const { backUp } = await import('../backup/back-up.ts');
      const made = await withProgress(context, (onProgress) =>
        backUp(settings, folder, { evidenceOnly, onProgress, environment }),
      );
      context.answer(made, backupText(made));
      if (made.damaged.length > 0) context.exitCode = EXIT.failed;
    });

  program
    .command('restore')
    .description(
      'check a backup, move the present database and evidence aside, and put the backup into their place; no server may run',
    )
    .argument('<folder>', 'a backup', folderName)
    .option('--check', 'check only, and change nothing')
    .option('--complete-erasure-log', 'rebuild a lost erasure log from the receipts of the backup')
    .action(async (folder: string, { check = false, ...options }: { check?: boolean } & RestoreOptions) => {
      const settings = readDoctorSettings(context.environment);
      if (check) {
        const { checkBackup } = await import('../backup/check-backup.ts');
        const checked = await withProgress(context, (onProgress) =>
          checkBackup(settings, folder, onProgress, options),
        );
        const ok = checked.problems.length === 0;
        context.answer({ ok, ...checked, notReady: checked.notReady ?? null }, checkText(checked));
        if (!ok) context.exitCode = EXIT.failed;
        return;
      }
      const { restore } = await import('../backup/restore.ts');
      const restored = await withProgress(context, (onProgress) => restore(settings, folder, onProgress, options));
      context.answer({ ...restored, finished: restored.finished ?? null }, restoredText(restored));
    });
}

/** @throws InvalidArgumentError */
function folderName(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected the name of a folder.');
  return text;
}

/** Shows progress on standard error, each kind of work in lines of its own. */
async function withProgress<T>(
  { err }: CommandContext,
  work: (onProgress: (progress: BackupProgress) => void) => Promise<T>,
): Promise<T> {
  let line: ProgressLine<BackupProgress> | undefined;
  let doing = '';
  const next = (progress: BackupProgress): ProgressLine<BackupProgress> => {
    if (line !== undefined && doing === progress.doing) return line;
    line?.end();
    doing = progress.doing;
    line = createProgressLine<BackupProgress>(err, { textOf, isTerminal: process.stderr.isTTY });
    return line;
  };
  try {
    return await work((progress) => next(progress).show(progress));
  } finally {
    line?.end();
  }
}

function textOf({ doing, done, total }: BackupProgress): string {
  return `${doing}: ${done} of ${total}`;
}

function backupText({ directory, manifest, databaseBytes, damaged }: Backup): string {
  const { database } = manifest;
  return [
    `Backup ${directory} is complete`,
    ...contentsOf(manifest, databaseBytes),
    ...(database.kind === 'postgres' && database.file === null
      ? [
          `Restore the database to its state at ${manifest.startedAt}: files that were uploaded later may be missing`,
        ]
      : []),
    secretsLine(manifest),
    ...damaged.map((path) => `${path} was damaged before it was copied: restore it from an older backup`),
  ].join('\n');
}

function contentsOf({ database, evidence }: Manifest, databaseBytes: number | null): string[] {
  const size = databaseBytes === null ? '' : `, ${databaseBytes} bytes`;
  return [
    `Database ${database.file ?? 'not included'}${size}, migrations ${database.migrations.join(', ') || 'none'}`,
    `Evidence ${evidence.files} files, ${evidence.bytes} bytes`,
  ];
}

function secretsLine({ secrets: { inUse, ring } }: Manifest): string {
  const [newest] = ring ?? [];
  const names = inUse.length > 0 ? inUse.join(', ') : newest;
  if (names === undefined) return 'Secrets: none are needed to read its data';
  return `Secrets are not included: keep SECRET_KEYS (or secret-keys in DATA_DIR) with ${names} in another place`;
}

function checkText({ manifest, problems, warnings, notReady }: CheckedBackup): string {
  const verdict = problems.length > 0 ? problems : ['No problems found'];
  return [
    `Backup of ${manifest.startedAt}, made by Countersign ${manifest.version}`,
    ...contentsOf(manifest, null),
    secretsLine(manifest),
    ...warnings.map((line) => `Warning: ${line}`),
    ...(notReady === undefined ? [] : [`Not restored yet: ${notReady}`]),
    ...verdict,
  ].join('\n');
}

function restoredText({ manifest, warnings, movedAside, finished, erasuresApplied }: Restored): string {
  return [
    ...(finished === undefined ? [] : [`Finished the interrupted restore of backup ${finished}`]),
    `Restored the backup of ${manifest.startedAt}`,
    ...contentsOf(manifest, null),
    ...warnings.map((line) => `Warning: ${line}`),
    manifest.secrets.inUse.length === 0
      ? 'Secrets: none are needed to read its data'
      : `Secrets ${manifest.secrets.inUse.join(', ')} open its data; SECRET_KEYS holds them`,
    ...(erasuresApplied === 0 ? [] : [`Applied ${erasuresApplied} erasures of the erasure log`]),
    ...(movedAside.length === 0 ? [] : [`What was there before is in ${movedAside.join(' and ')}`]),
    'Every part was checked. Start the server, then run countersign doctor',
  ].join('\n');
}
