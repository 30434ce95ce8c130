import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Environment, type Finished, run } from './child-process.ts';
import { PROGRAM } from './server-process.ts';

/** Runs the command line in its own process. */
export function runCountersign(args: readonly string[], env: Environment): Promise<Finished> {
  return run(process.execPath, [PROGRAM, ...args], { env });
}

/** Runs a command that must succeed, and returns the value that `--json` prints. */
export async function countersign<T>(args: readonly string[], env: Environment): Promise<T> {
  const { code, stdout, stderr } = await runCountersign([...args, '--json'], env);
  return JSON.parse(outputOf(args, { code, out: stdout, err: stderr })) as T;
}

/**
 * Runs a command of the bundled program in this process, for tests that are about its effect: starting a process takes 0.3 s
 * of processor time. Otherwise like `countersign`. Waiting for SQLite blocks this process, so tests that run at the same time must
 * not use it.
 */
export async function countersignHere<T>(args: readonly string[], environment: Environment): Promise<T> {
  const { code, stdout, stderr } = await runCountersignHere([...args, '--json'], environment);
  return JSON.parse(outputOf(args, { code, out: stdout, err: stderr })) as T;
}

/** Runs a command in this process, like `countersignHere`, and returns its exit code and output. */
export async function runCountersignHere(
  args: readonly string[],
  environment: Environment,
): Promise<Omit<Finished, 'signal'>> {
  const bundle = pathToFileURL(join(PROGRAM, '../command-line.js')).href;
  const { runCommandLine } = (await import(/* @vite-ignore */ bundle)) as { runCommandLine: RunCommandLine };
  const said = { out: '', err: '' };
  const code = await runCommandLine(args, {
    environment,
    out: (text) => (said.out += text),
    err: (text) => (said.err += text),
  });
  return { code, stdout: said.out, stderr: said.err };
}

type RunCommandLine = (
  args: readonly string[],
  io: { readonly environment: Environment; out(text: string): void; err(text: string): void },
) => Promise<number>;

/** @throws Error with the error output of a command that failed */
function outputOf(
  args: readonly string[],
  { code, out, err }: { readonly code: number | null; readonly out: string; readonly err: string },
): string {
  if (code !== 0) throw new Error(`countersign ${args.join(' ')} ended with ${code}:\n${err}`);
  return out;
}
