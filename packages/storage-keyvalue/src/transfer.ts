import {
  compareTransferKeys,
  type TransferEntries,
  type TransferKind,
  type TransferTarget,
  transferKeyOf,
} from '@countersign/domain/storage';
import type { Session } from './session.ts';
import type { Tables } from './tables.ts';
import { putDelivery } from './webhooks.ts';

/** How the entries of a kind are kept. */
interface Shelf<Entry> {
  all(): readonly Entry[];
  put(entry: Entry): void;
}

/** Creates the source and target of copies on the tables. */
export function createTransfer(session: Session, tables: Tables): TransferTarget {
  const shelves = createShelves(tables);
  const setUnfinished = (isUnfinished: boolean) => session.run(() => tables.copies.put(isUnfinished), []);

  return {
    count: (kind) => session.run(() => shelves[kind].all().length, []),

    read<K extends TransferKind>(kind: K, after: Parameters<TransferTarget['read']>[1], limit: number) {
      const key = (entry: TransferEntries[K]) => transferKeyOf(kind, entry);
      return session.run(
        () =>
          shelves[kind]
            .all()
            .filter((entry) => after === null || compareTransferKeys(key(entry), after) > 0)
            .sort((a, b) => compareTransferKeys(key(a), key(b)))
            .slice(0, limit),
        [],
      );
    },

    hasUnfinishedCopy: () => session.run(() => tables.copies.get() ?? false, []),

    begin: () => setUnfinished(true),

    write(kind, entries) {
      const nameOf = (entry: TransferEntries[typeof kind]) => transferKeyOf(kind, entry).join('/');
      return session.run(
        (given) => {
          const taken = new Set(shelves[kind].all().map(nameOf));
          for (const entry of given) {
            const name = nameOf(entry);
            if (taken.has(name)) throw new Error(`${kind} ${name} is there already`);
            taken.add(name);
            shelves[kind].put(entry);
          }
        },
        [entries],
      );
    },

    finish: () => setUnfinished(false),
  };
}

function createShelves(tables: Tables): { readonly [K in TransferKind]: Shelf<TransferEntries[K]> } {
  const { clients, subscriptions, verifications, events, endpoints, deliveries } = tables;
  const { appearances, retention, usage, mails, mailBudgets, erasures, erasureLog, runs, audit } = tables;
  return {
    clients: {
      all: () =>
        clients
          .all()
          .map((client) => ({ client, subscription: subscriptions.get(client.id)?.subscription ?? null })),
      put({ client, subscription }) {
        clients.put(client);
        if (subscription !== null) subscriptions.put({ clientId: client.id, subscription });
      },
    },
    clientFaces: {
      all: () => appearances.all(),
      put: (entry) => appearances.put(entry),
    },
    clientRetention: {
      all: () => retention.all().map(({ clientId, policy }) => ({ clientId, policy })),
      put: (entry) => retention.put({ ...entry, plannedBy: null, plannedAfter: null }),
    },
    usage: {
      all: () => usage.all(),
      put: (entry) => usage.put(entry),
    },
    verifications: {
      all: () => verifications.all(),
      put: (record) => verifications.put(record),
    },
    events: {
      all: () => events.all(),
      put: (stored) => events.put(stored),
    },
    webhookEndpoints: {
      all: () => endpoints.all().map(({ endpoint }) => endpoint),
      put: (endpoint) => endpoints.put({ endpoint, lease: null, dueAt: null }),
    },
    webhookDeliveries: {
      all: () => deliveries.all().map(({ clientId, entry }) => ({ clientId, ...entry })),
      put: ({ clientId, ...entry }) => putDelivery(tables, { clientId, entry, attempts: [] }),
    },
    webhookAttempts: {
      all: () =>
        deliveries
          .all()
          .flatMap(({ clientId, entry: { endpointId, eventId }, attempts }) =>
            attempts.map((attempt) => ({ clientId, endpointId, eventId, ...attempt })),
          ),
      put({ clientId: _, endpointId, eventId, ...attempt }) {
        const delivery = deliveries.first('event', endpointId, eventId);
        if (delivery === undefined) throw new Error(`the attempt ${attempt.id} has no delivery`);
        deliveries.put({ ...delivery, attempts: [...delivery.attempts, attempt] });
      },
    },
    exports: {
      all: () => tables.exports.all(),
      put: (one) => tables.exports.put(one),
    },
    handOvers: {
      all: () => tables.handOvers.all(),
      put: (code) => tables.handOvers.put(code),
    },
    readings: {
      all: () => tables.readings.all(),
      put: (one) => tables.readings.put(one),
    },
    indexKeys: {
      all: () => tables.indexKeys.all(),
      put: (key) => tables.indexKeys.put(key),
    },
    indexedVerifications: {
      all: () => tables.indexedVerifications.all(),
      put: (one) => tables.indexedVerifications.put(one),
    },
    indexEntries: {
      all: () => tables.indexEntries.all(),
      put: (entry) => tables.indexEntries.put(entry),
    },
    mails: {
      all: () => mails.all().map(({ mail }) => mail),
      put: (mail) => mails.put({ mail, lease: null }),
    },
    mailBudgets: {
      all: () => mailBudgets.all(),
      put: (budget) => mailBudgets.put(budget),
    },
    erasures: {
      all: () => erasures.all(),
      put: (erasure) => erasures.put(erasure),
    },
    erasureLogs: {
      all: () => erasureLog.all().map((id) => ({ id })),
      put: ({ id }) => erasureLog.put(id),
    },
    retentionRuns: {
      all: () => runs.all(),
      put: (run) => runs.put(run),
    },
    audit: {
      all: () => audit.all(),
      put: (entry) => audit.put(entry),
    },
    apiKeys: {
      all: () => tables.apiKeys.all(),
      put: (key) => tables.apiKeys.put(key),
    },
  };
}
