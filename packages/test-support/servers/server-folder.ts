import { chownSync, cpSync, linkSync, lstatSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** An unprivileged user, because Postgres and PgBouncer refuse to run as root. */
const NOBODY = 65_534;

/** The user of the servers: options for `spawn`. */
export const user: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Creates a folder that belongs to the user of the servers.
 * @param place default: the disk
 */
export function makeServerFolder(place: string = tmpdir()): string {
  const base = isPassable(place) ? place : '/tmp';
  const folder = mkdtempSync(join(base, 'countersign-server-'));
  if (user.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

/**
 * Returns a folder whose programs the user of the servers can run: `programs`, or a copy if only root can reach it. Copies
 * hard links where the file system allows.
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
