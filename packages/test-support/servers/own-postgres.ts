import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataPlace } from '../processes/data-place.ts';
import { createDataFolder, LOGIN } from './data-folder.ts';
import { onAFreePort } from './on-a-free-port.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { makeServerFolder, passable } from './server-folder.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { watch } from './watchdog.ts';

export interface OwnPostgres {
  readonly port: number;
  /** Its data folder. */
  readonly data: string;
  /** The URL of the default database. */
  readonly url: string;
  pid(): number | undefined;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a Postgres on a free port and in its own folder.
 * @param fillData creates the data folder. Default: a new one.
 */
export async function ownPostgres(
  { settings = {}, fsync = true, installation = postgresBinaries() }: PostgresOptions,
  fillData?: (data: string) => Promise<void>,
): Promise<OwnPostgres> {
  if (installation === undefined) throw new Error('there is no Postgres for this platform: set TEST_POSTGRES_URL');

  // Separate folders, because programs in memory may not be executable.
  const folder = makeServerFolder();
  const dataFolder = fsync ? folder : makeServerFolder(dataPlace());
  const watchdog = watch('QUIT', folder, dataFolder);
  const remove = () => {
    for (const each of [folder, dataFolder]) rmSync(each, { recursive: true, force: true, maxRetries: 3 });
    watchdog.release();
  };
  try {
    const bin = join(passable(installation, join(folder, 'programs')), 'bin');
    const data = join(dataFolder, 'data');
    await (fillData?.(data) ?? createDataFolder({ installation, bin, folder, data }));

    const start = (port: number) =>
      startProcess(
        {
          command: join(bin, 'postgres'),
          args: ['-D', data, ...asArguments({ ...ours(port), fsync: fsync ? 'on' : 'off', ...settings })],
          ready: /database system is ready to accept (?:read-only )?connections/,
        },
        folder,
      );
    let port = 0;
    let server: ServerProcess = await onAFreePort((free) => {
      port = free;
      return start(free);
    });

    return {
      port,
      data,
      url: `postgres://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${port}/postgres`,
      pid: () => server.pid,
      freeze: () => server.freeze(),
      thaw: () => server.thaw(),
      kill: () => server.end('SIGKILL'),
      async restart() {
        await server.end('SIGINT');
        server = await start(port);
      },
      async stop() {
        await server.end('SIGQUIT');
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function ours(port: number): Record<string, string | number> {
  return {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Keeps shared memory in the folder, so that a killed server leaves no files elsewhere.
    dynamic_shared_memory_type: 'mmap',
    log_destination: 'stderr',
  };
}

function asArguments(settings: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
