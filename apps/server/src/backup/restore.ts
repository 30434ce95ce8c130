import { basename, dirname, join, resolve } from 'node:path';
import { createFileErasureLog, listClientFolders, makeFolders } from '@countersign/evidence';
import { isEvidencePath, type StoredFiles } from '@countersign/evidence-format';
import { applyErasureLog, endReleases } from '../composition/administration.ts';
import { ensureDataDirectory } from '../config/data-directory.ts';
import { folderOf } from '../config/evidence-setting.ts';
import type { DoctorSettings } from '../config/settings.ts';
import { BackupError } from '../database/backup-error.ts';
import { chooseDatabase, isOpenError } from '../database/choose-database.ts';
import type { Database } from '../database/database.ts';
import { EVIDENCE, type Manifest, SQLITE_FILE } from '../database/manifest.ts';
import { asideName, STAGED_EVIDENCE, STAGED_SUFFIX } from '../database/old-copies.ts';
import { inBatches, type OnProgress } from '../database/progress.ts';
import { onceAfterRestore } from '../database/restored-mark.ts';
import { openEvidence, TRANSFER_DEADLINES } from '../evidence/open-evidence.ts';
import { digestAt } from '../evidence/stored-digest.ts';
import { chunksOf, copyFile, exists, removeAll, sizeOf, syncFolder } from '../files.ts';
import { inWords, requireSpace } from './back-up.ts';
import { type CheckedBackup, checkBackup, type RestoreOptions } from './check-backup.ts';
import { type ListedFile, readChecksums } from './checksums.ts';
import { finishSwap, type Swap, swap } from './swap.ts';

/** A finished restore. */
export interface Restored extends Pick<CheckedBackup, 'manifest' | 'warnings'> {
  /** Folders with everything that was there before; none if there was nothing. */
  readonly movedAside: readonly string[];
  /** Id of a backup whose restore was interrupted and finished now, before this one. */
  readonly finished: string | undefined;
  /** Entries of the erasure log that the backup lacked, and that were applied to it. */
  readonly erasuresApplied: number;
}

const FILES_AT_ONCE = 8;

/**
 * Replaces the installation's database and evidence by those of a backup. Everything is checked before anything is moved, and
 * what was there is moved aside whole. Killed before the first move, it leaves the old installation; killed later, it leaves one
 * that no server starts on, and the next call finishes it. At the end it erases again what was erased after the backup was made.
 * @throws BackupError; SqliteOpenError `already_served`
 */
export async function restore(
  settings: DoctorSettings,
  source: string,
  onProgress: OnProgress,
  options: RestoreOptions = {},
): Promise<Restored> {
  const directory = resolve(source);
  const database = await chooseDatabase(settings);
  ensureDataDirectory(settings.dataDir);
  const lock = await lockOf(database, settings);
  try {
    const replaced = await replace(settings, { database, directory, onProgress, options });
    const { erasuresApplied, warnings } = await eraseAgain(settings, options);
    return { ...replaced, erasuresApplied, warnings: [...replaced.warnings, ...warnings] };
  } finally {
    await lock.release();
  }
}

/** Puts the backup into place. */
async function replace(
  settings: DoctorSettings,
  given: {
    readonly database: Database;
    readonly directory: string;
    readonly onProgress: OnProgress;
    readonly options: RestoreOptions;
  },
): Promise<Omit<Restored, 'erasuresApplied'>> {
  const { database, directory, onProgress, options } = given;
  const { replacement } = database;
  const finished = await finishSwap(replacement.markFile);
  if (finished !== undefined) onProgress({ doing: 'finishing an interrupted restore', done: 1, total: 1 });
  const { manifest, problems, warnings, notReady } = await checkBackup(settings, directory, onProgress, options);
  refuse([...problems, ...(notReady === undefined ? [] : [notReady])]);
  if (finished?.backup === manifest.id) {
    return { manifest, warnings, movedAside: await movedAsideBy(finished), finished: finished.backup };
  }
  const plan = planOf(settings, database, manifest);
  const { files, close } = await openEvidence(settings.evidence, TRANSFER_DEADLINES);
  try {
    await stage(directory, plan, files, onProgress);
  } catch (error) {
    for (const leftover of plan.leftovers) await removeAll(leftover);
    throw inWords(error, files.place);
  } finally {
    close();
  }
  const swapped = { backup: manifest.id, ...(await movesOf(plan)), leftovers: plan.leftovers };
  await swap(replacement.markFile, swapped);
  // Servers on other machines do not see the mark in this machine's DATA_DIR.
  if (plan.evidence === null && database.kind === 'postgres') {
    await onceAfterRestore(replacement, () => endReleases(settings));
  }
  return { manifest, warnings, movedAside: await movedAsideBy(swapped), finished: finished?.backup };
}

async function lockOf(
  { replacement, place }: Database,
  { dataDir, evidence }: DoctorSettings,
): Promise<{ release(): Promise<void> }> {
  try {
    return await replacement.lock();
  } catch (error) {
    if (!isOpenError(error) || error.code !== 'already_served')
      throw inWords(error, folderOf(evidence) ?? dataDir);
    throw new BackupError(`A server serves the database ${place}: stop it first`, { cause: error });
  }
}

/** Erases what the erasure log names. A fault becomes a warning: a server tries again before it serves. */
async function eraseAgain(
  settings: DoctorSettings,
  { completeErasureLog: complete = false }: RestoreOptions,
): Promise<Pick<Restored, 'erasuresApplied' | 'warnings'>> {
  try {
    const log = createFileErasureLog({ directory: settings.erasureLogDir });
    // Without entries, the database is not opened, which could migrate it.
    if (!complete && (await log.head()) === 0) return { erasuresApplied: 0, warnings: [] };
    const { applied, failed } = await applyErasureLog(settings, { complete });
    if (failed === 0) return { erasuresApplied: applied, warnings: [] };
    return {
      erasuresApplied: applied,
      warnings: [`${failed} verifications that the erasure log names could not be erased again: ${NEXT_START}`],
    };
  } catch (error) {
    // Storages and @countersign/evidence word every error for operators.
    if (!(error instanceof Error)) throw error;
    return {
      erasuresApplied: 0,
      warnings: [`The erasure log was not applied (${error.message}): ${NEXT_START}`],
    };
  }
}

const NEXT_START = 'the next start of a server tries it before it serves';

function refuse(problems: readonly string[]): void {
  const [first, ...more] = problems;
  if (first === undefined) return;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more: run restore --check)`;
  throw new BackupError(`Nothing was restored: ${first}${rest}`);
}

interface Plan {
  readonly manifest: Manifest;
  readonly database: Database;
  /** The folder of the evidence; null for a bucket. */
  readonly evidence: {
    readonly directory: string;
    /** Where the new evidence is copied to first. */
    readonly staged: string;
    readonly aside: string;
  } | null;
  /** Where the new database is copied to first; null if another program restores it. */
  readonly stagedDatabase: string | null;
  readonly databaseAside: string | null;
  readonly leftovers: string[];
}

/** Plans a copy of each part beside its place, in the same file system, from where it can be renamed. */
function planOf(settings: DoctorSettings, database: Database, manifest: Manifest): Plan {
  const aside = asideName(new Date());
  const [file] = database.replacement.files;
  const stagedDatabase = file === undefined ? null : `${file}${STAGED_SUFFIX}`;
  const directory = folderOf(settings.evidence);
  const evidence =
    directory === undefined
      ? null
      : { directory, staged: join(directory, STAGED_EVIDENCE), aside: join(directory, `.${aside}`) };
  return {
    manifest,
    database,
    evidence,
    stagedDatabase,
    databaseAside: file === undefined ? null : join(dirname(file), aside),
    leftovers: [stagedDatabase, evidence?.staged ?? null].filter((path) => path !== null),
  };
}

/**
 * Copies the backup beside the installation, and compares each copy with its checksum. A bucket receives the files that it lacks or
 * has damaged directly: a file id is never given twice, so a present object is the same file, or damaged.
 */
async function stage(directory: string, plan: Plan, files: StoredFiles, onProgress: OnProgress): Promise<void> {
  const { manifest, evidence, stagedDatabase, leftovers } = plan;
  for (const leftover of leftovers) await removeAll(leftover);
  const databaseBytes = (await sizeOf(join(directory, SQLITE_FILE))) ?? 0;
  if (evidence !== null) await requireSpace(evidence.directory, manifest.evidence.bytes + databaseBytes);
  if (stagedDatabase !== null) await requireSpace(dirname(stagedDatabase), databaseBytes);
  if (evidence !== null) await makeFolders(evidence.staged);

  const folders = new Set<string>(evidence === null ? [] : [evidence.staged]);
  const total = manifest.evidence.files + (stagedDatabase === null ? 0 : 1);
  let done = 0;
  const copy = async ({ path, sha256 }: ListedFile): Promise<number> => {
    const target = stagedPathOf(path, plan);
    if (target === undefined) return putIntoBucket(directory, { path, sha256 }, files);
    const folder = dirname(target);
    if (!folders.has(folder)) await makeFolders(folder);
    folders.add(folder);
    if (isEvidencePath(path.slice(EVIDENCE.length + 1))) folders.add(dirname(folder));
    const copied = await copyFile(join(directory, path), target);
    if (copied.sha256 !== sha256)
      throw new BackupError(`Nothing was restored: ${path} changed while it was copied`);
    return 1;
  };
  for await (const copied of inBatches(readChecksums(directory), FILES_AT_ONCE, copy)) {
    for (const one of copied) done += one;
    onProgress({ doing: 'copying the backup', done, total });
  }
  for (const folder of folders) await syncFolder(folder);
}

/** Returns how many files the bucket has now because of this call, or had: 0 for files of a backup that are not evidence. */
async function putIntoBucket(
  directory: string,
  { path: listed, sha256 }: ListedFile,
  files: StoredFiles,
): Promise<number> {
  if (!listed.startsWith(`${EVIDENCE}/`)) return 0;
  const path = listed.slice(EVIDENCE.length + 1);
  const present = await digestAt(files, path);
  // A file that was damaged before the backup can be sound in the bucket.
  if (present === null || (present.isDamaged && present.sha256 !== sha256)) {
    await files.write(path, chunksOf(join(directory, listed)), { replace: present !== null });
  }
  return 1;
}

/** Returns undefined for files of a backup that are not copied beside the installation. */
function stagedPathOf(path: string, { stagedDatabase, evidence }: Plan): string | undefined {
  if (path.startsWith(`${EVIDENCE}/`)) {
    return evidence === null ? undefined : join(evidence.staged, path.slice(EVIDENCE.length + 1));
  }
  return path === SQLITE_FILE && stagedDatabase !== null ? stagedDatabase : undefined;
}

async function movesOf(plan: Plan): Promise<Pick<Swap, 'moves'>> {
  const { database, stagedDatabase, databaseAside, evidence } = plan;
  const moves: Swap['moves'][number][] = [];
  for (const [index, place] of database.replacement.files.entries()) {
    const staged = index === 0 ? stagedDatabase : null;
    moves.push({ place, aside: join(databaseAside ?? dirname(place), basename(place)), staged });
  }
  if (evidence === null) return { moves };
  const clients = new Set([
    ...(await listClientFolders(evidence.directory)),
    ...(await listClientFolders(evidence.staged)),
  ]);
  for (const client of clients) {
    const staged = join(evidence.staged, client);
    moves.push({
      place: join(evidence.directory, client),
      aside: join(evidence.aside, client),
      staged: (await exists(staged)) ? staged : null,
    });
  }
  return { moves };
}

async function movedAsideBy({ moves }: Pick<Swap, 'moves'>): Promise<string[]> {
  const folders = new Set<string>();
  for (const { aside } of moves) if (await exists(aside)) folders.add(dirname(aside));
  return [...folders];
}
