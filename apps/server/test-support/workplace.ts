import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@countersign/test-support/processes/free-port';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeEach, onTestFinished } from 'vitest';
import { type CommandResult, runCommand } from './command.ts';
import { type Process, startProcess } from './process.ts';

export interface ServerProcess extends Process {
  readonly port: number;
  readonly origin: string;
  /** Returns the printed demo key, or an empty string. */
  key(): string;
  /** Returns the printed curl line, or an empty string. */
  curlLine(): string;
  /** Returns the log lines so far. */
  log(): Record<string, unknown>[];
}

/** A data directory and the processes that use it. */
export interface Workplace {
  readonly dataDir: string;
  /** Starts a server. Resolves when it is ready; rejects with its error output if it exits first. */
  serve(environment?: Record<string, string>): Promise<ServerProcess>;
  /** Starts a server that must refuse to start. */
  refuse(environment?: Record<string, string>): Promise<{ exitCode: unknown; out: string; err: string }>;
  /** Runs another command in this process, as an operator does: its words in one text, others behind it. */
  run(command: string, ...more: string[]): Promise<CommandResult>;
}

/** Opens a workplace. Its processes end with the test. */
export function openWorkplace(): Workplace {
  const dataDir = temporaryFolder();
  const started: Process[] = [];
  onTestFinished(() => {
    for (const { child } of started) child.kill('SIGKILL');
  });

  async function start(environment: Record<string, string>): Promise<ServerProcess> {
    const port = await freePort();
    const process = startProcess(['serve'], { DATA_DIR: dataDir, PORT: String(port), ...environment });
    started.push(process);
    return {
      ...process,
      port,
      origin: `http://127.0.0.1:${port}`,
      key: () => /Key: +(csk_[0-9a-f]{64})/.exec(process.out())?.[1] ?? '',
      curlLine: () => /^curl .*$/m.exec(process.out())?.[0] ?? '',
      log: () => linesOf(process.out()),
    };
  }

  return {
    dataDir,
    async serve(environment = {}) {
      const server = await start(environment);
      const over = server.ended.then((code) => {
        throw new Error(`serve ended with ${code}: ${server.err()}`);
      });
      await Promise.race([becomesReady(server), over]);
      return server;
    },
    async refuse(environment = {}) {
      const process = await start(environment);
      const exitCode = await process.ended;
      return { exitCode, out: process.out(), err: process.err() };
    },
    run: (command, ...more) => runCommand([...command.split(' '), ...more], { DATA_DIR: dataDir }),
  };
}

/** Opens a workplace for each test of a file or `describe`. */
export function workplaceOfEachTest(): Workplace {
  let workplace: Workplace;
  beforeEach(() => {
    workplace = openWorkplace();
  });
  return {
    get dataDir() {
      return workplace.dataDir;
    },
    serve: (environment) => workplace.serve(environment),
    refuse: (environment) => workplace.refuse(environment),
    run: (...command) => workplace.run(...command),
  };
}

/** Waits for readiness and for the log's `listening`, which may arrive later through the pipe. */
async function becomesReady({ origin, out }: ServerProcess): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (response?.ok && out().includes('"msg":"listening"')) return;
    await pause(20);
  }
}

/** Parses the log lines, and skips the banner that servers print outside production. */
function linesOf(out: string): Record<string, unknown>[] {
  const lines = out.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
