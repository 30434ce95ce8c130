import { countOlderSecondFactors } from '@countersign/accounts';
import type { Storage } from '@countersign/domain';
import { createKeyRing, SealingError } from '@countersign/sealing';
import type { DoctorSettings } from '../config/settings.ts';
import { isOpenError } from '../database/choose-database.ts';
import type { Database } from '../database/database.ts';
import type { Findings } from '../database/findings.ts';
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
  /** Second factors sealed by older keys. Null when the database cannot be read. */
  readonly olderSecondFactors: number | null;
}

/** Data keys of older keys that are tried. A missing secret shows with the first one. */
const SAMPLE = 100;

/** What `doctor` finds in the stored data: how it is sealed, and whether verifications can be read and have their files. */
export interface StoredDataFindings {
  readonly sealing: Findings<SealingFacts>;
  readonly verifications: Findings<VerificationFacts>;
}

const NOTHING: Findings<never> = { facts: null, lines: [], problems: [] };

/**
 * Checks that the secrets open the stored data, that every verification can be read, and that its files exist. Changes
 * nothing.
 * @param database undefined when the database has a problem
 * @returns null as facts where the secrets are not known here or the data cannot be read
 */
export async function examineStoredData(
  settings: Pick<DoctorSettings, 'secretKeys' | 'dataDir' | 'evidenceDir'>,
  database: Pick<Database, 'openToRead' | 'accounts'> | undefined,
): Promise<StoredDataFindings> {
  const ring = knownSecretKeys(settings);
  if (ring === undefined) {
    const line = `Secrets unknown: SECRET_KEYS is not set, and ${settings.dataDir} has no secret-keys file`;
    return { sealing: { facts: null, lines: [line], problems: [] }, verifications: NOTHING };
  }
  const keys = createKeyRing(ring);
  const head = `Secrets ${ring.length}, the newest ${keys.newest}`;
  const unread = { newestKey: keys.newest, keys: ring.length, olderDataKeys: null, olderSecondFactors: null };
  const notRead = (problems: readonly string[]): StoredDataFindings => ({
    sealing: { facts: unread, lines: [head], problems },
    verifications: NOTHING,
  });
  if (database === undefined) return notRead([]);
  let storage: Storage;
  try {
    storage = await database.openToRead();
  } catch (error) {
    if (!isOpenError(error)) throw error;
    return notRead([error.message]);
  }
  try {
    const olderDataKeys = await storage.dataKeys.countNotWrappedBy(keys.newest);
    const olderSecondFactors = await secondFactorsOf(database, ring);
    const advice = olderDataKeys + (olderSecondFactors.count ?? 0) > 0 ? ' (run countersign keys rotate)' : '';
    const problems = await firstProblem(storage, keys);
    const { evidenceDir } = settings;
    return {
      sealing: {
        facts: { ...unread, olderDataKeys, olderSecondFactors: olderSecondFactors.count },
        lines: [
          `${head}; sealed by older secrets: data keys ${olderDataKeys}, second factors ${olderSecondFactors.count ?? 'unknown'}${advice}`,
        ],
        problems: [...problems, ...olderSecondFactors.problems],
      },
      // With a missing secret, most verifications would be unreadable for the same reason.
      verifications: problems.length > 0 ? NOTHING : await examineVerifications(storage, { keys, evidenceDir }),
    };
  } finally {
    await storage.close();
  }
}

/** Counts second factors that older keys sealed. */
async function secondFactorsOf(
  { accounts }: Pick<Database, 'accounts'>,
  secretKeys: readonly Uint8Array[],
): Promise<{ readonly count: number | null; readonly problems: readonly string[] }> {
  try {
    return { count: await countOlderSecondFactors({ database: accounts, secretKeys }), problems: [] };
  } catch (error) {
    if (!isOpenError(error)) throw error;
    return { count: null, problems: [error.message] };
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
