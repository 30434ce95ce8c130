import type { AuditExportEnd, AuditFindings, ExportAudit, ExportedTo } from '@countersign/domain';
import { listAudit } from '@countersign/domain/actions';
import type { AuditHead } from '@countersign/domain/storage';
import { type Command, InvalidArgumentError } from 'commander';
import { openAuditLog } from '../composition/administration.ts';
import { readStorageSettings } from '../config/environment.ts';
import { brokenText } from '../database/audit-texts.ts';
import { writeNotedCheck } from '../database/noted-check.ts';
import { type ActionCommands, groupOf } from './action-command.ts';
import type { CommandContext } from './command-context.ts';
import { EXIT } from './failure.ts';

/** Adds `audit list`, `audit verify` and `audit export`. */
export function addAuditCommands(program: Command, context: CommandContext, { add }: ActionCommands): void {
  add({
    name: 'audit list',
    description: 'print a page of the audit log as JSON, newest entry first',
    action: listAudit,
  });

  groupOf(program, 'audit')
    .command('verify')
    .description(
      'check the hash chain of the audit log and the receipts of erasures, also while servers run; exit code 1 if it is broken. Keep the head that ' +
        'it prints in another place: with --noted, a later run also finds a log that was shortened or rewritten',
    )
    .option('--noted <line>', 'a head that an earlier run printed, such as 17:6b86b2…', notedLine)
    .action(async ({ noted }: { noted?: AuditHead }) => {
      const settings = readStorageSettings(context.environment);
      const { verifyAudit, close } = await openAuditLog(settings);
      try {
        const findings = await verifyAudit({ noted });
        if (noted !== undefined) await noteCheck(settings.dataDir, { noted, findings }, context);
        context.answer(findings, textOf(findings));
        if (findings.outcome !== 'intact') context.exitCode = EXIT.failed;
      } finally {
        await close();
      }
    });

  groupOf(program, 'audit')
    .command('export')
    .description(
      'print the audit log, oldest entry first: a JSON object on each line, with --json one array. Checks the hash chain meanwhile; ' +
        'exit code 1 if it is broken, with every entry before the wrong one printed',
    )
    .option('--after <entry>', 'continue after this entry: its number, or number and hash as 17:6b86b2…', entryOf)
    .action(async ({ after }: { after?: ExportedTo }) => {
      const { exportAudit, close } = await openAuditLog(readStorageSettings(context.environment));
      try {
        const end = await printEntries(exportAudit({ after }), context);
        if (end === null || end.outcome === 'complete') return;
        context.err(`countersign: ${endText(end)}\n`);
        context.exitCode = EXIT.failed;
      } finally {
        await close();
      }
    });
}

/** Notes for `doctor` that the log was compared with a noted head. */
async function noteCheck(
  dataDir: string,
  { noted, findings }: { readonly noted: AuditHead; readonly findings: AuditFindings },
  { err }: CommandContext,
): Promise<void> {
  const check = { at: new Date().toISOString(), noted: noted.sequence, outcome: findings.outcome };
  if (await writeNotedCheck(dataDir, check)) return;
  err(`Warning: ${dataDir} cannot be written, so doctor will not report this run: check DATA_DIR\n`);
}

/**
 * Prints each batch once the one before it is taken, so that memory does not grow with the log.
 * @returns null if the reader has left before the end, such as `head`
 */
async function printEntries(
  entries: ReturnType<ExportAudit>,
  { out, canPrint, isJson }: CommandContext,
): Promise<AuditExportEnd | null> {
  const [start, between, after, end] = isJson() ? ['[', ',', '', ']\n'] : ['', '', '\n', ''];
  let before = start;
  for (;;) {
    const { done, value } = await entries.next();
    if (done) {
      out(before === start ? start + end : end);
      return value;
    }
    out(before + value.map((entry) => JSON.stringify(entry) + after).join(between));
    before = between;
    if ((await canPrint?.()) === false) return null;
  }
}

/** `sequence` or `sequence:hash`. @throws InvalidArgumentError */
function entryOf(text: string): ExportedTo {
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? { sequence: Number(text) } : notedLine(text);
}

/** `sequence:hash`, as `textOf` prints it. @throws InvalidArgumentError */
function notedLine(text: string): AuditHead {
  const [, sequence, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) {
    throw new InvalidArgumentError('Expected a number, a colon and 64 hexadecimal characters.');
  }
  return { sequence: Number(sequence), hash };
}

const WHY_ERASURE = {
  no_receipt: 'the database has no receipt for its entry in the audit log',
  no_audit_entry: 'its receipt has no entry in the audit log',
  changed: 'its receipt, or what it left of the verification, was changed',
  unfinished: 'files of the verification are left. Look at the faults in the log of the servers',
} as const;

function endText(end: Exclude<AuditExportEnd, { readonly outcome: 'complete' }>): string {
  if (end.outcome === 'broken') return brokenText(end);
  const { sequence, hash } = end.after;
  const what = `has no entry ${sequence}${hash === undefined ? '' : ' with this hash'}`;
  return `The audit log ${what}: it was shortened or rewritten, or is another log`;
}

function textOf(findings: AuditFindings): string {
  switch (findings.outcome) {
    case 'intact': {
      const { entries, head } = findings;
      return head === null
        ? 'The audit log is empty'
        : `${entries} entries, and the chain is whole. Head: ${head.sequence}:${head.hash}`;
    }
    case 'broken':
      return brokenText(findings);
    case 'erasure_broken':
      return `The audit log is BROKEN at the erasure ${findings.number}: ${WHY_ERASURE[findings.reason]}`;
    case 'not_the_noted_one':
      return `The audit log is NOT the one with the noted head: entry ${findings.noted.sequence} is missing or was changed`;
    default:
      return findings satisfies never;
  }
}
