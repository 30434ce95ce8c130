import { type ChildProcess, spawn } from 'node:child_process';
import { atEndOfFile } from './end-of-file.ts';

/** The exit of a process and its output. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  /** Returns the output so far, stdout before stderr. */
  output(): string;
  /** Resolves to the first match in the output. Rejects when the process exits or the time ends without one. */
  says(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
}

export type Environment = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();

// Kills all processes at the end of the file, also when a test fails or the worker exits.
atEndOfFile(async () => {
  const ends = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
});
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Passes Node's compile cache on, if the tests have one, to start faster. */
const { NODE_COMPILE_CACHE } = process.env;
const COMPILED: Environment = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** Starts a program with `env`, PATH and the compile cache only. */
export function start(
  command: string,
  args: readonly string[],
  { env = {}, cwd }: { env?: Environment | undefined; cwd?: string | undefined } = {},
): Running {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const said = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const listener of listeners) listener();
    });
  }

  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', (error) => {
      running.delete(child);
      reject(error);
    });
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, ...said });
    });
  });
  // Callers that await `finished` get the rejection; without them it must not end the test run.
  finished.catch(() => undefined);

  const output = () => said.stdout + said.stderr;
  return {
    pid: child.pid ?? -1,
    output,
    finished,
    signal: (name) => void child.kill(name),
    says(pattern, withinMs = 60_000) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output());
          if (match !== null) settle(() => resolve(match));
        };
        const settle = (act: () => void) => {
          clearTimeout(timer);
          listeners.delete(look);
          act();
        };
        const fail = (what: string) => () => settle(() => reject(new Error(`${what} ${pattern}:\n${output()}`)));
        const timer = setTimeout(fail(`${withinMs} ms passed without`), withinMs);
        listeners.add(look);
        finished.then(fail('it ended without'), reject);
        look();
      });
    },
  };
}

/** Runs a program to its end. Kills it shortly before a test's timeout, so that the failure shows its output. */
export async function run(
  command: string,
  args: readonly string[],
  { atMostMs = 110_000, ...options }: { env?: Environment; cwd?: string; atMostMs?: number } = {},
): Promise<Finished> {
  const program = start(command, args, options);
  const killTimer = setTimeout(() => program.signal('SIGKILL'), atMostMs);
  try {
    return await program.finished;
  } finally {
    clearTimeout(killTimer);
  }
}
