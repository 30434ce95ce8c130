import {
  compareText,
  type TransferEntries,
  type TransferKey,
  type TransferKind,
  type TransferTarget,
  transferKeyOf,
} from '@countersign/domain/storage';
import type { Session } from './session.ts';
import type { Table } from './table.ts';
import type { StoredDelivery, Tables } from './tables.ts';
import { putDelivery } from './webhooks.ts';

/** How the entries of a kind are kept. */
interface Shelf<Entry> {
  /** Reads the entries in the order of a copy: all, or from a key on, as far as the caller asks for them. */
  from(after: TransferKey | null): Iterable<Entry>;
  /** Whether there is an entry with this key. */
  has(key: TransferKey, entry: Entry): boolean;
  put(entry: Entry): void;
}

/** Creates the source and target of copies on the tables. A batch reads as many keys as it has entries, however many there are. */
export function createTransfer(session: Session, tables: Tables): TransferTarget {
  const shelves = createShelves(tables);
  const setUnfinished = (isUnfinished: boolean) => session.run(() => tables.copies.put(isUnfinished), []);

  return {
    count: (kind) => session.run(() => [...shelves[kind].from(null)].length, []),

    read<K extends TransferKind>(kind: K, after: TransferKey | null, limit: number) {
      const isAfter = (entry: TransferEntries[K]) =>
        after === null || nameOf(transferKeyOf(kind, entry)) !== nameOf(after);
      return session.run(() => Iterator.from(shelves[kind].from(after)).filter(isAfter).take(limit).toArray(), []);
    },

    hasUnfinishedCopy: () => session.run(() => tables.copies.get() ?? false, []),

    begin: () => setUnfinished(true),

    write(kind, entries) {
      return session.run(
        (given) => {
          for (const entry of given) {
            const key = transferKeyOf(kind, entry);
            if (shelves[kind].has(key, entry)) throw new Error(`${kind} ${nameOf(key)} is there already`);
            shelves[kind].put(entry);
          }
        },
        [entries],
      );
    },

    finish: () => setUnfinished(false),
  };
}

const nameOf = (key: TransferKey): string => key.join('/');

/** A shelf of a table whose keys are those of the copy. */
function shelfOf<V, I extends string, Entry>(
  table: Table<V, I>,
  toEntry: (value: V) => Entry,
  put: (entry: Entry) => void,
): Shelf<Entry> {
  return {
    from: (after) => table.scan({ from: after ?? [] }).map(toEntry),
    has: (key) => table.get(...key) !== undefined,
    put,
  };
}

/** A shelf of a table whose keys and values are those of the copy. */
const plainShelfOf = <V, I extends string>(table: Table<V, I>): Shelf<V> =>
  shelfOf(table, (value) => value, table.put);

/** A shelf of a table with at most one value. */
function singleShelfOf<V, Entry>(
  table: Table<V>,
  toEntry: (value: V) => Entry,
  put: (entry: Entry) => void,
): Shelf<Entry> {
  return {
    from: (after) => (after === null ? table.all().map(toEntry) : []),
    has: () => table.get() !== undefined,
    put,
  };
}

function createShelves(tables: Tables): { readonly [K in TransferKind]: Shelf<TransferEntries[K]> } {
  const { clients, subscriptions, verifications, events, endpoints, deliveries } = tables;
  const { retention, mails, erasureLog, exports, indexEntries } = tables;

  /** Deliveries in the order of clients, endpoints and events. */
  function* deliveriesFrom(after: TransferKey | null): Generator<StoredDelivery, void> {
    const [clientId, endpointId, eventId] = after ?? [];
    for (const { endpoint } of endpoints.scan({
      from: clientId === undefined ? [] : [clientId, endpointId ?? ''],
    })) {
      const isFirst = endpoint.clientId === clientId && endpoint.id === endpointId;
      yield* deliveries.by('event', { under: [endpoint.id], from: isFirst ? [eventId ?? ''] : [] });
    }
  }

  return {
    clients: shelfOf(
      clients,
      (client) => ({ client, subscription: subscriptions.get(client.id)?.subscription ?? null }),
      ({ client, subscription }) => {
        clients.put(client);
        if (subscription !== null) subscriptions.put({ clientId: client.id, subscription });
      },
    ),
    clientFaces: plainShelfOf(tables.appearances),
    clientRetention: shelfOf(
      retention,
      ({ clientId, policy }) => ({ clientId, policy }),
      (entry) => retention.put({ ...entry, plannedBy: null, plannedAfter: null }),
    ),
    usage: plainShelfOf(tables.usage),
    verifications: {
      from: (after) => verifications.by('id', { from: after ?? [] }),
      has: ([id = '']) => verifications.first('id', id) !== undefined,
      put: (record) => verifications.put(record),
    },
    events: {
      *from(after) {
        const [verificationId, version] = after ?? [];
        for (const { clientId, id } of verifications.by('id', {
          from: verificationId === undefined ? [] : [verificationId],
        }))
          yield* events.scan({
            under: [clientId, id],
            from: id === verificationId && version !== undefined ? [version] : [],
          });
      },
      has: (_key, { event: { clientId, verificationId, version } }) =>
        events.get(clientId, verificationId, version) !== undefined,
      put: (stored) => events.put(stored),
    },
    webhookEndpoints: shelfOf(
      endpoints,
      ({ endpoint }) => endpoint,
      (endpoint) => endpoints.put({ endpoint, lease: null, dueAt: null }),
    ),
    webhookDeliveries: {
      *from(after) {
        for (const { clientId, entry } of deliveriesFrom(after)) yield { clientId, ...entry };
      },
      has: (_key, { endpointId, eventId }) => deliveries.first('event', endpointId, eventId) !== undefined,
      put: ({ clientId, ...entry }) => putDelivery(tables, { clientId, entry, attempts: [] }),
    },
    webhookAttempts: {
      *from(after) {
        for (const { clientId, entry, attempts } of deliveriesFrom(after)) {
          const { endpointId, eventId } = entry;
          const [, , afterEvent, afterId = ''] = after ?? [];
          const inOrder = attempts.toSorted((a, b) => compareText(a.id, b.id));
          for (const attempt of inOrder)
            if (eventId !== afterEvent || attempt.id > afterId)
              yield { clientId, endpointId, eventId, ...attempt };
        }
      },
      has: (_key, { endpointId, eventId, id }) =>
        deliveries.first('event', endpointId, eventId)?.attempts.some((attempt) => attempt.id === id) ?? false,
      put({ clientId: _, endpointId, eventId, ...attempt }) {
        const delivery = deliveries.first('event', endpointId, eventId);
        if (delivery === undefined) throw new Error(`the attempt ${attempt.id} has no delivery`);
        deliveries.put({ ...delivery, attempts: [...delivery.attempts, attempt] });
      },
    },
    exports: {
      from: (after) => exports.by('client', { from: after ?? [] }),
      has: (_key, { id }) => exports.get(id) !== undefined,
      put: (one) => exports.put(one),
    },
    handOvers: plainShelfOf(tables.handOvers),
    readings: plainShelfOf(tables.readings),
    indexKeys: plainShelfOf(tables.indexKeys),
    indexedVerifications: plainShelfOf(tables.indexedVerifications),
    indexEntries: {
      from: (after) => indexEntries.by('label', { from: after ?? [] }),
      has: (_key, { clientId, verificationId, purpose, label }) =>
        indexEntries.get(clientId, verificationId, purpose, label) !== undefined,
      put: (entry) => indexEntries.put(entry),
    },
    mails: shelfOf(
      mails,
      ({ mail }) => mail,
      (mail) => mails.put({ mail, lease: null }),
    ),
    mailBudgets: plainShelfOf(tables.mailBudgets),
    erasures: plainShelfOf(tables.erasures),
    erasureLogs: singleShelfOf(
      erasureLog,
      (id) => ({ id }),
      ({ id }) => erasureLog.put(id),
    ),
    retentionRuns: singleShelfOf(tables.runs, (run) => run, tables.runs.put),
    audit: plainShelfOf(tables.audit),
    apiKeys: plainShelfOf(tables.apiKeys),
  };
}
