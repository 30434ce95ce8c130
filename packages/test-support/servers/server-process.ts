import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { childrenOf } from './process-tree.ts';
import { user } from './server-folder.ts';

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** What it says when it takes connections. */
  readonly ready: RegExp;
  readonly env?: Readonly<Record<string, string>>;
}

export interface ServerProcess {
  readonly pid: number;
  /** Stops the server and all its processes where they stand: connections stay open, nothing is answered. */
  freeze(): void;
  /** They go on as if nothing had been. */
  thaw(): void;
  /** Sends the signal to the server, and resolves when all its processes have ended. SIGKILL goes to each of them. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const READY_WITHIN_MS = 30_000;

/** Starts a server whose process id stands in the folder's file `pid` as long as it runs (watchdog.ts reads it). */
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
    // Not `exit`: a process that outlives the server keeps its shared memory, and so a new server from starting. It also
    // keeps these pipes open.
    child.once('close', settle);
    child.once('error', settle);
  });

  await ready(child, program);

  const pid = child.pid ?? -1;
  return {
    pid,
    freeze() {
      // The one that starts new ones first.
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
      // A frozen one hears a signal when it goes on.
      for (const one of [...all, pid]) send(one, 'SIGCONT');
      await ended;
    },
  };
}

/** Rejects with all that it said when it ends before, or takes too long. */
function ready(child: ChildProcessByStdio<null, Readable, Readable>, program: ServerProgram): Promise<void> {
  let output = '';
  const streams = [child.stdout, child.stderr];
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      // Read on, or the pipe fills and the server waits; but keep nothing of it.
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
