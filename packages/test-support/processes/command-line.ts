import { type Environment, type Finished, run } from './child-process.ts';
import { PROGRAM } from './server-process.ts';

/** Runs the command line in a process of its own. */
export function runCountersign(args: readonly string[], env: Environment): Promise<Finished> {
  return run(process.execPath, [PROGRAM, ...args], { env });
}

/** Runs a command that must succeed, and gives what `--json` prints: one JSON value and nothing else. */
export async function countersign<T>(args: readonly string[], env: Environment): Promise<T> {
  const { code, stdout, stderr } = await runCountersign([...args, '--json'], env);
  if (code !== 0) throw new Error(`countersign ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as T;
}
