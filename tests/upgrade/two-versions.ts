import { type Environment, type Finished, run } from '@countersign/test-support/processes/child-process';
import type { SettableClock } from '@countersign/test-support/processes/clock';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import type { PostgresServer } from '@countersign/test-support/servers';
import { type KeptInstallation, type Kind, readKept } from './kept-installation.ts';
import { clockOf, placeOf } from './kept-place.ts';
import { createCommands, unpackProgram } from './kept-program.ts';

const MINUTE_MS = 60_000;

/** The program of the earlier version, or of this one. */
export type Which = 'old' | 'fresh';

/** A kept installation, which its version and this one serve: side by side, or in turn. */
export interface TwoVersions {
  readonly kept: KeptInstallation;
  readonly clock: SettableClock;
  /** The environment of both programs. */
  readonly env: { readonly DATA_DIR: string } & Environment;
  /**
   * Returns the server of a version, which starts if it does not run.
   * @param more settings of a server that starts
   */
  serve(which: Which, more?: Environment): Promise<ServerProcess>;
  /** Starts a server of the earlier version, which refuses to start. Returns its exit code and output. */
  refusal(): Promise<Finished>;
  /**
   * Runs a command of a version, which must succeed. Returns the value that `--json` prints.
   * @param more settings of the command
   */
  command<T>(which: Which, args: readonly string[], more?: Environment): Promise<T>;
  /** Moves the clock on, because each code of a device is accepted once. */
  nextMinute(): Date;
  /** Stops the servers. */
  stop(): Promise<void>;
}

/**
 * Makes a copy of a kept installation for two versions.
 * @param options.postgres server that receives the rows; undefined for SQLite
 * @param options.isInTurn whether a server stops before another starts, as on SQLite
 */
export async function placeTwoVersions(
  version: string,
  kind: Kind,
  { postgres, isInTurn = kind === 'sqlite' }: { postgres: PostgresServer | undefined; isInTurn?: boolean },
): Promise<TwoVersions> {
  const kept = readKept(version, kind);
  const clock = clockOf(kept);
  const program = unpackProgram(version);
  const env = {
    ...(await placeOf(version, kind, postgres)),
    ...clock.env,
    SECRET_KEYS: kept.secretKeys,
    PUBLIC_BASE_URL: 'https://verify.example',
    READER: 'off',
  };
  const serving = new Map<Which, ServerProcess>();

  async function stop(): Promise<void> {
    const servers = [...serving.values()];
    serving.clear();
    for (const server of servers) {
      const { code, stderr } = await server.stop();
      if (code !== 0) throw new Error(`the server ended with ${code}:\n${stderr}`);
    }
  }

  return {
    kept,
    clock,
    env,
    async serve(which, more = {}) {
      const running = serving.get(which);
      if (running !== undefined) return running;
      if (isInTurn) await stop();
      const command = which === 'old' ? { command: [process.execPath, program] } : {};
      const started = await startServer({ dataDir: env.DATA_DIR, env: { ...env, ...more }, ...command });
      serving.set(which, started);
      return started;
    },
    refusal: async () =>
      run(process.execPath, [program, 'serve'], { env: { ...env, PORT: String(await freePort()) } }),
    command: (which, args, more = {}) =>
      which === 'old'
        ? createCommands(program, { ...env, ...more })(...args)
        : countersignHere(args, { ...env, ...more }),
    nextMinute() {
      clock.set(new Date(clock.now().getTime() + MINUTE_MS).toISOString());
      return clock.now();
    },
    stop,
  };
}
