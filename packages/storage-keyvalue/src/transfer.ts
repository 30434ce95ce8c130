import {
  compareTransferKeys,
  type TransferEntries,
  type TransferKind,
  type TransferTarget,
  transferKeyOf,
} from '@countersign/domain/storage';
import { putKey } from './api-keys.ts';
import { putEntry } from './indexes.ts';
import type { KeyValueStore, Tables } from './tables.ts';

/** How the entries of a kind are kept. */
interface Shelf<Entry> {
  all(): readonly Entry[];
  put(entry: Entry): void;
}

/** Creates the source and target of copies on the tables. */
export function createTransfer(store: KeyValueStore, tables: Tables): TransferTarget {
  const shelves = createShelves(tables);
  const setUnfinished = (isUnfinished: boolean) =>
    store.transact(() => tables.copies.put(['unfinished'], isUnfinished));

  return {
    count: async (kind) => store.transact(() => shelves[kind].all().length),

    async read<K extends TransferKind>(kind: K, after: Parameters<TransferTarget['read']>[1], limit: number) {
      const key = (entry: TransferEntries[K]) => transferKeyOf(kind, entry);
      return store.transact(() =>
        shelves[kind]
          .all()
          .filter((entry) => after === null || compareTransferKeys(key(entry), after) > 0)
          .sort((a, b) => compareTransferKeys(key(a), key(b)))
          .slice(0, limit),
      );
    },

    hasUnfinishedCopy: async () => tables.copies.get('unfinished') ?? false,

    begin: async () => setUnfinished(true),

    async write(kind, entries) {
      const nameOf = (entry: TransferEntries[typeof kind]) => transferKeyOf(kind, entry).join('/');
      store.transact(() => {
        const taken = new Set(shelves[kind].all().map(nameOf));
        for (const entry of entries) {
          const name = nameOf(entry);
          if (taken.has(name)) throw new Error(`${kind} ${name} is there already`);
          taken.add(name);
          shelves[kind].put(entry);
        }
      });
    },

    finish: async () => setUnfinished(false),
  };
}

function createShelves(tables: Tables): { readonly [K in TransferKind]: Shelf<TransferEntries[K]> } {
  const { clients, subscriptions, verifications, owners, events, endpoints, deliveries } = tables;
  const { appearances, retention, usage, mails, mailBudgets, erasures, erasureLog, runs, audit } = tables;
  return {
    clients: {
      all: () => clients.all().map((client) => ({ client, subscription: subscriptions.get(client.id) ?? null })),
      put({ client, subscription }) {
        clients.put([client.id], client);
        if (subscription !== null) subscriptions.put([client.id], subscription);
      },
    },
    clientFaces: {
      all: () => appearances.all(),
      put: (entry) => appearances.put([entry.clientId], entry),
    },
    clientRetention: {
      all: () => retention.all().map(({ clientId, policy }) => ({ clientId, policy })),
      put: (entry) => retention.put([entry.clientId], { ...entry, plannedBy: null, plannedAfter: null }),
    },
    usage: {
      all: () => usage.all(),
      put: (entry) => usage.put([entry.clientId, entry.month], entry),
    },
    verifications: {
      all: () => verifications.all(),
      put(record) {
        owners.put([record.id], record.clientId);
        verifications.put([record.clientId, record.id], record);
      },
    },
    events: {
      all: () => events.all(),
      put: (stored) =>
        events.put([stored.event.clientId, stored.event.verificationId, stored.event.version], stored),
    },
    webhookEndpoints: {
      all: () => endpoints.all().map(({ endpoint }) => endpoint),
      put: (endpoint) => endpoints.put([endpoint.clientId, endpoint.id], { endpoint, lease: null }),
    },
    webhookDeliveries: {
      all: () => deliveries.all().map(({ clientId, entry }) => ({ clientId, ...entry })),
      put: ({ clientId, ...entry }) =>
        deliveries.put([entry.endpointId, entry.verificationId, entry.version], { clientId, entry, attempts: [] }),
    },
    webhookAttempts: {
      all: () =>
        deliveries
          .all()
          .flatMap(({ clientId, entry: { endpointId, eventId }, attempts }) =>
            attempts.map((attempt) => ({ clientId, endpointId, eventId, ...attempt })),
          ),
      put({ clientId: _, endpointId, eventId, ...attempt }) {
        const delivery = deliveries.all(endpointId).find(({ entry }) => entry.eventId === eventId);
        if (delivery === undefined) throw new Error(`the attempt ${attempt.id} has no delivery`);
        const { verificationId, version } = delivery.entry;
        const attempts = [...delivery.attempts, attempt];
        deliveries.put([endpointId, verificationId, version], { ...delivery, attempts });
      },
    },
    exports: {
      all: () => tables.exports.all(),
      put: (one) => tables.exports.put([one.id], one),
    },
    handOvers: {
      all: () => tables.handOvers.all(),
      put: (code) => tables.handOvers.put([code.clientId, code.verificationId], code),
    },
    readings: {
      all: () => tables.readings.all(),
      put: (one) => tables.readings.put([one.clientId, one.verificationId, one.fileId], one),
    },
    indexKeys: {
      all: () => tables.indexKeys.all(),
      put: (key) => tables.indexKeys.put([key.clientId, key.version], key),
    },
    indexedVerifications: {
      all: () => tables.indexedVerifications.all(),
      put: (one) => tables.indexedVerifications.put([one.clientId, one.verificationId], one),
    },
    indexEntries: {
      all: () => tables.indexEntries.all(),
      put: (entry) => putEntry(tables, entry),
    },
    mails: {
      all: () => mails.all().map(({ mail }) => mail),
      put: (mail) => mails.put([mail.id], { mail, lease: null }),
    },
    mailBudgets: {
      all: () => mailBudgets.all(),
      put: (budget) => mailBudgets.put([budget.name], budget),
    },
    erasures: {
      all: () => erasures.all(),
      put: (erasure) => erasures.put([erasure.number], erasure),
    },
    erasureLogs: {
      all: () => erasureLog.all().map((id) => ({ id })),
      put: ({ id }) => erasureLog.put(['log'], id),
    },
    retentionRuns: {
      all: () => runs.all(),
      put: (run) => runs.put(['last'], run),
    },
    audit: {
      all: () => audit.all(),
      put: (entry) => audit.put([entry.sequence], entry),
    },
    apiKeys: {
      all: () => tables.apiKeys.all(),
      put: (key) => putKey(tables, key),
    },
  };
}
