import { type ChildProcess, spawn } from 'node:child_process';
import { atEndOfFile } from './end-of-file.ts';

/** How a process ended, and all that it said. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  /** What it has said so far, standard output before standard error. */
  output(): string;
  /** Resolves with the first match in what it says, now or later. Rejects when it ends or is silent about it. */
  says(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
}

export type Environment = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();

// No process is left behind: not when a test fails, and not when this worker is ended itself.
atEndOfFile(async () => {
  const ends = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
});
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Where Node keeps what it has compiled, if the tests were started with such a place: nothing else than time changes. */
const { NODE_COMPILE_CACHE } = process.env;
const COMPILED: Environment = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** Starts a program. Of this process's environment it gets the PATH, the place of the cache, and nothing else. */
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
  // Whoever waits for it is told; a program that could not be started must not end the whole run as well.
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

/** Runs a program to its end. A program that hangs is killed shortly before the time limit of a test, so that its output is seen. */
export async function run(
  command: string,
  args: readonly string[],
  { atMostMs = 110_000, ...options }: { env?: Environment; cwd?: string; atMostMs?: number } = {},
): Promise<Finished> {
  const program = start(command, args, options);
  const patience = setTimeout(() => program.signal('SIGKILL'), atMostMs);
  try {
    return await program.finished;
  } finally {
    clearTimeout(patience);
  }
}
