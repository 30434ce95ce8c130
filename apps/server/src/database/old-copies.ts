import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { listClientFolders } from '@countersign/evidence';
import { isSystemError } from '../config/errors.ts';
import { removeAll } from '../files.ts';

// Copies that a migration or a restore left, also one that was killed, contain data that was erased since. They are deleted after a week.

const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** What `restore` writes at the end of the names of its folders, such as `2026-11-23T01-02-03-004Z`. */
const STAMP = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2})-(\d{3}Z)$/;
const ASIDE = 'before-restore-';
/**
 * What a copy before a migration adds to the name of the database. Matches unfinished copies, and what SQLite keeps beside a copy that
 * was opened (`-wal`), too.
 */
const BEFORE_MIGRATION = /^\.before-\d{4}_[a-z0-9_-]+(\.copying)?$/;

/** What `restore` adds to the name of a database that it has not put in its place yet. */
export const STAGED_SUFFIX = '.restoring';
/** The folder of evidence that `restore` has not put in its place yet. No client has such a name, so it is not part of evidence or backups. */
export const STAGED_EVIDENCE = '.restoring';

/** Returns the name of the folder for a database that `restore` moves aside. That for evidence has a dot before it. */
export function asideName(moment: Date): string {
  return `${ASIDE}${moment.toISOString().replaceAll(/[:.]/g, '-')}`;
}

/** Whether `restore` gave a folder its name: that of a database, or of evidence, that it moved aside. */
export function isAsideName(name: string): boolean {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  return plain.startsWith(ASIDE) && STAMP.test(plain.slice(ASIDE.length));
}

/** Where an installation has old copies. */
export interface CopyPlaces {
  /** The files of a SQLite database that `restore` replaces, the database first; none on Postgres. */
  readonly files: readonly string[];
  /** Undefined for a bucket, in which a restore moves nothing aside. */
  readonly evidenceDir: string | undefined;
}

/**
 * Deletes copies of the database before a migration, and what `restore` moved aside or left when it was killed, when they are more than
 * seven days old.
 * Everything else stays: files of other names, links, and files in these folders that `restore` does not move. So do copies with
 * a date in the future, because a clock was wrong.
 * @returns how many copies this call deleted: of several servers at once, one counts each
 */
export async function deleteOldCopies({ files, evidenceDir }: CopyPlaces, now: Date): Promise<number> {
  const before = now.getTime() - KEPT_MS;
  const [database] = files;
  let deleted = 0;
  if (database !== undefined) {
    const folder = dirname(database);
    const moved = files.map((file) => basename(file));
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      if (isCopyOf(basename(database), name) && (await deleteFile(path, before))) deleted += 1;
      if (isOldAside(name, before) && (await deleteAside(path, async () => moved))) deleted += 1;
    }
  }
  if (evidenceDir === undefined) return deleted;
  if (await deleteStaged(join(evidenceDir, STAGED_EVIDENCE), before)) deleted += 1;
  for (const name of await namesIn(evidenceDir)) {
    if (!name.startsWith('.') || !isOldAside(name.slice(1), before)) continue;
    if (await deleteAside(join(evidenceDir, name), listClientFolders)) deleted += 1;
  }
  return deleted;
}

function isCopyOf(database: string, name: string): boolean {
  if (!name.startsWith(database)) return false;
  const added = name.slice(database.length);
  return added === STAGED_SUFFIX || BEFORE_MIGRATION.test(added);
}

function isOldAside(name: string, before: number): boolean {
  if (!name.startsWith(ASIDE)) return false;
  const stamp = name.slice(ASIDE.length);
  return STAMP.test(stamp) && Date.parse(stamp.replace(STAMP, '$1:$2:$3.$4')) < before;
}

async function deleteFile(path: string, before: number): Promise<boolean> {
  return unlessGone(async () => {
    const found = await lstat(path);
    if (!found.isFile() || found.mtimeMs >= before) return false;
    await unlink(path);
    return true;
  });
}

/** Deletes what `restore` moved into a folder, and the folder if nothing else is in it. */
async function deleteAside(
  folder: string,
  movedInto: (folder: string) => Promise<readonly string[]>,
): Promise<boolean> {
  return unlessGone(async () => {
    if (!(await lstat(folder)).isDirectory()) return false;
    for (const name of await movedInto(folder)) await removeAll(join(folder, name));
    if ((await readdir(folder)).length > 0) return false;
    await rmdir(folder);
    return true;
  });
}

/** Deletes evidence that a killed `restore` left. A server only runs when no restore is under way. */
async function deleteStaged(folder: string, before: number): Promise<boolean> {
  const isOld = await unlessGone(async () => (await lstat(folder)).mtimeMs < before);
  return isOld && deleteAside(folder, listClientFolders);
}

/** Another server may have deleted it meanwhile. */
async function unlessGone(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  }
}
