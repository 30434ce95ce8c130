import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { isSystemError } from '../config/errors.ts';
import { BackupError } from './backup-error.ts';

const PROGRAM = 'pg_dump';
const HOW_ELSE =
  'install the version of your server, or back the database up by other means and pass --evidence-only';

/** Characters of the program's message that an error quotes. */
const QUOTED = 500;

/**
 * Dumps a PostgreSQL database into a new file with `pg_dump`, in one snapshot. The password is passed by the environment, which
 * other users cannot read.
 * @throws BackupError
 */
export async function dumpPostgres(options: {
  readonly url: string;
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): Promise<void> {
  const { file, environment } = options;
  // pg_dump would create a file that other users may read.
  await (await open(file, 'wx', 0o600)).close();
  const args = ['--format=custom', '--no-password', '--no-unlogged-table-data', '--file', file];
  const child = spawn(PROGRAM, args, {
    env: { ...environment, ...connectionOf(options.url) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-QUOTED);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => {
      reject(
        isSystemError(error, 'ENOENT')
          ? new BackupError(`${PROGRAM} is not on the PATH: ${HOW_ELSE}`, { cause: error })
          : error,
      );
    });
    child.once('close', resolve);
  });
  if (code === 0) return;
  const reason = said.trim().replaceAll(/\s*\n\s*/g, ' ');
  throw new BackupError(
    `${PROGRAM} failed (${code ?? 'killed'}): ${reason}. If its version is too old, ${HOW_ELSE}`,
  );
}

/** The variables of libpq for a connection. */
function connectionOf(text: string): Record<string, string> {
  const url = new URL(text);
  const user = decodeURIComponent(url.username);
  const sslMode = url.searchParams.get('sslmode');
  return {
    PGHOST: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    PGPORT: url.port || '5432',
    PGUSER: user,
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)) || user,
    ...(url.password !== '' && { PGPASSWORD: decodeURIComponent(url.password) }),
    ...(sslMode !== null && { PGSSLMODE: sslMode }),
  };
}
