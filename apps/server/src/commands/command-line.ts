import { ACTIONS, type ActionEntry } from '@countersign/domain/actions';
import { Command } from 'commander';
import { serverVersion } from '../version.ts';
import { createActionCommands } from './action-command.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addClientCommands } from './client-commands.ts';
import type { CommandContext, CommandIo } from './command-context.ts';
import { addCopyCommand } from './copy-command.ts';
import { addEvidenceCommands } from './evidence-commands.ts';
import { describeFailure } from './failure.ts';
import { addIndexCommands } from './index-commands.ts';
import { addInstallationCommands } from './installation-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { addKeysCommands } from './keys-commands.ts';
import { describeKnown } from './known-words.ts';
import { addRetentionReportCommand } from './retention-report-command.ts';
import { addUserCommands } from './user-commands.ts';
import { addVerificationCommands } from './verification-commands.ts';
import { addWarningsCommands } from './warnings-commands.ts';
import { addWebhookCommands } from './webhook-commands.ts';

const AFTER_HELP = `
Settings come from the environment: PORT, HOST, PUBLIC_BASE_URL, DATA_DIR, DATABASE_URL, SECRET_KEYS, … (docs/operations.md).
Secrets can be in files: SECRET_KEYS_FILE, DATABASE_URL_FILE, …
Exit codes: 0 done, 1 failed, 2 wrong command line, 78 wrong setting.`;

/**
 * Runs one command.
 * @param args without the program's name
 * @param actions the catalogue: each action of the command line has a command
 * @returns the exit code: 0 done, 1 failed, 2 wrong command line, 78 wrong setting (EX_CONFIG of sysexits.h)
 */
export async function runCommandLine(
  args: readonly string[],
  io: CommandIo,
  actions: readonly ActionEntry[] = ACTIONS,
): Promise<number> {
  const program = new Command('countersign')
    .description('Self-hosted identity verification for people (KYC) and businesses (KYB)')
    .option('--json', 'print one JSON value on standard output and nothing else')
    .version(serverVersion(), '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .addHelpText('after', AFTER_HELP)
    .configureHelp({ showGlobalOptions: true })
    // The code below reports a wrong command line in one line.
    .configureOutput({ writeOut: io.out, writeErr: io.err, outputError: () => undefined })
    .exitOverride();

  const context: CommandContext = {
    ...io,
    exitCode: 0,
    isJson: () => program.opts<{ json?: boolean }>().json === true,
    answer(value, text) {
      io.out(`${context.isJson() ? JSON.stringify(value) : text}\n`);
    },
  };
  addInstallationCommands(program, context);
  addBackupCommands(program, context);
  addCopyCommand(program, context);
  addEvidenceCommands(program, context);
  addKeysCommands(program, context);
  addIndexCommands(program, context);
  addWarningsCommands(program, context);
  const commands = createActionCommands(program, context);
  addAuditCommands(program, context, commands);
  addClientCommands(commands);
  addRetentionReportCommand(commands, context);
  addKeyCommands(commands);
  addUserCommands(commands);
  addVerificationCommands(commands);
  addWebhookCommands(commands);
  commands.addOthers(actions);

  try {
    await program.parseAsync(args, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    const { line, exitCode } = describeFailure(error);
    if (line !== undefined) io.err(`countersign: ${line}${describeKnown(error, program, args)}\n`);
    return exitCode;
  }
}
