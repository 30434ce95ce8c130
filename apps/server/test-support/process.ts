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

/** Starts the command line with this environment and PATH only, without the settings of the test's shell. */
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
