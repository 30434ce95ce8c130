import { findUnreadable, type Storage } from '@countersign/domain';
import { createKeyRing, createSealedStorage, SealingError } from '@countersign/sealing';
import type { SealingSettings } from '../config/settings.ts';
import { FLOWS } from './core.ts';
import type { Findings } from './findings.ts';
import { knownSecretKeys } from './sealing.ts';

/** How the personal data of verifications is sealed. */
export interface SealingFacts {
  /** Id of the key that wraps new data keys. */
  readonly newestKey: string;
  /** Number of keys in the ring, the newest included. */
  readonly keys: number;
  /** Data keys wrapped by older keys. Null when the database cannot be read. */
  readonly olderDataKeys: number | null;
}

/** Data keys of older keys that are tried. A missing secret shows with the first one. */
const SAMPLE = 100;

/** The most unreadable verifications that are listed. */
const LISTED = 10;

/**
 * Checks that the secrets open the stored data. Changes nothing.
 * @param openToRead undefined when the database has a problem
 * @returns null as facts when the servers' secrets are not known here
 */
export async function examineSealing(
  settings: Pick<SealingSettings, 'secretKeys' | 'dataDir'>,
  openToRead: (() => Promise<Storage>) | undefined,
): Promise<Findings<SealingFacts>> {
  const ring = knownSecretKeys(settings);
  if (ring === undefined) {
    const line = `Secrets unknown: SECRET_KEYS is not set, and ${settings.dataDir} has no secret-keys file`;
    return { facts: null, lines: [line], problems: [] };
  }
  const keys = createKeyRing(ring);
  const head = `Secrets ${ring.length}, the newest ${keys.newest}`;
  const unread = { newestKey: keys.newest, keys: ring.length, olderDataKeys: null };
  if (openToRead === undefined) return { facts: unread, lines: [head], problems: [] };
  let storage: Storage;
  try {
    storage = await openToRead();
  } catch (error) {
    // SqliteOpenError or PostgresOpenError, told apart by name: importing the classes would load both drivers.
    if (!(error instanceof Error) || !error.name.endsWith('OpenError')) throw error;
    return { facts: unread, lines: [head], problems: [error.message] };
  }
  try {
    const olderDataKeys = await storage.dataKeys.countNotWrappedBy(keys.newest);
    const advice = olderDataKeys > 0 ? ' (run countersign keys rotate)' : '';
    const problems = await firstProblem(storage, keys);
    return {
      facts: { ...unread, olderDataKeys },
      lines: [`${head}; data keys wrapped by older secrets ${olderDataKeys}${advice}`],
      // With a missing secret, most verifications would be unreadable for the same reason.
      problems: problems.length > 0 ? problems : await unreadableProblems(createSealedStorage(storage, { keys })),
    };
  } finally {
    await storage.close();
  }
}

/** Reads every verification. Lists unreadable ones, up to `LISTED`. */
async function unreadableProblems(storage: Storage): Promise<string[]> {
  const problems: string[] = [];
  for await (const { verificationId } of findUnreadable(storage, FLOWS)) {
    if (problems.length === LISTED) return [...problems, 'More verifications may be unreadable'];
    problems.push(`Verification ${verificationId} cannot be read: restore it from a backup`);
  }
  return problems;
}

/** Unwraps a sample of older data keys, and returns the first error. */
async function firstProblem({ dataKeys }: Storage, keys: ReturnType<typeof createKeyRing>): Promise<string[]> {
  for (const { dataKey, ...context } of await dataKeys.listNotWrappedBy(keys.newest, null, SAMPLE)) {
    try {
      await keys.unwrap(dataKey, context);
    } catch (fault) {
      if (fault instanceof SealingError) return [fault.message];
      throw fault;
    }
  }
  return [];
}
