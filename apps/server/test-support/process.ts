import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildServer } from '../../../scripts/server-bundle.mjs';

const MAIN = await buildServer();

/** A process of the command line, started as by `npm run countersign`. */
export interface Process {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  /** Resolves to the exit code, or to the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Node's compile cache, if the tests have one: a process starts faster with it. */
const { NODE_COMPILE_CACHE } = process.env;
const COMPILED = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/**
 * Starts the command line with this environment, PATH and the compile cache only, without the settings of the test's
 * shell.
 */
export function startProcess(args: readonly string[], environment: Record<string, string>): Process {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...COMPILED, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null);
  return { child, out: () => out, err: () => err, ended };
}
