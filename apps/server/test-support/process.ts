import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildServer } from '../../../scripts/server-bundle.mjs';

const MAIN = await buildServer();

/** The command line in a process of its own, as `npm run countersign` starts it. */
export interface Process {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Starts it with this environment and the PATH alone: the settings of the shell that runs the tests do not reach it. */
export function startProcess(args: readonly string[], environment: Record<string, string>): Process {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null);
  return { child, out: () => out, err: () => err, ended };
}
