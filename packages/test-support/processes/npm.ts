import { type Environment, type Finished, run } from './child-process.ts';

/** Runs npm, the one that runs these tests if any, with the user's settings. @returns standard output */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const ours = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : undefined;
  const [command, ...before] = ours === undefined ? ['npm'] : [process.execPath, ours];
  return await succeed(
    run(command, [...before, ...args], { cwd, env: userEnvironment(), atMostMs: 240_000 }),
    args,
  );
}

/** Runs a program of an installed package. @returns standard output */
export function tool(
  script: string,
  args: readonly string[],
  cwd: string,
  env: Environment = {},
): Promise<string> {
  return succeed(run(process.execPath, [script, ...args], { cwd, env, atMostMs: 120_000 }), [script, ...args]);
}

async function succeed(running: Promise<Finished>, args: readonly string[]): Promise<string> {
  const { code, signal, stdout, stderr } = await running;
  if (code === 0) return stdout;
  throw new Error(`${args.join(' ')} ended with ${code ?? signal}:\n${stdout}${stderr}`);
}

/** Returns the user's environment, because it may set the registry, proxy and cache of package managers. */
export function userEnvironment(): Environment {
  const { NODE_ENV: _, NODE_OPTIONS: __, ...environment } = process.env;
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
