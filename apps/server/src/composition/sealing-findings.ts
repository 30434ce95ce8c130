import type { Storage } from '@countersign/domain';
import { createKeyRing, SealingError } from '@countersign/sealing';
import type { DoctorSettings } from '../config/settings.ts';
import type { Findings } from './findings.ts';
import { knownSecretKeys } from './sealing.ts';
import { examineVerifications, type VerificationFacts } from './verification-findings.ts';

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

/** What is found in the stored data: how it is sealed, and whether verifications and their files are there. */
export interface StoredDataFindings {
  readonly sealing: Findings<SealingFacts>;
  readonly verifications: Findings<VerificationFacts>;
}

const NOTHING: Findings<never> = { facts: null, lines: [], problems: [] };

/**
 * Checks that the secrets open the stored data, that every verification can be read, and that its files are there. Changes
 * nothing.
 * @param openToRead undefined when the database has a problem
 * @returns null as facts where the secrets are not known here or the data cannot be read
 */
export async function examineStoredData(
  settings: Pick<DoctorSettings, 'secretKeys' | 'dataDir' | 'evidenceDir'>,
  openToRead: (() => Promise<Storage>) | undefined,
): Promise<StoredDataFindings> {
  const ring = knownSecretKeys(settings);
  if (ring === undefined) {
    const line = `Secrets unknown: SECRET_KEYS is not set, and ${settings.dataDir} has no secret-keys file`;
    return { sealing: { facts: null, lines: [line], problems: [] }, verifications: NOTHING };
  }
  const keys = createKeyRing(ring);
  const head = `Secrets ${ring.length}, the newest ${keys.newest}`;
  const unread = { newestKey: keys.newest, keys: ring.length, olderDataKeys: null };
  const notRead = (problems: readonly string[]): StoredDataFindings => ({
    sealing: { facts: unread, lines: [head], problems },
    verifications: NOTHING,
  });
  if (openToRead === undefined) return notRead([]);
  let storage: Storage;
  try {
    storage = await openToRead();
  } catch (error) {
    // SqliteOpenError or PostgresOpenError, told apart by name: importing the classes would load both drivers.
    if (!(error instanceof Error) || !error.name.endsWith('OpenError')) throw error;
    return notRead([error.message]);
  }
  try {
    const olderDataKeys = await storage.dataKeys.countNotWrappedBy(keys.newest);
    const advice = olderDataKeys > 0 ? ' (run countersign keys rotate)' : '';
    const problems = await firstProblem(storage, keys);
    const { evidenceDir } = settings;
    return {
      sealing: {
        facts: { ...unread, olderDataKeys },
        lines: [`${head}; data keys wrapped by older secrets ${olderDataKeys}${advice}`],
        problems,
      },
      // With a missing secret, most verifications would be unreadable for the same reason.
      verifications: problems.length > 0 ? NOTHING : await examineVerifications(storage, { keys, evidenceDir }),
    };
  } finally {
    await storage.close();
  }
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
