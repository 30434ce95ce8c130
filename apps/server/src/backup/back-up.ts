import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolders } from '@countersign/evidence';
import { createStoredFileCheck, type StoredFiles } from '@countersign/evidence-format';
import { createKeyRing } from '@countersign/sealing';
import { knownSecretKeys } from '../composition/sealing.ts';
import { isSystemError, WRITE_PROBLEMS } from '../config/errors.ts';
import { folderOf } from '../config/evidence-setting.ts';
import { isWithin } from '../config/file-urls.ts';
import type { DoctorSettings } from '../config/settings.ts';
import { BackupError } from '../database/backup-error.ts';
import { chooseDatabase } from '../database/choose-database.ts';
import type { BackedUpDatabase, BackupOptions, Database } from '../database/database.ts';
import { EVIDENCE, MANIFEST, MANIFEST_FORMAT, type Manifest } from '../database/manifest.ts';
import { inBatches } from '../database/progress.ts';
import { openEvidence, TRANSFER_DEADLINES } from '../evidence/open-evidence.ts';
import {
  digestOf,
  type FileDigest,
  freeBytes,
  realPath,
  removeAll,
  syncFolder,
  writeChunks,
  writeWhole,
} from '../files.ts';
import { serverVersion } from '../version.ts';
import { type ChecksumWriter, writeChecksums } from './checksums.ts';

/** A finished backup. */
export interface Backup {
  readonly directory: string;
  readonly manifest: Manifest;
  /** Size of the database's file; null without one. */
  readonly databaseBytes: number | null;
  /** Paths of files of evidence that were damaged before they were copied. The backup has them as they are. */
  readonly damaged: readonly string[];
}

/** Number of files copied at once: each copy waits until the disk has it. */
const FILES_AT_ONCE = 8;

/**
 * Backs up the database and the evidence into a new or empty folder, while servers run. The database comes first and deletions
 * of files wait, so that every file that the database names is in the backup. A backup that fails leaves nothing.
 * @throws BackupError; SqliteOpenError, SqliteBackupError, PostgresOpenError
 */
export async function backUp(settings: DoctorSettings, target: string, options: BackupOptions): Promise<Backup> {
  const directory = resolve(target);
  await requireUsable(directory, settings);
  const database = await chooseDatabase(settings);
  const { files, close } = await openEvidence(settings.evidence, TRANSFER_DEADLINES);
  try {
    const { evidenceFiles, ...sizes } = await sizesOf(database, files, options);
    await requireSpace(directory, sizes.databaseBytes + sizes.evidenceBytes);
    const isNew = await makeFolderOf(directory);
    try {
      return await writeBackup(settings, database, { directory, files, evidenceFiles, ...options });
    } catch (error) {
      await clear(directory, isNew);
      throw inWords(error, directory);
    }
  } finally {
    close();
  }
}

interface Writing extends BackupOptions {
  readonly directory: string;
  /** The evidence of the installation. */
  readonly files: StoredFiles;
  /** Number of files when the backup began. */
  readonly evidenceFiles: number;
}

async function writeBackup(settings: DoctorSettings, database: Database, writing: Writing): Promise<Backup> {
  const { directory, files } = writing;
  const checksums = await writeChecksums(directory);
  try {
    const hold = await files.holdDeletions();
    // Not earlier: a file that was deleted before the hold is not in the backup.
    const startedAt = new Date().toISOString();
    let copied: Copied;
    try {
      copied = await copyAll(database, { checksums, ...writing });
    } finally {
      await hold.release();
    }
    const { backedUp, evidence, damaged } = copied;
    const { file } = backedUp.database;
    const digest = file === null ? null : await digestOf(join(directory, file));
    if (file !== null && digest !== null) await checksums.add([{ path: file, ...digest }]);
    const manifest: Manifest = {
      format: MANIFEST_FORMAT,
      id: randomUUID(),
      version: serverVersion(),
      startedAt,
      finishedAt: new Date().toISOString(),
      database: backedUp.database,
      secrets: { inUse: [...backedUp.wrappedBy], ring: ringOf(settings) },
      evidence,
    };
    await writeWhole(join(directory, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
    await checksums.add([{ path: MANIFEST, ...(await digestOf(join(directory, MANIFEST))) }]);
    await checksums.finish();
    return { directory, manifest, databaseBytes: digest?.bytes ?? null, damaged };
  } catch (error) {
    await checksums.abandon();
    throw error;
  }
}

interface Copied extends Pick<Backup, 'damaged'> {
  readonly backedUp: BackedUpDatabase;
  readonly evidence: Manifest['evidence'];
}

/** The database first: evidence is stored before the row that names it. */
async function copyAll(
  database: Database,
  options: Writing & { readonly checksums: ChecksumWriter },
): Promise<Copied> {
  const { directory, files, checksums, evidenceFiles, onProgress } = options;
  const backedUp = await database.backUp(directory, options);
  const copied = { files: 0, bytes: 0 };
  const damaged: string[] = [];
  const folders = new Set<string>();
  const copies = inBatches(files.list(), FILES_AT_ONCE, async ({ path }) => {
    const folder = join(directory, EVIDENCE, dirname(path));
    if (!folders.has(folder)) await makeFolders(folder);
    folders
      .add(folder)
      .add(dirname(folder))
      .add(dirname(dirname(folder)));
    return copyEvidence(files, directory, path);
  });
  for await (const batch of copies) {
    const present = batch.filter((file) => file !== null);
    await checksums.add(present);
    copied.files += present.length;
    for (const { bytes } of present) copied.bytes += bytes;
    damaged.push(...present.filter(({ isDamaged }) => isDamaged).map(({ path }) => path));
    onProgress({ doing: 'copying evidence', done: copied.files, total: Math.max(evidenceFiles, copied.files) });
  }
  for (const folder of folders) await syncFolder(folder);
  return { backedUp, evidence: copied, damaged };
}

async function copyEvidence(
  files: StoredFiles,
  directory: string,
  path: string,
): Promise<({ path: string; isDamaged: boolean } & FileDigest) | null> {
  const chunks = await files.read(path);
  // Deleted by a call that began before the hold: the database in the backup does not name it.
  if (chunks === null) return null;
  const listed = `${EVIDENCE}/${path}`;
  const check = createStoredFileCheck();
  const digest = await writeChunks(chunks, join(directory, listed), check.add);
  return { path: listed, ...digest, isDamaged: check.isDamaged() };
}

function ringOf(settings: DoctorSettings): string[] | null {
  const ring = knownSecretKeys(settings);
  return ring === undefined ? null : ring.map((secret) => createKeyRing([secret]).newest);
}

/** Requires a new or empty folder outside the folders that are backed up, because it must survive their loss. */
async function requireUsable(
  directory: string,
  { dataDir, evidence, erasureLogDir }: Pick<DoctorSettings, 'dataDir' | 'evidence' | 'erasureLogDir'>,
): Promise<void> {
  const place = realPath(directory);
  const folders = { DATA_DIR: dataDir, EVIDENCE_URL: folderOf(evidence), ERASURE_LOG_URL: erasureLogDir };
  for (const [name, folder] of Object.entries(folders)) {
    if (folder !== undefined && isWithin(place, realPath(folder))) {
      throw new BackupError(
        `${directory} is inside the folder of ${name} and would be lost with it: choose another place`,
      );
    }
  }
  try {
    if ((await readdir(directory)).length === 0) return;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return;
    throw inWords(error, directory);
  }
  throw new BackupError(`${directory} is not empty: choose a new folder, or empty this one`);
}

async function sizesOf(
  database: Database,
  files: StoredFiles,
  { evidenceOnly }: Pick<BackupOptions, 'evidenceOnly'>,
): Promise<{ databaseBytes: number; evidenceFiles: number; evidenceBytes: number }> {
  const databaseBytes = evidenceOnly ? 0 : await database.sizeBytes();
  let [evidenceFiles, evidenceBytes] = [0, 0];
  for await (const { bytes } of files.list()) {
    evidenceFiles += 1;
    evidenceBytes += bytes;
  }
  return { databaseBytes, evidenceFiles, evidenceBytes };
}

/** @throws BackupError when so many bytes do not fit */
export async function requireSpace(directory: string, bytes: number): Promise<void> {
  const free = await freeBytes(directory);
  if (free >= bytes) return;
  throw new BackupError(`${directory} has too little space: ${bytes} bytes are needed, ${free} are free`);
}

async function makeFolderOf(directory: string): Promise<boolean> {
  try {
    return await makeFolders(directory);
  } catch (error) {
    throw inWords(error, directory);
  }
}

async function clear(directory: string, isNew: boolean): Promise<void> {
  try {
    if (isNew) return await removeAll(directory);
    for (const name of await readdir(directory)) await removeAll(join(directory, name));
  } catch (error) {
    // The disk may be the cause of the failure that is reported.
    if (!isSystemError(error)) throw error;
  }
}

/** Turns a system error that an operator can fix into a `BackupError`. */
export function inWords(error: unknown, directory: string): unknown {
  if (!isSystemError(error)) return error;
  const reason = WRITE_PROBLEMS[error.code];
  return reason === undefined
    ? error
    : new BackupError(`${directory} cannot be written: ${reason}`, { cause: error });
}
