import { deserialize, serialize } from 'node:v8';
import type { ApiKey, AuditEntry, VerificationEvent } from '@countersign/domain';
import type { Client, Subscription } from '@countersign/domain/clients';
import type { ExportRequest } from '@countersign/domain/exports';
import type { Erasure } from '@countersign/domain/retention';
import type {
  Attempt,
  ClientAppearanceEntry,
  ClientRetention,
  DeliveryEntry,
  Mail,
  StoredRetentionRun,
  UsedMailBudget,
  VerificationRecord,
} from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import { type Database, open, type RootDatabase } from 'lmdb';

type Part = string | number;

/** Longest part of a key. Ids that come in with requests can be any text: a longer one names nothing. */
const PART_MAX = 200;

/** Ends a part of a key in LMDB's order of keys. */
const NUL = '\0';

const isPart = (part: Part): boolean =>
  typeof part === 'number' || (part.length <= PART_MAX && part.isWellFormed() && !part.includes(NUL));

/** A table of LMDB: values in the order of their keys, which have one or more parts. */
export interface Table<V> {
  get(...key: readonly Part[]): V | undefined;
  /** Reads the values whose key begins with these parts, in their order. */
  all(...prefix: readonly Part[]): V[];
  put(key: readonly Part[], value: V): void;
  remove(...key: readonly Part[]): void;
}

function tableOf<V>(db: Database<Buffer, Part[]>): Table<V> {
  const read = (bytes: Buffer): V => deserialize(bytes) as V;
  return {
    get(...key) {
      const bytes = key.every(isPart) ? db.get([...key]) : undefined;
      return bytes === undefined ? undefined : read(bytes);
    },
    all(...prefix) {
      if (!prefix.every(isPart)) return [];
      // U+FFFF comes after every part that a key here can have next.
      const range = prefix.length === 0 ? {} : { start: [...prefix], end: [...prefix, '\uffff'] };
      return [...db.getRange(range)].map(({ value }) => read(value));
    },
    put(key, value) {
      if (!key.every(isPart)) throw new Error(`The key ${JSON.stringify(key)} cannot be stored`);
      db.putSync([...key], serialize(value));
    },
    remove(...key) {
      if (key.every(isPart)) db.removeSync([...key]);
    },
  };
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
  /** client, month: verifications charged */
  readonly usage: Table<number>;
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
  /** sequence */
  readonly audit: Table<AuditEntry>;
  /** number */
  readonly erasures: Table<Erasure>;
  /** 'log': id of the erasure log */
  readonly erasureLog: Table<string>;
  /** 'last': last run of the retention job */
  readonly runs: Table<StoredRetentionRun>;
}

/** The most tables of the environment. */
const MAX_TABLES = 32;

/**
 * Opens the environment of LMDB and its tables.
 * @param waitForDisk whether a transaction ends when it is on the disk
 */
export function openTables(
  folder: string,
  waitForDisk: boolean,
): { readonly root: RootDatabase; readonly tables: Tables } {
  const path = { path: folder, noSubdir: false };
  const root = open({ ...path, maxDbs: MAX_TABLES, encoding: 'binary', noSync: !waitForDisk });
  const table = <V>(name: keyof Tables): Table<V> => tableOf(root.openDB({ name, encoding: 'binary' }));
  return {
    root,
    tables: {
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
      audit: table('audit'),
      erasures: table('erasures'),
      erasureLog: table('erasureLog'),
      runs: table('runs'),
    },
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
