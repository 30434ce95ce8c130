import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataPlace } from '@countersign/test-support/processes/data-place';
import { beforeEach } from 'vitest';
import type { Environment } from '../src/config/parse-environment.ts';
import { type CommandResult, runCommand } from './command.ts';

export interface Created {
  readonly id: string;
}

/** An operator at the command line, with a separate data directory. */
export interface Operator {
  readonly dataDir: string;
  run(...args: string[]): Promise<CommandResult>;
  /** Runs a command at a terminal, which answers its question. */
  runAtTerminal(ask: (question: string) => Promise<string>, ...args: string[]): Promise<CommandResult>;
  /** Runs a command with `--json` that must succeed, and returns the value it prints. */
  json<T>(...args: string[]): Promise<T>;
  /** Runs `client create` with the standard plan. */
  newClient(...more: string[]): Promise<Created>;
  close(): void;
}

/** `doctor` looks whether another program uses the port, as one on this machine may use 8080. No program gets this one unasked. */
const UNUSED_PORT = '65535';

export function newOperator(environment: Environment = {}): Operator {
  const dataDir = mkdtempSync(join(dataPlace(), 'countersign-cli-'));
  const settings = { DATA_DIR: dataDir, PORT: UNUSED_PORT, ...environment };
  const run = (...args: string[]) => runCommand(args, settings);

  async function json<T>(...args: string[]): Promise<T> {
    const { exitCode, out, err } = await run(...args, '--json');
    const isOneLine = out.endsWith('\n') && !out.trimEnd().includes('\n');
    if (exitCode !== 0 || err !== '' || !isOneLine) throw new Error(`exit code ${exitCode}: ${out}${err}`);
    return JSON.parse(out) as T;
  }

  return {
    dataDir,
    run,
    runAtTerminal: (ask, ...args) => runCommand(args, settings, undefined, ask),
    json,
    newClient: (...more) => json('client', 'create', '--name', 'Acme', '--plan', 'standard', ...more),
    close: () => rmSync(dataDir, { recursive: true }),
  };
}

/** Creates an operator for each test of a file. */
export function operatorOfEachTest(environment: Environment = {}): Omit<Operator, 'close'> {
  let operator: Operator;
  beforeEach(() => {
    operator = newOperator(environment);
    return operator.close;
  });
  return {
    get dataDir() {
      return operator.dataDir;
    },
    run: (...args) => operator.run(...args),
    runAtTerminal: (ask, ...args) => operator.runAtTerminal(ask, ...args),
    json: (...args) => operator.json(...args),
    newClient: (...more) => operator.newClient(...more),
  };
}
