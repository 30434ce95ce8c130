import { type Command, InvalidArgumentError } from 'commander';
import { type EvidenceSettings, evidenceSettings } from '../config/evidence-setting.ts';
import { BackupError } from '../database/backup-error.ts';
import type { BackupProgress } from '../database/progress.ts';
import type { CopiedEvidence } from '../evidence/copy-evidence.ts';
import type { CommandContext } from './command-context.ts';
import { EXIT } from './failure.ts';
import { asSetting } from './option-values.ts';
import { createProgressLine } from './terminal.ts';

/** Adds `evidence copy`. */
export function addEvidenceCommands(program: Command, context: CommandContext): void {
  program
    .command('evidence')
    .description('files of verifications')
    .command('copy')
    .description(
      'copy all files into another folder or bucket and compare each of them; run it again if it is interrupted',
    )
    .requiredOption('--from <url>', 'file:… or s3://…, as in EVIDENCE_URL; servers may use it meanwhile')
    .requiredOption('--to <url>', 'file:… or s3://…, as in EVIDENCE_URL')
    .action(async (options: { readonly from: string; readonly to: string }) => {
      const [from, to] = asSetting(() => [
        evidenceSettings('--from', options.from),
        evidenceSettings('--to', options.to),
      ]);
      const copied = await copy(from, to, context);
      context.answer(copied, textOf(copied));
      if (copied.damaged.length + copied.conflicts.length > 0) context.exitCode = EXIT.failed;
    });
}

interface CopiedBetween extends CopiedEvidence {
  readonly from: string;
  readonly to: string;
}

async function copy(
  source: EvidenceSettings,
  target: EvidenceSettings,
  { err }: CommandContext,
): Promise<CopiedBetween> {
  const { openEvidence, TRANSFER_DEADLINES } = await import('../evidence/open-evidence.ts');
  const { copyEvidence } = await import('../evidence/copy-evidence.ts');
  const [from, to] = [
    await openEvidence(source, TRANSFER_DEADLINES),
    await openEvidence(target, TRANSFER_DEADLINES),
  ];
  const progress = createProgressLine<BackupProgress>(err, {
    textOf: ({ doing, done, total }) => `${doing}: ${done} of ${total}`,
    isTerminal: process.stderr.isTTY,
  });
  try {
    if (from.files.place === to.files.place) {
      throw new InvalidArgumentError('--from and --to name the same place');
    }
    await from.probe?.();
    await to.probe?.();
    const copied = await copyEvidence(from.files, to.files, progress.show);
    if (copied.files === 0)
      throw new BackupError(`${from.files.place} has no files of verifications: correct --from`);
    return { from: from.files.place, to: to.files.place, ...copied };
  } finally {
    progress.end();
    from.close();
    to.close();
  }
}

function textOf({ from, to, files, bytes, written, damaged, conflicts, others }: CopiedBetween): string {
  const present =
    conflicts.length === 0 ? `all ${files} files` : `${files - conflicts.length} of the ${files} files`;
  return [
    ...damaged.map((path) => `${path} was damaged before it was copied: restore it from a backup`),
    ...conflicts.map(
      (path) =>
        `${path} in ${to} differs from that in ${from}: find out which is right, delete the other, and run the copy again`,
    ),
    ...(others === 0
      ? []
      : [
          `${to} has ${others} files that ${from} does not have: a server deletes those that no verification names`,
        ]),
    `${to} has ${present} of ${from}, ${bytes} bytes, of which ${written} were written now`,
  ].join('\n');
}
