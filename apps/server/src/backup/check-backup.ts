import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createEvidenceFolder, createFileErasureLog } from '@countersign/evidence';
import { createKeyRing, SealingError } from '@countersign/sealing';
import { examineErasureLog, mismatchText, mismatchWith } from '../composition/erasure-log-findings.ts';
import { knownSecretKeys, stillLost } from '../composition/sealing.ts';
import { examineVerifications } from '../composition/verification-findings.ts';
import { isSystemError } from '../config/errors.ts';
import type { DoctorSettings } from '../config/settings.ts';
import { BackupError } from '../database/backup-error.ts';
import { chooseDatabase, isOpenError, type OpenError } from '../database/choose-database.ts';
import type { Database, InspectedBackup } from '../database/database.ts';
import { EVIDENCE, MANIFEST, type Manifest, newerVersionText, parseManifest } from '../database/manifest.ts';
import { inBatches, type OnProgress } from '../database/progress.ts';
import { allDataKeys } from '../database/wrapping-keys.ts';
import { digestOf, exists } from '../files.ts';
import { CHECKSUMS, type ListedFile, readChecksums } from './checksums.ts';

/** The result of checking a backup. */
export interface CheckedBackup {
  readonly manifest: Manifest;
  /** Damage, and reasons why this installation cannot use it: one line each. Such a backup is not restored. */
  readonly problems: readonly string[];
  /** What was already missing or damaged when the backup was made: one line each. */
  readonly warnings: readonly string[];
  /** Why it cannot be restored yet, although it may be sound. */
  readonly notReady: string | undefined;
}

/** How a backup is restored. */
export interface RestoreOptions {
  /** Rebuilds a lost erasure log from the receipts of the backup. */
  readonly completeErasureLog?: boolean;
}

const FILES_AT_ONCE = 4;

/** The most problems of one kind that are listed. */
const LISTED = 10;

/**
 * Checks every part of a backup: each file's checksum, the database with its references, and that the secrets open its data.
 * Changes nothing.
 * @param options.completeErasureLog accepts that the erasure log is lost: `restore` rebuilds it
 * @throws BackupError when the folder holds no complete backup, or one of a newer version
 */
export async function checkBackup(
  settings: DoctorSettings,
  directory: string,
  onProgress: OnProgress,
  { completeErasureLog = false }: RestoreOptions = {},
): Promise<CheckedBackup> {
  const { manifest, listed } = await readContents(directory);
  const problems = await checkFiles(directory, { manifest, listed, onProgress });
  const database = await chooseDatabase(settings);
  const { kind } = manifest.database;
  if (kind !== database.kind) {
    const [has, is] = [nameOf(kind), nameOf(database.kind)];
    problems.push(
      `The backup has a ${has} database, and DATABASE_URL names a ${is} database: restore it as ${has} first`,
    );
  }
  // Further checks would report damaged files twice.
  if (problems.length > 0) return { manifest, problems, warnings: [], notReady: undefined };
  onProgress({ doing: 'checking the database', done: 0, total: 1 });
  const inspected = await inspect(database, directory, manifest);
  onProgress({ doing: 'checking the database', done: 1, total: 1 });
  const secrets = await checkSecrets(settings, directory, inspected, manifest.secrets.ring);
  // Read whole: after the restore, the database must forget what it names.
  const erasureLog = await examineErasureLog(settings, undefined);
  const lost = await checkLogOf(inspected, settings, { completeErasureLog });
  return {
    manifest,
    problems: [...inspected.problems, ...secrets.problems, ...erasureLog.problems, ...lost.problems],
    warnings: [...(await unfinishedRestore(database)), ...secrets.warnings, ...lost.warnings],
    notReady: inspected.notReady,
  };
}

/** Checks that the erasure log is the one of the backup's database. */
async function checkLogOf(
  { open }: InspectedBackup,
  { erasureLogDir: directory }: DoctorSettings,
  { completeErasureLog }: RestoreOptions,
): Promise<Pick<CheckedBackup, 'problems' | 'warnings'>> {
  const storage = await open?.();
  try {
    const mismatch = await mismatchWith(storage?.retention, createFileErasureLog({ directory }));
    if (mismatch === null) return { problems: [], warnings: [] };
    if (completeErasureLog && mismatch.problem === 'missing') return { problems: [], warnings: [NEW_LOG] };
    return { problems: [mismatchText(mismatch, directory, WHEN_LOST)], warnings: [] };
  } finally {
    await storage?.close();
  }
}

const WHEN_LOST = 'add --complete-erasure-log';
const NEW_LOG =
  'The erasure log is rebuilt: data that was erased after the backup was made is in the database again';

async function unfinishedRestore({ replacement }: Database): Promise<string[]> {
  if (!(await exists(replacement.markFile))) return [];
  return ['A restore was interrupted: `countersign restore` finishes it first'];
}

/** Reports a database that cannot be opened as a problem of the backup. */
async function inspect(database: Database, directory: string, manifest: Manifest): Promise<InspectedBackup> {
  try {
    return await database.inspectBackup(directory, manifest);
  } catch (error) {
    if (!isOpenError(error)) throw error;
    return { problems: [problemOf(error, manifest)], wrappedBy: [], open: undefined };
  }
}

/** Names the version to use for the database of another version. */
function problemOf({ code, message }: OpenError, manifest: Manifest): string {
  if (code === 'newer_version') return newerVersionText(manifest);
  if (code !== 'before_release') return message;
  const { version } = manifest;
  return `The backup was made by Countersign ${version}, whose database this version cannot upgrade: restore it with the program that made it`;
}

async function readContents(
  directory: string,
): Promise<{ readonly manifest: Manifest; readonly listed: readonly ListedFile[] }> {
  const isDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false;
      throw error;
    },
  );
  if (!isDirectory) throw new BackupError(`The folder ${directory} does not exist`);
  const listed: ListedFile[] = [];
  for await (const file of readChecksums(directory)) listed.push(file);
  const expected = listed.find(({ path }) => path === MANIFEST)?.sha256;
  if (expected === undefined) throw new BackupError(`The backup's ${CHECKSUMS} is damaged: it lacks ${MANIFEST}`);
  const text = await readManifest(directory);
  const { sha256 } = await digestOf(join(directory, MANIFEST));
  if (sha256 !== expected)
    throw new BackupError(`The backup's ${MANIFEST} or ${CHECKSUMS} was changed: their checksums differ`);
  return { manifest: parseManifest(text), listed };
}

async function readManifest(directory: string): Promise<string> {
  try {
    return await readFile(join(directory, MANIFEST), 'utf8');
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
    throw new BackupError(`The backup is not complete: ${MANIFEST} is missing`);
  }
}

/** Compares every file with its checksum, and the list with the manifest. */
async function checkFiles(
  directory: string,
  given: { readonly manifest: Manifest; readonly listed: readonly ListedFile[]; readonly onProgress: OnProgress },
): Promise<string[]> {
  const { manifest, listed, onProgress } = given;
  const found: string[] = [];
  let done = 0;
  const check = async ({ path, sha256 }: ListedFile): Promise<string | null> => {
    try {
      const digest = await digestOf(join(directory, path));
      return digest.sha256 === sha256 ? null : `${path} was changed: its checksum differs`;
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return `${path} is missing`;
      throw error;
    }
  };
  async function* files(): AsyncGenerator<ListedFile> {
    yield* listed;
  }
  for await (const batch of inBatches(files(), FILES_AT_ONCE, check)) {
    found.push(...batch.filter((problem) => problem !== null));
    done += batch.length;
    onProgress({ doing: 'comparing checksums', done, total: listed.length });
  }
  const evidence = new Set(listed.map(({ path }) => path).filter((path) => path.startsWith(`${EVIDENCE}/`)));
  const { file } = manifest.database;
  const expected = manifest.evidence.files + (file === null ? 1 : 2);
  if (evidence.size !== manifest.evidence.files || listed.length !== expected) {
    found.push(`${CHECKSUMS} lists ${listed.length} files, and ${MANIFEST} says ${expected}`);
  }
  if (file !== null && !listed.some(({ path }) => path === file)) found.push(`${CHECKSUMS} lacks ${file}`);
  return shortened(found);
}

/** Checks that the secrets open every data key, and what the verifications say of their files. */
async function checkSecrets(
  settings: DoctorSettings,
  directory: string,
  { wrappedBy, open }: InspectedBackup,
  ringThen: Manifest['secrets']['ring'],
): Promise<Pick<CheckedBackup, 'problems' | 'warnings'>> {
  const ring = knownSecretKeys(settings);
  const known = ring?.map((secret) => createKeyRing([secret]).newest) ?? [];
  const lostSecrets = stillLost(settings.lostSecrets, ring ?? []);
  const lacking = wrappedBy.filter((name) => !known.includes(name) && !lostSecrets.includes(name));
  if (lacking.length > 0) {
    const keys = lacking.length === 1 ? 'the secret' : 'the secrets';
    const where =
      ring === undefined
        ? `SECRET_KEYS is not set, and ${settings.dataDir} has no secret-keys file`
        : `SECRET_KEYS holds ${known.join(', ')}`;
    const problem = `The backup is sealed by ${keys} ${lacking.join(', ')}, but ${where}: set SECRET_KEYS to the key ring of its servers`;
    return { problems: [problem], warnings: [] };
  }
  const warnings = (ringThen ?? [])
    .filter((name) => !known.includes(name))
    .map(
      (name) =>
        `SECRET_KEYS lacks the secret ${name}: links that it signed and second factors that it sealed do not work`,
    );
  if (open === undefined || ring === undefined) return { problems: [], warnings };
  const keys = createKeyRing(ring);
  const storage = await open();
  try {
    const damaged: string[] = [];
    for await (const { dataKey, ...context } of allDataKeys(storage)) {
      if (lostSecrets.includes(dataKey.wrappedBy)) continue;
      try {
        await keys.unwrap(dataKey, context);
      } catch (fault) {
        if (!(fault instanceof SealingError)) throw fault;
        damaged.push(fault.message);
      }
    }
    if (damaged.length > 0) return { problems: [], warnings: [...warnings, ...shortened(damaged)] };
    const files = createEvidenceFolder(join(directory, EVIDENCE));
    const { problems } = await examineVerifications(storage, { keys, files, lostSecrets });
    return { problems: [], warnings: [...warnings, ...problems] };
  } finally {
    await storage.close();
  }
}

function shortened(lines: readonly string[]): string[] {
  if (lines.length <= LISTED) return [...lines];
  return [...lines.slice(0, LISTED), `${lines.length - LISTED} more of this kind`];
}

function nameOf(kind: 'sqlite' | 'postgres'): string {
  return kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
}
