import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { childrenOf } from './process-tree.ts';
import { user } from './server-folder.ts';

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Matches its output when it accepts connections. */
  readonly ready: RegExp;
  readonly env?: Readonly<Record<string, string>>;
}

export interface ServerProcess {
  readonly pid: number;
  /** Suspends the server and all its processes: connections stay open, but get no answers. */
  freeze(): void;
  /** Resumes the suspended processes. */
  thaw(): void;
  /** Sends the signal to the server and waits until all its processes have ended. SIGKILL goes to each of them. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const READY_WITHIN_MS = 30_000;

/** Starts a server. The folder's file `pid` has its process id while it runs (watchdog.ts reads it). */
export async function startProcess(program: ServerProgram, folder: string): Promise<ServerProcess> {
  const child = spawn(program.command, program.args, {
    ...user,
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...program.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pidFile = join(folder, 'pid');
  if (child.pid !== undefined) writeFileSync(pidFile, String(child.pid));
  const ended = new Promise<void>((resolve) => {
    const settle = () => {
      rmSync(pidFile, { force: true });
      resolve();
    };
    // Not `exit`: a child process that outlives the server keeps its shared memory, which prevents a restart. It also keeps
    // these pipes open.
    child.once('close', settle);
    child.once('error', settle);
  });

  await ready(child, program);

  const pid = child.pid ?? -1;
  return {
    pid,
    freeze() {
      // The parent first, because it starts new processes.
      process.kill(pid, 'SIGSTOP');
      for (const one of childrenOf(pid)) send(one, 'SIGSTOP');
    },
    thaw() {
      for (const one of childrenOf(pid)) send(one, 'SIGCONT');
      process.kill(pid, 'SIGCONT');
    },
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return ended;
      const all = childrenOf(pid);
      child.kill(signal);
      if (signal === 'SIGKILL') for (const one of all) send(one, 'SIGKILL');
      // A suspended process receives a signal when it resumes.
      for (const one of [...all, pid]) send(one, 'SIGCONT');
      await ended;
    },
  };
}

/** Waits until the server is ready. Rejects with its output when it exits first or takes too long. */
function ready(child: ChildProcessByStdio<null, Readable, Readable>, program: ServerProgram): Promise<void> {
  let output = '';
  const streams = [child.stdout, child.stderr];
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      // Keep reading and discard the output: a full pipe would block the server.
      for (const stream of streams) stream.off('data', listen).resume();
      act();
    };
    const fail = (what: string) => settle(() => reject(new Error(`${program.command} ${what}:\n${output}`)));
    const listen = (text: string) => {
      output += text;
      if (program.ready.test(output)) settle(resolve);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`was not ready within ${READY_WITHIN_MS} ms`);
    }, READY_WITHIN_MS);
    for (const stream of streams) stream.setEncoding('utf8').on('data', listen);
    child.once('error', (error) => fail(error.message));
    child.once('close', (code, signal) => fail(`ended (${code ?? signal})`));
  });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // A backend may end at any time.
  }
}
