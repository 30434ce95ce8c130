import type { ActionEntry } from '@countersign/domain/actions';
import { runCommandLine } from '../src/commands/command-line.ts';
import type { Environment } from '../src/config/parse-environment.ts';

export interface CommandResult {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs the command line in this process with its own environment. READER is off by default: `doctor` would start the reader of documents,
 * which takes 2 s of processor time from source.
 */
export async function runCommand(
  args: readonly string[],
  environment: Environment,
  actions?: readonly ActionEntry[],
  ask?: (question: string) => Promise<string>,
): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const io = {
    environment: { READER: 'off', ...environment },
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    ask,
  };
  const exitCode = await runCommandLine(args, io, actions);
  return { exitCode, out: out.join(''), err: err.join('') };
}
