import {
  ANSWERABLE_STATUSES,
  compareText,
  type IndexedVerification,
  type IndexKey,
  type IndexKeyPlace,
  type IndexRepository,
  type KeptLabels,
  type VerificationLabels,
  type VerificationRecord,
} from '@countersign/domain/storage';
import type { Sync, Tables } from './tables.ts';

type Place = Pick<IndexedVerification, 'clientId' | 'verificationId'>;

/** Whether the client has the key of the labels. */
export function isKnownKey(
  { indexKeys }: Tables,
  { clientId }: Pick<Place, 'clientId'>,
  keyVersion: number,
): boolean {
  return indexKeys.get(clientId, keyVersion) !== undefined;
}

/** Replaces or keeps the labels of a verification. */
export function putLabels(
  tables: Tables,
  place: Place,
  { labels, keyVersion, rulesVersion }: VerificationLabels | KeptLabels,
): void {
  const { clientId, verificationId } = place;
  if (labels === null) {
    const kept = tables.indexedVerifications.get(clientId, verificationId);
    tables.indexedVerifications.put({ clientId, verificationId, keyVersion, ...kept, rulesVersion });
    return;
  }
  removeLabels(tables, place);
  tables.indexedVerifications.put({ clientId, verificationId, keyVersion, rulesVersion });
  for (const { purpose, label } of labels) tables.indexEntries.put({ clientId, verificationId, purpose, label });
}

/** Deletes the labels of a verification. */
export function removeLabels(tables: Tables, { clientId, verificationId }: Place): void {
  for (const { purpose, label } of tables.indexEntries.all(clientId, verificationId)) {
    tables.indexEntries.remove(clientId, verificationId, purpose, label);
  }
  tables.indexedVerifications.remove(clientId, verificationId);
}

/**
 * Blind indexes: keys of clients, and labels of verifications. `listBehind` reads verifications of a client, or of all clients, until enough
 * are behind; `countBehind` reads all of them.
 */
export function createIndexes(tables: Tables): Sync<IndexRepository> {
  const { clients, verifications, indexKeys, indexedVerifications, indexEntries } = tables;
  const newestOf = (clientId: string): number => {
    for (const { version } of indexKeys.scan({ under: [clientId], backwards: true })) return version;
    return 0;
  };
  const isKept = ({ status, erasedAt }: VerificationRecord): boolean =>
    erasedAt === null && !ANSWERABLE_STATUSES.includes(status);
  const isBehind = (record: VerificationRecord, rulesVersion: number): boolean => {
    const { clientId, id, submittedAt } = record;
    if (submittedAt === null || !isKept(record)) return false;
    const indexed = indexedVerifications.get(clientId, id);
    return indexed?.keyVersion !== newestOf(clientId) || indexed.rulesVersion < rulesVersion;
  };
  /** What is behind, in the order of ids, from an id on. */
  const behind = (
    { rulesVersion, clientId }: { rulesVersion: number; clientId?: string | undefined },
    from: string,
  ) => {
    const records =
      clientId === undefined
        ? verifications.by('id', { from: [from] })
        : verifications.scan({ under: [clientId], from: [from] });
    return records.filter((record) => isBehind(record, rulesVersion));
  };
  const notWrappedBy = (key: string): IndexKey[] => indexKeys.all().filter(({ wrappedBy }) => wrappedBy !== key);
  const keyOrder = (a: IndexKeyPlace, b: IndexKeyPlace): number =>
    compareText(a.clientId, b.clientId) || a.version - b.version;
  return {
    keys: (clientId) => indexKeys.all(clientId).reverse(),
    addKey(key) {
      const { clientId, version } = key;
      if (clients.get(clientId) === undefined || indexKeys.get(clientId, version) !== undefined) return false;
      indexKeys.put(key);
      return true;
    },
    removeKey({ clientId, version }) {
      const isUsed = indexedVerifications.first('key', clientId, version) !== undefined;
      if (indexKeys.get(clientId, version) === undefined || isUsed || version === newestOf(clientId)) return false;
      indexKeys.remove(clientId, version);
      return true;
    },
    find: ({ labels, except, limit }) =>
      labels.flatMap(({ clientId, purpose, label }) =>
        indexEntries
          .by('label', { under: [clientId, purpose, label], backwards: true })
          .filter(({ verificationId }) => verificationId !== except)
          .take(limit)
          .map(({ verificationId }) => ({ clientId, purpose, label, verificationId }))
          .toArray(),
      ),
    save(place, labels, expectedVersion) {
      const owner = verifications.get(place.clientId, place.verificationId);
      if (owner?.version !== expectedVersion || !isKept(owner)) return false;
      if (!isKnownKey(tables, place, labels.keyVersion)) return false;
      putLabels(tables, place, labels);
      return true;
    },
    listBehind: ({ after, limit, ...which }) =>
      behind(which, after ?? '')
        .filter(({ id }) => id !== after)
        .take(limit)
        .map(({ clientId, id }) => ({ clientId, verificationId: id }))
        .toArray(),
    countBehind: (which) => behind(which, '').toArray().length,
    countKeysNotWrappedBy: (key) => notWrappedBy(key).length,
    listKeysNotWrappedBy: (key, after, limit) =>
      notWrappedBy(key)
        .filter((one) => after === null || keyOrder(one, after) > 0)
        .slice(0, limit),
    replaceKey({ clientId, version, value, wrappedBy }, next) {
      const stored = indexKeys.get(clientId, version);
      if (stored?.value !== value || stored.wrappedBy !== wrappedBy) return { outcome: 'conflict' };
      indexKeys.put({ ...stored, value: next.value, wrappedBy: next.wrappedBy });
      return { outcome: 'replaced' };
    },
  };
}
