import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dataPlace } from '@countersign/test-support/processes/data-place';
import { freePort } from '@countersign/test-support/processes/free-port';
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
  /** Runs another command in this process. */
  run(...args: string[]): Promise<CommandResult>;
  close(): void;
}

export function openWorkplace(): Workplace {
  const dataDir = mkdtempSync(join(dataPlace(), 'countersign-serve-'));
  const started: Process[] = [];

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
    run: (...args) => runCommand(args, { DATA_DIR: dataDir }),
    close() {
      for (const { child } of started) child.kill('SIGKILL');
      rmSync(dataDir, { recursive: true });
    },
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
