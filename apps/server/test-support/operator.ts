import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeEach } from 'vitest';
import type { Environment } from '../src/config/parse-environment.ts';
import { type CommandResult, runCommand } from './command.ts';

export interface Created {
  readonly id: string;
}

/**
 * An operator at the command line, with a separate data directory. A command is one text, whose words are its arguments: `client get 7`.
 * Arguments that are empty or have spaces follow as texts of their own.
 */
export interface Operator {
  readonly dataDir: string;
  run(command: string, ...more: string[]): Promise<CommandResult>;
  /** Runs a command at a terminal, which answers its question. */
  runAtTerminal(
    ask: (question: string) => Promise<string>,
    command: string,
    ...more: string[]
  ): Promise<CommandResult>;
  /** Runs a command with `--json` that must succeed, and returns the value it prints. */
  json<T>(command: string, ...more: string[]): Promise<T>;
  /** Runs `client create` with the standard plan. */
  newClient(...more: string[]): Promise<Created>;
}

/** `doctor` looks whether another program uses the port, as one on this machine may use 8080. No program gets this one unasked. */
const UNUSED_PORT = '65535';

export function newOperator(environment: Environment = {}): Operator {
  const dataDir = temporaryFolder();
  const settings = { DATA_DIR: dataDir, PORT: UNUSED_PORT, ...environment };
  const run: Operator['run'] = (command, ...more) => runCommand([...command.split(' '), ...more], settings);

  async function json<T>(command: string, ...more: string[]): Promise<T> {
    const { exitCode, out, err } = await run(command, ...more, '--json');
    const isOneLine = out.endsWith('\n') && !out.trimEnd().includes('\n');
    if (exitCode !== 0 || err !== '' || !isOneLine) throw new Error(`exit code ${exitCode}: ${out}${err}`);
    return JSON.parse(out) as T;
  }

  return {
    dataDir,
    run,
    runAtTerminal: (ask, command, ...more) =>
      runCommand([...command.split(' '), ...more], settings, undefined, ask),
    json,
    newClient: (...more) => json('client create --name Acme --plan standard', ...more),
  };
}

/** Creates an operator for each test of a file or `describe`. */
export function operatorOfEachTest(environment: () => Environment = () => ({})): Operator {
  let operator: Operator;
  beforeEach(() => {
    operator = newOperator(environment());
  });
  return {
    get dataDir() {
      return operator.dataDir;
    },
    run: (...command) => operator.run(...command),
    runAtTerminal: (...input) => operator.runAtTerminal(...input),
    json: (...command) => operator.json(...command),
    newClient: (...more) => operator.newClient(...more),
  };
}
