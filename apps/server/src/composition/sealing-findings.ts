import { countOlderSecondFactors } from '@countersign/accounts';
import type { Storage } from '@countersign/domain/storage';
import { createKeyRing, type KeyWrapping, SealingError } from '@countersign/sealing';
import type { DoctorSettings } from '../config/settings.ts';
import { isOpenError } from '../database/choose-database.ts';
import type { Database } from '../database/database.ts';
import { type Findings, NOTHING } from '../database/findings.ts';
import { examineIndexes, type IndexFacts } from './index-findings.ts';
import { knownSecretKeys, stillLost } from './sealing.ts';
import { missingSecrets } from './secret-check.ts';
import {
  examineVerifications,
  type VerificationExamination,
  type VerificationFacts,
} from './verification-findings.ts';

/** How the personal data of verifications is sealed. */
export interface SealingFacts {
  /** Id of the key that wraps new data keys. */
  readonly newestKey: string;
  /** Number of keys in the ring, the newest included. */
  readonly keys: number;
  /** Data keys wrapped by older keys. Null when the database cannot be read. */
  readonly olderDataKeys: number | null;
  /** Secrets of webhooks wrapped by older keys, or by none. Null when the database cannot be read. */
  readonly olderWebhookSecrets: number | null;
  /** Index keys of clients wrapped by older keys, or by none. Null when the database cannot be read. */
  readonly olderIndexKeys: number | null;
  /** Second factors sealed by older keys. Null when the database cannot be read. */
  readonly olderSecondFactors: number | null;
}

/** Number of older data keys and secrets to unwrap as a sample. */
const SAMPLE = 100;

/** What `doctor` finds in the stored data: how it is sealed, and whether verifications can be read and have their files. */
export interface StoredDataFindings {
  readonly sealing: Findings<SealingFacts | null>;
  readonly verifications: Findings<VerificationFacts | null>;
  readonly indexes: Findings<IndexFacts | null>;
}

/**
 * Checks that the secrets open the stored data, that every verification can be read, and that its files exist. Changes
 * nothing.
 * @param files undefined when they cannot be reached; with `contents`, every file is opened
 * @param data undefined when the database has a problem
 * @returns null as facts where the secrets are not known here or the data cannot be read
 */
export async function examineStoredData(
  settings: Pick<DoctorSettings, 'secretKeys' | 'dataDir' | 'lostSecrets'>,
  files: Pick<VerificationExamination, 'files' | 'contents'>,
  data: { readonly storage: Storage; readonly accounts: Database['accounts'] } | undefined,
): Promise<StoredDataFindings> {
  const ring = knownSecretKeys(settings);
  if (ring === undefined) {
    const line = `Secrets unknown: SECRET_KEYS is not set, and ${settings.dataDir} has no secret-keys file`;
    return { sealing: { facts: null, lines: [line], problems: [] }, verifications: NOTHING, indexes: NOTHING };
  }
  const keys = createKeyRing(ring);
  const lostSecrets = stillLost(settings.lostSecrets, ring);
  const head = `Secrets ${ring.length}, the newest ${keys.newest}`;
  const unread = {
    newestKey: keys.newest,
    keys: ring.length,
    olderDataKeys: null,
    olderWebhookSecrets: null,
    olderIndexKeys: null,
    olderSecondFactors: null,
  };
  if (data === undefined) {
    return { sealing: { facts: unread, lines: [head], problems: [] }, verifications: NOTHING, indexes: NOTHING };
  }
  const { storage, accounts } = data;
  const olderDataKeys = await storage.dataKeys.countNotWrappedBy(keys.newest);
  const olderWebhookSecrets = await storage.webhooks.countSecretsNotWrappedBy(keys.newest);
  const olderIndexKeys = await storage.indexes.countKeysNotWrappedBy(keys.newest);
  const olderSecondFactors = await secondFactorsOf(accounts, ring);
  const advice =
    olderDataKeys + olderWebhookSecrets + olderIndexKeys + (olderSecondFactors.count ?? 0) > 0
      ? ' (run countersign keys rotate)'
      : '';
  const missing =
    olderSecondFactors.count === null
      ? []
      : await missingSecrets({ storage, accounts, secretKeys: ring }, lostSecrets);
  const problems = await keyProblem(storage, keys);
  const secretProblems = await secretProblem(storage, keys);
  return {
    sealing: {
      facts: {
        ...unread,
        olderDataKeys,
        olderWebhookSecrets,
        olderIndexKeys,
        olderSecondFactors: olderSecondFactors.count,
      },
      lines: [
        `${head}; sealed by older secrets: data keys ${olderDataKeys}, webhook secrets ${olderWebhookSecrets}, index keys ${olderIndexKeys}, second factors ${olderSecondFactors.count ?? 'unknown'}${advice}`,
      ],
      problems: [...missingProblem(missing), ...problems, ...secretProblems, ...olderSecondFactors.problems],
    },
    // With a missing secret, most verifications would be unreadable for the same reason.
    verifications:
      missing.length + problems.length > 0
        ? NOTHING
        : await examineVerifications(storage, { keys, ...files, lostSecrets }),
    indexes: missing.length > 0 ? NOTHING : await examineIndexes(storage, keys),
  };
}

function missingProblem(missing: readonly string[]): string[] {
  if (missing.length === 0) return [];
  const names = missing.join(', ');
  return [
    `SECRET_KEYS lacks secrets that sealed stored data, ${names}: add them, or name them in LOST_SECRETS if they are lost for good`,
  ];
}

/** Counts second factors that older keys sealed. */
async function secondFactorsOf(
  database: Database['accounts'],
  secretKeys: readonly Uint8Array[],
): Promise<{ readonly count: number | null; readonly problems: readonly string[] }> {
  try {
    return { count: await countOlderSecondFactors({ database, secretKeys }), problems: [] };
  } catch (error) {
    if (!isOpenError(error)) throw error;
    return { count: null, problems: [error.message] };
  }
}

/** Unwraps a sample of older data keys, and returns the first that is damaged. */
async function keyProblem({ dataKeys }: Storage, keys: KeyWrapping): Promise<string[]> {
  const older = await dataKeys.listNotWrappedBy(keys.newest, null, SAMPLE);
  return firstFault(older, ({ dataKey, ...context }) => keys.unwrap(dataKey, context));
}

/** Unwraps a sample of older secrets of webhooks, and returns the first that is damaged. Those that no key wrapped are only counted. */
async function secretProblem({ webhooks }: Storage, keys: KeyWrapping): Promise<string[]> {
  const older = await webhooks.listSecretsNotWrappedBy(keys.newest, null, SAMPLE);
  return firstFault(older, async ({ stored: { value, wrappedBy }, clientId, endpointId }) => {
    if (wrappedBy !== null) await keys.unwrap({ wrapped: value, wrappedBy }, { clientId, endpointId });
  });
}

async function firstFault<Entry>(
  entries: readonly Entry[],
  open: (entry: Entry) => Promise<unknown>,
): Promise<string[]> {
  for (const entry of entries) {
    try {
      await open(entry);
    } catch (fault) {
      if (!(fault instanceof SealingError)) throw fault;
      // Missing secrets are a problem of their own.
      if (fault.code !== 'UNKNOWN_KEY') return [fault.message];
    }
  }
  return [];
}
