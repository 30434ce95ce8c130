import { type AccountsDatabase, secretsOfSecondFactors } from '@countersign/accounts';
import type { IndexKey, SecretEntry, Storage } from '@countersign/domain/storage';
import { createKeyRing, type KeyWrapping, SealingError } from '@countersign/sealing';
import { SettingError } from '../config/errors.ts';
import type { SealingSettings } from '../config/settings.ts';
import type { Log } from '../logging/log.ts';
import type { Job } from '../serve/jobs.ts';
import { secretKeysName } from './sealing.ts';

/** Data that secrets seal, and the secrets of this process. */
export interface SecretCheckParts {
  /** As its factory returned it, not sealed. */
  readonly storage: Pick<Storage, 'dataKeys' | 'indexes' | 'webhooks'>;
  readonly accounts: AccountsDatabase;
  readonly secretKeys: readonly Uint8Array[];
}

/** For each secret that sealed stored data, by its name: whether the ring has it. */
type FoundSecrets = ReadonlyMap<string, boolean>;

/** The most secrets whose data keys are opened. Rotations leave one or two. */
const MAX_SECRETS = 100;
/** Number of webhook secrets, and of index keys, that a start opens. */
const SAMPLE = 10;
/** Number of webhook secrets, or of index keys, that the job reads at once. */
const PAGE = 200;
const INTERVAL = { everyMs: 5 * 60 * 1_000 };

/** No key has this name. */
const NO_KEY = '';

/**
 * Refuses secrets that open nothing: one data key of each secret, some secrets of webhooks and index keys, and every second factor are compared. A
 * database in which nothing is sealed yet is accepted. Its time does not depend on the number of verifications.
 * @throws SettingError if something is sealed, none of it opens, and `LOST_SECRETS` does not name the secrets that sealed it
 */
export async function requireSecretsThatOpen(
  parts: SecretCheckParts,
  settings: Pick<SealingSettings, 'secretKeys' | 'dataDir' | 'lostSecrets'>,
): Promise<void> {
  const keys = createKeyRing(parts.secretKeys);
  const found = new Map<string, boolean>();
  await addDataKeys(found, parts, keys);
  const sample = await parts.storage.webhooks.listSecretsNotWrappedBy(NO_KEY, null, SAMPLE);
  await addWebhookSecrets(found, sample, keys);
  await addIndexKeys(found, await parts.storage.indexes.listKeysNotWrappedBy(NO_KEY, null, SAMPLE), keys);
  await addSecondFactors(found, parts);
  const missing = missingIn(found, settings.lostSecrets);
  if (missing.length === 0 || [...found.values()].includes(true)) return;
  throw new SettingError(
    secretKeysName(settings),
    `opens none of the stored data, which is sealed by ${missing.join(', ')}: expected the secrets of the servers that use this database. ` +
      `If they are lost for good, set LOST_SECRETS=${missing.join(',')} (Lost secrets in docs/operations.md)`,
  );
}

/** Compares a server's secrets with all stored data at intervals. */
export interface SecretWatch {
  /** Names of the secrets that sealed stored data and that this server lacks, without lost ones. */
  missing(): readonly string[];
  readonly job: Job;
}

/**
 * Makes the job that finds secrets which this server lacks: another server uses other secrets, or a rotation did not begin with this
 * one. Warns of each change.
 */
export function createSecretWatch(
  parts: SecretCheckParts,
  { lostSecrets, log }: { readonly lostSecrets: readonly string[]; readonly log: Pick<Log, 'event' | 'warning'> },
): SecretWatch {
  let missing: readonly string[] = [];

  async function run(): Promise<void> {
    const now = await missingSecrets(parts, lostSecrets);
    if (now.length > 0 && now.join() !== missing.join()) {
      log.warning('SECRET_KEYS lacks secrets that sealed stored data: add them and restart this server', {
        secrets: now,
      });
    } else if (now.length === 0 && missing.length > 0) {
      log.event('SECRET_KEYS has every secret that sealed stored data again');
    }
    missing = now;
  }

  return { missing: () => missing, job: { name: 'compare_secrets', run, interval: INTERVAL } };
}

/** Returns the names of the secrets that sealed stored data and that the ring lacks, without lost ones. Compares all data. */
export async function missingSecrets(
  parts: SecretCheckParts,
  lost: readonly string[],
): Promise<readonly string[]> {
  return missingIn(await foundSecrets(parts, createKeyRing(parts.secretKeys)), lost);
}

/** Compares all stored data, in small batches. */
async function foundSecrets(parts: SecretCheckParts, keys: KeyWrapping): Promise<FoundSecrets> {
  const found = new Map<string, boolean>();
  await addDataKeys(found, parts, keys);
  for (let after: SecretEntry | null = null; ; ) {
    const page: readonly SecretEntry[] = await parts.storage.webhooks.listSecretsNotWrappedBy(
      keys.newest,
      after,
      PAGE,
    );
    await addWebhookSecrets(found, page, keys);
    after = page.at(-1) ?? null;
    if (page.length < PAGE) break;
  }
  for (let after: IndexKey | null = null; ; ) {
    const page: readonly IndexKey[] = await parts.storage.indexes.listKeysNotWrappedBy(keys.newest, after, PAGE);
    await addIndexKeys(found, page, keys);
    after = page.at(-1) ?? null;
    if (page.length < PAGE) break;
  }
  await addSecondFactors(found, parts);
  return found;
}

async function addDataKeys(
  found: Map<string, boolean>,
  parts: SecretCheckParts,
  keys: KeyWrapping,
): Promise<void> {
  for (const { dataKey, ...context } of await parts.storage.dataKeys.listOneOfEachKey(MAX_SECRETS)) {
    found.set(dataKey.wrappedBy, await isKnown(keys.unwrap(dataKey, context)));
  }
}

async function addWebhookSecrets(
  found: Map<string, boolean>,
  entries: readonly SecretEntry[],
  keys: KeyWrapping,
): Promise<void> {
  for (const { stored, clientId, endpointId } of entries) {
    const { value: wrapped, wrappedBy } = stored;
    // Secrets that no key encrypted say nothing about the ring.
    if (wrappedBy === null) continue;
    found.set(wrappedBy, await isKnown(keys.unwrap({ wrapped, wrappedBy }, { clientId, endpointId })));
  }
}

async function addIndexKeys(
  found: Map<string, boolean>,
  entries: readonly IndexKey[],
  keys: KeyWrapping,
): Promise<void> {
  for (const { clientId, version, value: wrapped, wrappedBy } of entries) {
    if (wrappedBy === null) continue;
    const context = { clientId, indexKeyVersion: version };
    found.set(wrappedBy, await isKnown(keys.unwrap({ wrapped, wrappedBy }, context)));
  }
}

async function addSecondFactors(
  found: Map<string, boolean>,
  { accounts, secretKeys }: SecretCheckParts,
): Promise<void> {
  for (const { name, isKnown: known } of await secretsOfSecondFactors({ database: accounts, secretKeys })) {
    found.set(name, known);
  }
}

/** Whether the ring has the secret. One that wrapped a damaged value is known. */
async function isKnown(unwrapping: Promise<unknown>): Promise<boolean> {
  try {
    await unwrapping;
    return true;
  } catch (fault) {
    if (!(fault instanceof SealingError)) throw fault;
    return fault.code !== 'UNKNOWN_KEY';
  }
}

function missingIn(found: FoundSecrets, lost: readonly string[]): readonly string[] {
  const missing = [...found].flatMap(([name, known]) => (known || lost.includes(name) ? [] : [name]));
  return missing.sort();
}
