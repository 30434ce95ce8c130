import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataPlace } from '../processes/data-place.ts';
import { onAFreePort } from './on-a-free-port.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { makeServerFolder, passable, user } from './server-folder.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { watch } from './watchdog.ts';

/** Connections use TCP and a password, as in production. */
const USER = 'countersign';
const PASSWORD = 'not-a-secret';

export interface OwnPostgres {
  /** The URL of the default database. */
  readonly url: string;
  pid(): number | undefined;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Postgres on a free port and in its own folder. */
export async function ownPostgres({
  settings = {},
  fsync = true,
  installation = postgresBinaries(),
}: PostgresOptions): Promise<OwnPostgres> {
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
    await initialise(join(bin, 'initdb'), folder, data);

    const start = (port: number) =>
      startProcess(
        {
          command: join(bin, 'postgres'),
          args: ['-D', data, ...asArguments({ ...ours(port), fsync: fsync ? 'on' : 'off', ...settings })],
          ready: /database system is ready to accept connections/,
        },
        folder,
      );
    let port = 0;
    let server: ServerProcess = await onAFreePort((free) => {
      port = free;
      return start(free);
    });

    return {
      url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
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

async function initialise(initdb: string, folder: string, data: string): Promise<void> {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  const args = ['-D', data, '-U', USER, '-E', 'UTF8', '-A', 'scram-sha-256', '--no-sync'];
  await promisify(execFile)(initdb, [...args, `--pwfile=${passwordFile}`], {
    ...user,
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
  });
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
