import { runCommandLine } from '../src/commands/command-line.ts';
import type { Environment } from '../src/config/parse-environment.ts';

export interface CommandResult {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in this process, with the given environment only. */
export async function runCommand(args: readonly string[], environment: Environment): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await runCommandLine(args, {
    environment,
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  });
  return { exitCode, out: out.join(''), err: err.join('') };
}
