import { chownSync, cpSync, linkSync, lstatSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Postgres and PgBouncer refuse to run as root. This user owns nothing and may do nothing. */
const NOBODY = 65_534;

/** Whom a server runs as: options for `spawn`. */
export const user: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A new folder that belongs to the user the servers run as. */
export function makeServerFolder(): string {
  const base = isPassable(tmpdir()) ? tmpdir() : '/tmp';
  const folder = mkdtempSync(join(base, 'countersign-server-'));
  if (user.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

/**
 * Where the user of the servers can run what is in `programs`: there, or in a copy of it, since a checkout may stand
 * in a folder that is root's alone. The copy is of links wherever the file system allows.
 */
export function passable(programs: string, copy: string): string {
  if (isPassable(programs)) return programs;
  const sameFileSystem = statSync(programs).dev === statSync(dirname(copy)).dev;
  cpSync(programs, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from, to) => {
      if (!sameFileSystem || !lstatSync(from).isFile()) return true;
      linkSync(from, to);
      return false;
    },
  });
  return copy;
}

function isPassable(folder: string): boolean {
  if (user.uid === undefined) return true;
  const forAll = (statSync(folder).mode & 0o001) !== 0;
  return forAll && (dirname(folder) === folder || isPassable(dirname(folder)));
}
