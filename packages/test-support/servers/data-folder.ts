import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataPlace } from '../processes/data-place.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { makeServerFolder, passable, user } from './server-folder.ts';
import { watch } from './watchdog.ts';

/** Connections use TCP and a password, as in production. */
export const LOGIN = { user: 'countersign', password: 'not-a-secret' } as const;

const { env } = process;
/** Set by the main process for the workers. */
const PREPARED = 'TEST_PREPARED_POSTGRES';
const run = promisify(execFile);

/**
 * Initialises a data folder, of which each Postgres of the test run gets a copy: starting one then takes a fifth of the CPU.
 * @returns what removes it
 */
export async function prepareDataFolder(): Promise<() => void> {
  const installation = postgresBinaries();
  if (installation === undefined) throw new Error('there is no Postgres for this platform');
  const [programs, folder] = [makeServerFolder(), makeServerFolder(dataPlace())];
  const watchdog = watch('QUIT', programs, folder);
  const remove = () => {
    delete env[PREPARED];
    for (const each of [programs, folder]) rmSync(each, { recursive: true, force: true, maxRetries: 3 });
    watchdog.release();
  };
  try {
    const data = join(folder, 'data');
    const bin = join(passable(installation, join(programs, 'programs')), 'bin');
    await initialise(join(bin, 'initdb'), programs, data);
    env[PREPARED] = data;
    return remove;
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Creates the data folder of a server.
 * @param given `bin` of the `installation`; `folder` for a password file
 */
export async function createDataFolder(given: {
  readonly installation: string;
  readonly bin: string;
  readonly folder: string;
  readonly data: string;
}): Promise<void> {
  const prepared = env[PREPARED];
  if (prepared === undefined || given.installation !== postgresBinaries()) {
    await initialise(join(given.bin, 'initdb'), given.folder, given.data);
  } else {
    // By the user of the servers, to whom the copy belongs then.
    await run('cp', ['-R', prepared, given.data], { ...user, cwd: given.folder });
  }
}

async function initialise(initdb: string, folder: string, data: string): Promise<void> {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, LOGIN.password);
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
  const args = ['-D', data, '-U', LOGIN.user, '-E', 'UTF8', '-A', 'scram-sha-256', '--no-sync'];
  const { stdout: version } = await run(initdb, ['--version'], options);
  await run(initdb, [...args, `--pwfile=${passwordFile}`, ...quickPassword(version)], options);
}

/**
 * Stores the password with one hash instead of 4,096, which would take 2 ms of processor time for each of thousands of
 * connections. Since Postgres 16.
 */
function quickPassword(version: string): string[] {
  const major = Number(/ (\d+)/.exec(version)?.[1]);
  return major >= 16 ? ['--set=scram_iterations=1'] : [];
}
