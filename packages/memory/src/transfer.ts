import {
  compareTransferKeys,
  type TransferEntries,
  type TransferKind,
  type TransferTarget,
  transferKeyOf,
} from '@countersign/domain/storage';
import { keyOf, type Tables } from './tables.ts';

/** How the entries of a kind are kept. */
interface Shelf<Entry> {
  all(): Entry[];
  put(entry: Entry): void;
}

export function createTransfer(tables: Tables): TransferTarget {
  const shelves = createShelves(tables);

  /** Copies, in the order of their keys. */
  function sorted<K extends TransferKind>(kind: K): TransferEntries[K][] {
    const key = (entry: TransferEntries[K]) => transferKeyOf(kind, entry);
    return structuredClone(shelves[kind].all()).sort((a, b) => compareTransferKeys(key(a), key(b)));
  }

  return {
    count: async (kind) => shelves[kind].all().length,

    async read(kind, after, limit) {
      const left = sorted(kind).filter(
        (entry) => after === null || compareTransferKeys(transferKeyOf(kind, entry), after) > 0,
      );
      return left.slice(0, limit);
    },

    hasUnfinishedCopy: async () => tables.hasUnfinishedCopy,

    async begin() {
      tables.hasUnfinishedCopy = true;
    },

    async write(kind, entries) {
      const nameOf = (entry: TransferEntries[typeof kind]) => keyOf(...transferKeyOf(kind, entry).map(String));
      const taken = new Set(shelves[kind].all().map(nameOf));
      for (const entry of entries) {
        const name = nameOf(entry);
        if (taken.has(name)) throw new Error(`${kind} ${name} is there already`);
        taken.add(name);
      }
      for (const entry of structuredClone(entries)) shelves[kind].put(entry);
    },

    async finish() {
      tables.hasUnfinishedCopy = false;
    },
  };
}

function createShelves(tables: Tables): { readonly [K in TransferKind]: Shelf<TransferEntries[K]> } {
  const { clients, subscriptions, apiKeys, verifications, events, endpoints, deliveries, usage, audit } = tables;
  const { clientFaces, clientRetention, erasures } = tables;
  return {
    clients: {
      all: () =>
        [...clients.values()].map((client) => ({ client, subscription: subscriptions.get(client.id) ?? null })),
      put({ client, subscription }) {
        clients.set(client.id, client);
        if (subscription !== null) subscriptions.set(client.id, subscription);
      },
    },
    clientFaces: {
      all: () => [...clientFaces.values()],
      put: (entry) => void clientFaces.set(entry.clientId, entry),
    },
    clientRetention: {
      all: () => [...clientRetention.values()].map(({ clientId, policy }) => ({ clientId, policy })),
      put: ({ clientId, policy }) =>
        void clientRetention.set(clientId, { clientId, policy, plannedBy: null, plannedAfter: null }),
    },
    usage: {
      all: () => [...usage.values()],
      put: (entry) => void usage.set(keyOf(entry.clientId, entry.month), entry),
    },
    verifications: {
      all: () => [...verifications.values()],
      put: (record) => void verifications.set(keyOf(record.clientId, record.id), record),
    },
    events: {
      all: () => events.map(({ event, unsent }) => ({ event, unsent })),
      put({ event, unsent }) {
        events.push({ event, unsent });
      },
    },
    webhookEndpoints: {
      all: () => [...endpoints.values()].map(({ endpoint }) => endpoint),
      put: (endpoint) => void endpoints.set(endpoint.id, { endpoint, lease: null }),
    },
    webhookDeliveries: {
      all: () => [...deliveries.values()].map(({ clientId, entry }) => ({ clientId, ...entry })),
      put: ({ clientId, ...entry }) =>
        void deliveries.set(keyOf(entry.endpointId, entry.eventId), { clientId, entry, attempts: [] }),
    },
    webhookAttempts: {
      all: () =>
        [...deliveries.values()].flatMap(({ clientId, entry: { endpointId, eventId }, attempts }) =>
          attempts.map((attempt) => ({ clientId, endpointId, eventId, ...attempt })),
        ),
      put({ clientId: _, endpointId, eventId, ...attempt }) {
        const delivery = deliveries.get(keyOf(endpointId, eventId));
        if (delivery === undefined) throw new Error(`the attempt ${attempt.id} has no delivery`);
        delivery.attempts.push(attempt);
      },
    },
    exports: {
      all: () => [...tables.exports.values()],
      put: (one) => void tables.exports.set(one.id, one),
    },
    mails: {
      all: () => [...tables.mails.values()].map(({ mail }) => mail),
      put: (mail) => void tables.mails.set(mail.id, { mail, lease: null }),
    },
    mailBudgets: {
      all: () => [...tables.mailBudgets.values()],
      put: (budget) => void tables.mailBudgets.set(budget.name, budget),
    },
    erasures: {
      all: () => [...erasures.values()],
      put: (erasure) => void erasures.set(erasure.number, erasure),
    },
    erasureLogs: {
      all: () => (tables.erasureLogId === null ? [] : [{ id: tables.erasureLogId }]),
      put({ id }) {
        tables.erasureLogId = id;
      },
    },
    retentionRuns: {
      all: () => (tables.retentionRun === null ? [] : [tables.retentionRun]),
      put(run) {
        tables.retentionRun = run;
      },
    },
    audit: {
      all: () => audit,
      put: (entry) => void audit.push(entry),
    },
    apiKeys: {
      all: () => [...apiKeys.values()],
      put: (key) => void apiKeys.set(key.id, key),
    },
  };
}
