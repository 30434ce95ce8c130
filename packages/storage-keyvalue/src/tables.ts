import type { ApiKey, AuditEntry, VerificationEvent } from '@countersign/domain';
import type { Client, Subscription } from '@countersign/domain/clients';
import type { ExportRequest } from '@countersign/domain/exports';
import type { Erasure } from '@countersign/domain/retention';
import type {
  Attempt,
  ClientAppearanceEntry,
  ClientRetention,
  DeliveryEntry,
  HandOverCode,
  IndexEntry,
  IndexedVerification,
  IndexKey,
  Mail,
  ReadingRecord,
  StoredRetentionRun,
  UsageEntry,
  UsedMailBudget,
  VerificationRecord,
} from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';

/** One part of a key. */
export type KeyPart = string | number;

/** A table: values in the order of their keys, which have one or more parts. Numbers are in their order. */
export interface Table<V> {
  /** Reads a value, which callers do not change. Undefined for a key that cannot be stored. */
  get(...key: readonly KeyPart[]): V | undefined;
  /** Reads the values whose key begins with these parts, in their order. */
  all(...prefix: readonly KeyPart[]): V[];
  put(key: readonly KeyPart[], value: V): void;
  remove(...key: readonly KeyPart[]): void;
}

/** An ordered key-value store with one writer. Values are those of the structured clone algorithm. */
export interface KeyValueStore {
  /** Opens a table. */
  table<V>(name: string): Table<V>;
  /** Runs an operation while no other runs. If it throws, everything that it wrote is undone. */
  transact<R>(operation: () => R): R;
  close(): Promise<void>;
}

/** An event, as it is stored. */
export interface StoredEvent {
  readonly event: VerificationEvent;
  /** Whether it still has to be fanned out to the endpoints of its client. */
  readonly unsent: boolean;
}

/** A worker's lease of an endpoint or a mail. */
export interface Lease {
  readonly token: string;
  readonly until: Date;
}

export interface StoredEndpoint {
  readonly endpoint: WebhookEndpoint;
  readonly lease: Lease | null;
}

export interface StoredDelivery {
  readonly clientId: string;
  readonly entry: DeliveryEntry;
  readonly attempts: readonly Attempt[];
}

export interface StoredMail {
  readonly mail: Mail;
  readonly lease: Lease | null;
}

/** The tables, each with the parts of its key. */
export interface Tables {
  /** client */
  readonly clients: Table<Client>;
  /** client */
  readonly subscriptions: Table<Subscription>;
  /** client, month: verifications charged, and the allowance at the last charge */
  readonly usage: Table<UsageEntry>;
  /** client */
  readonly appearances: Table<ClientAppearanceEntry>;
  /** client */
  readonly retention: Table<ClientRetention>;
  /** client, key */
  readonly apiKeys: Table<ApiKey>;
  /** hash: client and key */
  readonly keyPlaces: Table<readonly [clientId: string, keyId: string]>;
  /** client, verification */
  readonly verifications: Table<VerificationRecord>;
  /** verification: its client */
  readonly owners: Table<string>;
  /** client, verification, version */
  readonly events: Table<StoredEvent>;
  /** client, endpoint */
  readonly endpoints: Table<StoredEndpoint>;
  /** endpoint, verification, version */
  readonly deliveries: Table<StoredDelivery>;
  /** mail */
  readonly mails: Table<StoredMail>;
  /** budget */
  readonly mailBudgets: Table<UsedMailBudget>;
  /** export */
  readonly exports: Table<ExportRequest>;
  /** client, verification */
  readonly handOvers: Table<HandOverCode>;
  /** client, verification, file */
  readonly readings: Table<ReadingRecord>;
  /** client, version */
  readonly indexKeys: Table<IndexKey>;
  /** client, verification */
  readonly indexedVerifications: Table<IndexedVerification>;
  /** client, purpose, label, verification */
  readonly indexEntries: Table<IndexEntry>;
  /** client, verification, purpose, label: the same entries */
  readonly indexLabels: Table<IndexEntry>;
  /** sequence */
  readonly audit: Table<AuditEntry>;
  /** number */
  readonly erasures: Table<Erasure>;
  /** 'log': id of the erasure log */
  readonly erasureLog: Table<string>;
  /** 'last': last run of the retention job */
  readonly runs: Table<StoredRetentionRun>;
  /** 'unfinished': whether a copy into these tables was begun and not finished */
  readonly copies: Table<boolean>;
}

export function createTables(store: KeyValueStore): Tables {
  const table = <V>(name: keyof Tables): Table<V> => store.table(name);
  return {
    clients: table('clients'),
    subscriptions: table('subscriptions'),
    usage: table('usage'),
    appearances: table('appearances'),
    retention: table('retention'),
    apiKeys: table('apiKeys'),
    keyPlaces: table('keyPlaces'),
    verifications: table('verifications'),
    owners: table('owners'),
    events: table('events'),
    endpoints: table('endpoints'),
    deliveries: table('deliveries'),
    mails: table('mails'),
    mailBudgets: table('mailBudgets'),
    exports: table('exports'),
    handOvers: table('handOvers'),
    readings: table('readings'),
    indexKeys: table('indexKeys'),
    indexedVerifications: table('indexedVerifications'),
    indexEntries: table('indexEntries'),
    indexLabels: table('indexLabels'),
    audit: table('audit'),
    erasures: table('erasures'),
    erasureLog: table('erasureLog'),
    runs: table('runs'),
    copies: table('copies'),
  };
}

/** A port whose operations are synchronous: the storage runs each in a transaction. */
export type Sync<P> = {
  readonly [K in keyof P]: P[K] extends (...input: infer I) => Promise<infer R> ? (...input: I) => R : never;
};

/** Compares times; null comes last. */
export const compareTime = (a: Date | null, b: Date | null): number => {
  const [left, right] = [a?.getTime() ?? Number.POSITIVE_INFINITY, b?.getTime() ?? Number.POSITIVE_INFINITY];
  return left === right ? 0 : left - right;
};
