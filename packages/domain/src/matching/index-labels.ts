import type { Runtime, Secrets } from '../runtime.ts';
import type { ClientLabel, IndexKey, IndexRepository, VerificationLabels } from './index-repository.ts';
import { INDEX_RULES_VERSION, type IndexTerm } from './index-terms.ts';

/** A verification of a client that has a term. */
export interface TermMatch {
  readonly term: IndexTerm;
  readonly clientId: string;
  readonly verificationId: string;
}

/** Verifications with the terms, and the clients whose index was not searched completely. */
export interface FoundMatches {
  readonly matches: readonly TermMatch[];
  /** Ids of clients with a key that cannot be read: more of their verifications may have the terms. */
  readonly unreadable: ReadonlySet<string>;
}

/** Terms to look for. */
export interface MatchRequest {
  /** Terms to look for in the index of each client, by the id of the client. */
  readonly terms: ReadonlyMap<string, readonly IndexTerm[]>;
  /** The verification that the terms are of; it is left out. */
  readonly except?: string | undefined;
  /** Most matches of each term, and of each key of the client. */
  readonly limit: number;
}

/** Labels the terms of verifications by the keys of their clients, and finds verifications by them. */
export interface IndexLabels {
  /**
   * Labels terms by the newest key of the client, which is made when there is none; family names only if the client indexes them
   * (`familyNameIndex`). If the key cannot be read, the fault is reported, and there are no labels: in place of those of earlier answers,
   * and of no rules, so that the verification is behind until `countersign index rebuild`. Undefined if no key can be made.
   */
  label(clientId: string, terms: readonly IndexTerm[]): Promise<VerificationLabels | undefined>;
  /**
   * Finds verifications of clients with these terms, by every key of each client, also by a key that is added meanwhile. Verifications whose
   * keys cannot be read are not found: their clients are named, and the faults are reported.
   */
  findMatches(request: MatchRequest): Promise<FoundMatches>;
}

/** Earlier than every version of the rules: what is labelled by it is behind. */
export const NO_RULES_VERSION = 0;

/** Bytes of a key of HMAC-SHA256. */
const KEY_BYTES = 32;

export function createIndexLabels(
  ports: Pick<Runtime, 'onFault' | 'secrets'> & {
    readonly indexesFamilyNames: (clientId: string) => Promise<boolean>;
    readonly indexes: Pick<IndexRepository, 'addKey' | 'find' | 'keys'>;
  },
): IndexLabels {
  const { indexesFamilyNames, indexes, secrets, onFault } = ports;

  return {
    async label(clientId, terms) {
      const [newest] = await indexes.keys(clientId);
      const key = newest ?? (await addIndexKey(ports, { clientId, version: 0 }));
      if (key === undefined) return undefined;
      // After the key: a change of the setting makes another.
      const indexed = await indexedTerms(terms, () => indexesFamilyNames(clientId));
      const none = { keyVersion: key.version, rulesVersion: NO_RULES_VERSION, labels: [] };
      return reported(onFault, () => labelsBy(secrets, key, indexed)) ?? none;
    },

    async findMatches(request) {
      let keys = await keysOf(request);
      for (;;) {
        const found = await matchesBy(keys, request);
        const current = await keysOf(request);
        // A rebuild may have labelled by a new key what the other keys would have found.
        if (current.every((key) => keys.some((one) => isSameKey(one, key)))) return found;
        keys = current;
      }
    },
  };

  async function keysOf({ terms }: MatchRequest): Promise<readonly IndexKey[]> {
    return (await Promise.all([...terms.keys()].map((clientId) => indexes.keys(clientId)))).flat();
  }

  async function matchesBy(
    keys: readonly IndexKey[],
    { terms: sought, except, limit }: MatchRequest,
  ): Promise<FoundMatches> {
    const unreadable = new Set<string>();
    const labelled = keys.flatMap((key) => {
      const { clientId } = key;
      const terms = sought.get(clientId) ?? [];
      const made = reported(onFault, () => labelsBy(secrets, key, terms));
      if (made === undefined) unreadable.add(clientId);
      return (made?.labels ?? []).map(({ purpose, label }, n) => ({ clientId, purpose, label, term: terms[n] }));
    });
    if (labelled.length === 0) return { matches: [], unreadable };
    const termOf = new Map(labelled.map(({ term, ...label }) => [nameOf(label), term]));
    const labels = labelled.map(({ term: _, ...label }) => label);
    const found = await indexes.find({ labels, except, limit });
    const matches = found.flatMap(({ verificationId, ...label }) => {
      const term = termOf.get(nameOf(label));
      return term === undefined ? [] : [{ term, clientId: label.clientId, verificationId }];
    });
    return { matches, unreadable };
  }
}

/**
 * Adds a key with the version after this one, and returns the client's newest: that of another process if it was faster. Undefined if
 * the client does not exist.
 */
export async function addIndexKey(
  { indexes, secrets }: { indexes: Pick<IndexRepository, 'addKey' | 'keys'>; secrets: Secrets },
  { clientId, version }: Pick<IndexKey, 'clientId' | 'version'>,
): Promise<IndexKey | undefined> {
  const key = { clientId, version: version + 1, value: secrets.randomBase64(KEY_BYTES), wrappedBy: null };
  if (await indexes.addKey(key)) return key;
  const [newest] = await indexes.keys(clientId);
  return newest;
}

/**
 * Makes new keys for a client whose terms change with a setting, and for its test twin. So every verification is behind until
 * `countersign index rebuild`, and found by the labels that it has. Removes keys that label nothing.
 */
export async function replaceIndexKeys(
  { indexes, secrets }: { indexes: Pick<IndexRepository, 'addKey' | 'keys' | 'removeKey'>; secrets: Secrets },
  clientIds: readonly string[],
): Promise<void> {
  await addNewerKeys({ indexes, secrets }, clientIds);
  await removeOlderKeys(indexes, clientIds);
}

/** Adds a key for each client that has one. Returns how many. */
export async function addNewerKeys(
  ports: { indexes: Pick<IndexRepository, 'addKey' | 'keys'>; secrets: Secrets },
  clientIds: readonly string[],
): Promise<number> {
  let added = 0;
  for (const clientId of clientIds) {
    const [newest] = await ports.indexes.keys(clientId);
    if (newest === undefined) continue;
    await addIndexKey(ports, newest);
    added += 1;
  }
  return added;
}

/** Removes keys of clients that are older than the newest and label nothing. Returns how many. */
export async function removeOlderKeys(
  indexes: Pick<IndexRepository, 'keys' | 'removeKey'>,
  clientIds: readonly string[],
): Promise<number> {
  let removed = 0;
  for (const clientId of clientIds) {
    const [, ...older] = await indexes.keys(clientId);
    for (const { version } of older) if (await indexes.removeKey({ clientId, version })) removed += 1;
  }
  return removed;
}

/** Returns the terms that verifications of a client are indexed by: family names only if the client switched on `familyNameIndex`. */
export async function indexedTerms(
  terms: readonly IndexTerm[],
  indexesFamilyNames: () => Promise<boolean>,
): Promise<readonly IndexTerm[]> {
  const isFamilyName = ({ purpose }: IndexTerm) => purpose === 'family_name';
  if (!terms.some(isFamilyName) || (await indexesFamilyNames())) return terms;
  return terms.filter((one) => !isFamilyName(one));
}

/** Labels terms by a key. @throws what reading the key throws */
export function labelsBy(
  secrets: Pick<Secrets, 'label'>,
  { version, value }: Pick<IndexKey, 'version' | 'value'>,
  terms: readonly IndexTerm[],
): VerificationLabels {
  const labels = terms.map(({ purpose, text }) => ({ purpose, label: secrets.label(value, purpose, text) }));
  return { keyVersion: version, rulesVersion: INDEX_RULES_VERSION, labels };
}

function isSameKey(a: IndexKey, b: IndexKey): boolean {
  return a.clientId === b.clientId && a.version === b.version;
}

function nameOf({ clientId, purpose, label }: ClientLabel): string {
  return `${clientId} ${purpose} ${label}`;
}

/** Returns the result, or reports why there is none. */
function reported<T>(onFault: (fault: unknown) => void, work: () => T): T | undefined {
  try {
    return work();
  } catch (fault) {
    onFault(fault);
    return undefined;
  }
}
