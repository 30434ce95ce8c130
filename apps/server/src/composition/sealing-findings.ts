import { findUnreadable, type Storage } from '@countersign/domain';
import { createKeyRing, createSealedStorage, SealingError } from '@countersign/sealing';
import type { SealingSettings } from '../config/settings.ts';
import { FLOWS } from './core-container.ts';
import { knownSecretKeys } from './sealing.ts';

/** How the personal data of verifications is sealed. */
export interface SealingFacts {
  /** Names the key that wraps now. */
  readonly newestKey: string;
  /** Keys in the ring, this one included. */
  readonly keys: number;
  /** Data keys that other keys wrapped; null where the database cannot be read. */
  readonly olderDataKeys: number | null;
}

export interface SealingFindings {
  /** Null where the ring of the servers is not known here. */
  readonly facts: SealingFacts | null;
  readonly lines: readonly string[];
  readonly problems: readonly string[];
}

/** So many data keys of older keys are tried: a secret that is missing shows with the first one. */
const SAMPLE = 100;

/** Unreadable verifications that are named. */
const NAMED = 10;

/**
 * Looks, and changes nothing.
 * @param openToRead undefined where something is wrong with the database
 */
export async function examineSealing(
  settings: Pick<SealingSettings, 'secretKeys' | 'dataDir'>,
  openToRead: (() => Promise<Storage>) | undefined,
): Promise<SealingFindings> {
  const ring = knownSecretKeys(settings);
  if (ring === undefined) {
    const line = `Secrets not known here: SECRET_KEYS is not set, and there are none in ${settings.dataDir}`;
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
    // SqliteOpenError and PostgresOpenError: to import their classes would load both drivers.
    if (!(error instanceof Error) || !error.name.endsWith('OpenError')) throw error;
    return { facts: unread, lines: [head], problems: [error.message] };
  }
  try {
    const olderDataKeys = await storage.dataKeys.countNotWrappedBy(keys.newest);
    const advice = olderDataKeys > 0 ? ': countersign keys rotate re-wraps them' : '';
    const problems = await firstProblem(storage, keys);
    return {
      facts: { ...unread, olderDataKeys },
      lines: [`${head}; data keys wrapped by older ones ${olderDataKeys}${advice}`],
      // With a secret missing, most verifications would be unreadable for the same reason.
      problems: problems.length > 0 ? problems : await unreadableProblems(createSealedStorage(storage, { keys })),
    };
  } finally {
    await storage.close();
  }
}

/** Reads every verification; names the unreadable ones, up to `NAMED`. */
async function unreadableProblems(storage: Storage): Promise<string[]> {
  const problems: string[] = [];
  for await (const { verificationId } of findUnreadable(storage, FLOWS)) {
    if (problems.length === NAMED) return [...problems, 'More verifications may be unreadable'];
    problems.push(`Verification ${verificationId} cannot be read: restore it from a backup`);
  }
  return problems;
}

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
