import { type Environment, type Finished, run } from './child-process.ts';
import { PROGRAM } from './server-process.ts';

/** Runs the command line in its own process. */
export function runCountersign(args: readonly string[], env: Environment): Promise<Finished> {
  return run(process.execPath, [PROGRAM, ...args], { env });
}

/** Runs a command that must succeed, and returns the value that `--json` prints. */
export async function countersign<T>(args: readonly string[], env: Environment): Promise<T> {
  const { code, stdout, stderr } = await runCountersign([...args, '--json'], env);
  if (code !== 0) throw new Error(`countersign ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as T;
}
