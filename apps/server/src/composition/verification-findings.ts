import { hash } from 'node:crypto';
import {
  canHaveBytes,
  type EvidencePlace,
  type EvidenceStore,
  isThumbnailId,
  partOfContent,
  type StoredContent,
  storedContentsOf,
} from '@countersign/domain/evidence';
import { inspectVerifications, type Storage } from '@countersign/domain/storage';
import type { StoredFiles } from '@countersign/evidence-format';
import {
  createSealedEvidenceStore,
  createSealedStorage,
  type KeyWrapping,
  SEALED_FILE_ADDS,
} from '@countersign/sealing';
import { FLOWS } from '../config/flows.ts';
import { type Findings, listed } from '../database/findings.ts';

/** What `doctor` finds in the verifications of a database and in their files. */
export interface VerificationFacts {
  /** Verifications that cannot be read. */
  readonly unreadable: number;
  /** Files that readable verifications name. */
  readonly files: number;
  /** Files among them that the store of evidence lacks. */
  readonly missingFiles: number;
  /** Files among them that have another size in the store of evidence than the database knows. */
  readonly damagedFiles: number;
  /** Files among them that cannot be decrypted, or whose content differs from what was uploaded; null if they were not opened. */
  readonly unopenedFiles: number | null;
  /** Thumbnails of these files that are missing or damaged: pages show the pictures in their place. */
  readonly lostThumbnails: number;
}

interface Inspection {
  readonly unreadable: readonly string[];
  readonly files: number;
  /** Missing and damaged files and thumbnails, by their ids. */
  readonly lost: ReadonlyMap<string, LostFile>;
}

interface LostFile {
  readonly fileId: string;
  readonly verificationId: string;
  readonly state: 'missing' | 'damaged' | 'unopened';
}

/** How verifications are examined. */
export interface VerificationExamination {
  readonly keys: KeyWrapping;
  /** Undefined when the files cannot be reached. */
  readonly files: Pick<StoredFiles, 'contentBytesOf'> | undefined;
  /** If given, every file is opened and compared. Not sealed. */
  readonly contents?: EvidenceStore | undefined;
  /** Names of lost secrets: verifications that they seal are known to be unreadable. */
  readonly lostSecrets?: readonly string[] | undefined;
}

/** Reads every verification, looks for each of its files and compares its size. Changes nothing. */
export async function examineVerifications(
  storage: Storage,
  examination: VerificationExamination,
): Promise<Findings<VerificationFacts>> {
  const { files: store, contents } = examination;
  const { unreadable, files, lost: first } = await inspect(storage, examination);
  // A server may have replaced a file after its verification was read. The second inspection leaves it out.
  const still = first.size === 0 ? first : (await inspect(storage, examination, first)).lost;
  const all = [...first.values()].filter(({ fileId }) => still.has(fileId));
  const lostThumbnails = all.filter(({ fileId }) => isThumbnailId(fileId)).length;
  const lost = all.filter(({ fileId }) => !isThumbnailId(fileId));
  const missing = lost.filter(({ state }) => state === 'missing');
  const damaged = lost.filter(({ state }) => state === 'damaged');
  const unopened = lost.filter(({ state }) => state === 'unopened');
  const isOpened = contents !== undefined && store !== undefined;
  const openedText = isOpened ? `, and ${unopened.length} cannot be opened` : '';
  return {
    facts: {
      unreadable: unreadable.length,
      files,
      missingFiles: missing.length,
      damagedFiles: damaged.length,
      unopenedFiles: isOpened ? unopened.length : null,
      lostThumbnails,
    },
    lines: [
      store === undefined
        ? `Files of verifications ${files}, not looked for: the evidence cannot be reached`
        : `Files of verifications ${files}, of which ${missing.length} are missing and ${damaged.length} have a wrong size${openedText}`,
      ...(lostThumbnails === 0
        ? []
        : [`Thumbnails missing or damaged ${lostThumbnails}: pages show the pictures in their place`]),
    ],
    problems: [
      ...listed(
        unreadable,
        (id) => `Verification ${id} cannot be read: restore it from a backup`,
        'verifications',
      ),
      ...listed(
        missing,
        (file) =>
          `File ${file.fileId} of verification ${file.verificationId} is missing: restore it from a backup`,
        'files',
      ),
      ...listed(
        damaged,
        (file) =>
          `File ${file.fileId} of verification ${file.verificationId} is damaged, its size is wrong: restore it from a backup`,
        'files',
      ),
      ...listed(
        unopened,
        (file) =>
          `File ${file.fileId} of verification ${file.verificationId} is damaged, its content is not what was uploaded: restore it from a backup`,
        'files',
      ),
    ],
  };
}

/** @param only files to look for again; default: all */
async function inspect(
  storage: Storage,
  { keys, files: store, contents, lostSecrets = [] }: VerificationExamination,
  only?: ReadonlyMap<string, LostFile>,
): Promise<Inspection> {
  const unreadable: string[] = [];
  const lost = new Map<string, LostFile>();
  const opened = contents && createSealedEvidenceStore(contents, { keys, dataKeys: storage.dataKeys });
  let files = 0;
  for await (const inspected of inspectVerifications(createSealedStorage(storage, { keys }), FLOWS)) {
    const { clientId, verificationId } = inspected;
    if (inspected.outcome === 'unreadable') {
      if (!(await isSealedBy(lostSecrets, storage, inspected))) unreadable.push(verificationId);
      continue;
    }
    files += inspected.files.length;
    const ofFiles = inspected.files.flatMap(storedContentsOf);
    const sought = only === undefined ? ofFiles : ofFiles.filter(({ id }) => only.has(id));
    if (store === undefined || sought.length === 0) continue;
    const stored = await store.contentBytesOf({ clientId, verificationId });
    for (const content of sought) {
      const place = { clientId, verificationId, fileId: content.id };
      const state =
        stateBySize(content, stored.get(content.id)) ??
        (opened === undefined || (await isWhole(opened, place, content)) ? undefined : 'unopened');
      if (state !== undefined) lost.set(content.id, { fileId: content.id, verificationId, state });
    }
  }
  return { unreadable, files, lost };
}

/** Whether one of these secrets seals a verification. False if the verification cannot be read at all. */
async function isSealedBy(
  secrets: readonly string[],
  { dataKeys }: Pick<Storage, 'dataKeys'>,
  { clientId, verificationId }: { readonly clientId: string; readonly verificationId: string },
): Promise<boolean> {
  if (secrets.length === 0) return false;
  const dataKey = await dataKeys.find(clientId, verificationId).catch(() => null);
  return dataKey !== null && secrets.includes(dataKey.wrappedBy);
}

function stateBySize(file: StoredContent, bytes: number | undefined): 'missing' | 'damaged' | undefined {
  if (bytes === undefined) return 'missing';
  return canHaveBytes(file, bytes - SEALED_FILE_ADDS) ? undefined : 'damaged';
}

/** Decrypts a file, and compares its content with what was uploaded. */
async function isWhole(
  store: Pick<EvidenceStore, 'get'>,
  place: EvidencePlace,
  { pages = 0, size, sha256 }: StoredContent,
): Promise<boolean> {
  try {
    const content = await store.get(place);
    const original = content && partOfContent(content, pages, 0);
    return original?.byteLength === size && hash('sha256', original) === sha256;
  } catch {
    // A reviewer could not open it either, whatever the fault.
    return false;
  }
}
