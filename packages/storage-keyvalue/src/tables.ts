import { type ApiKey, type AuditEntry, isActive, type VerificationEvent } from '@countersign/domain';
import type { Client, Subscription } from '@countersign/domain/clients';
import type { ExportRequest } from '@countersign/domain/exports';
import type { Erasure } from '@countersign/domain/retention';
import {
  type Attempt,
  type ClientAppearanceEntry,
  type ClientRetention,
  type DeliveryEntry,
  DRIVEN_STATUSES,
  EXPIRING_STATUSES,
  type HandOverCode,
  type IndexEntry,
  type IndexedVerification,
  type IndexKey,
  type Mail,
  type ReadingRecord,
  type StoredRetentionRun,
  type UsageEntry,
  type UsedMailBudget,
  type VerificationRecord,
} from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import type { KeyPart } from './keys.ts';
import type { Session } from './session.ts';
import { createTable, type Shape, type Table } from './table.ts';

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
  /** When the first of its waiting deliveries is due. */
  readonly dueAt: Date | null;
}

export interface StoredDelivery {
  readonly clientId: string;
  readonly entry: DeliveryEntry;
  readonly attempts: readonly Attempt[];
}

/** The subscription of a client. */
export interface StoredSubscription {
  readonly clientId: string;
  readonly subscription: Subscription;
}

export interface StoredMail {
  readonly mail: Mail;
  readonly lease: Lease | null;
}

/** What is stored, by the name of its table: a value, and the names of the indexes that find it. */
interface Rows {
  readonly clients: Row<Client, 'twin'>;
  readonly subscriptions: Row<StoredSubscription>;
  /** Verifications charged in a month, and the allowance at the last charge. */
  readonly usage: Row<UsageEntry>;
  readonly appearances: Row<ClientAppearanceEntry>;
  readonly retention: Row<ClientRetention>;
  readonly apiKeys: Row<ApiKey, 'hash' | 'expiry'>;
  readonly verifications: Row<
    VerificationRecord,
    'id' | 'idempotencyKey' | 'reference' | 'expiring' | 'sandbox' | 'retention' | 'uploads' | 'erasing'
  >;
  readonly events: Row<StoredEvent, 'unsent'>;
  readonly endpoints: Row<StoredEndpoint, 'due'>;
  readonly deliveries: Row<StoredDelivery, 'due' | 'log' | 'event' | 'verification' | 'ended'>;
  readonly mails: Row<StoredMail, 'due' | 'verification'>;
  readonly mailBudgets: Row<UsedMailBudget, 'end'>;
  readonly exports: Row<ExportRequest, 'client' | 'verification' | 'end'>;
  readonly handOvers: Row<HandOverCode, 'issued'>;
  readonly readings: Row<ReadingRecord>;
  readonly indexKeys: Row<IndexKey>;
  readonly indexedVerifications: Row<IndexedVerification, 'key'>;
  readonly indexEntries: Row<IndexEntry, 'label'>;
  readonly audit: Row<AuditEntry>;
  readonly erasures: Row<Erasure>;
  /** The id of the erasure log. */
  readonly erasureLog: Row<string>;
  /** The last run of the retention job. */
  readonly runs: Row<StoredRetentionRun>;
  /** Whether a copy into these tables was begun and not finished. */
  readonly copies: Row<boolean>;
}

interface Row<V, I extends string = never> {
  readonly value: V;
  readonly index: I;
}

/** The tables of a storage. */
export type Tables = { readonly [N in keyof Rows]: Table<Rows[N]['value'], Rows[N]['index']> };

/**
 * The key of each table and of its indexes. An index finds the values for which it returns parts. The tables keep it, so a storage whose
 * data were written by other rules than these has to be copied (`copyStorage`).
 */
const SHAPES: { readonly [N in keyof Rows]: Shape<Rows[N]['value'], Rows[N]['index']> } = {
  clients: {
    key: ({ id }) => [id],
    indexes: { twin: ({ testOf }) => (testOf === null ? null : [testOf]) },
  },
  subscriptions: { key: ({ clientId }) => [clientId], indexes: {} },
  usage: { key: ({ clientId, month }) => [clientId, month], indexes: {} },
  appearances: { key: ({ clientId }) => [clientId], indexes: {} },
  retention: { key: ({ clientId }) => [clientId], indexes: {} },
  apiKeys: {
    key: ({ clientId, id }) => [clientId, id],
    indexes: {
      hash: ({ hash }) => [hash],
      expiry: ({ expiresAt, revokedAt, id }) => (revokedAt === null ? timeKey(expiresAt, id) : null),
    },
  },
  verifications: {
    key: ({ clientId, id }) => [clientId, id],
    indexes: {
      id: ({ id }) => [id],
      idempotencyKey: ({ clientId, idempotencyKey }) =>
        idempotencyKey === null ? null : [clientId, idempotencyKey],
      // Active ones come first.
      reference: ({ clientId, subjectReference, status }) => [
        clientId,
        subjectReference,
        Number(!isActive(status)),
      ],
      expiring: ({ clientId, status, type, requestedAt }) =>
        EXPIRING_STATUSES.includes(status) ? [clientId, status, type, requestedAt.getTime()] : null,
      sandbox: ({ sandboxOutcome, claimedBy, status, requestedAt, id }) =>
        sandboxOutcome !== null && claimedBy === null && DRIVEN_STATUSES.includes(status)
          ? [requestedAt.getTime(), id]
          : null,
      retention: ({ retentionCheckAt, id }) => timeKey(retentionCheckAt, id),
      uploads: ({ uploadsCheckAt, id }) => timeKey(uploadsCheckAt, id),
      erasing: ({ erasedAt, retentionCheckAt, id }) => (retentionCheckAt === null ? null : timeKey(erasedAt, id)),
    },
  },
  events: {
    key: ({ event: { clientId, verificationId, version } }) => [clientId, verificationId, version],
    indexes: {
      unsent: ({ unsent, event: { clientId, at, version, id } }) =>
        unsent ? [clientId, at.getTime(), version, id] : null,
    },
  },
  endpoints: {
    key: ({ endpoint: { clientId, id } }) => [clientId, id],
    indexes: { due: ({ endpoint: { id, state }, dueAt }) => (state === 'active' ? timeKey(dueAt, id) : null) },
  },
  deliveries: {
    key: ({ entry: { endpointId, verificationId, version } }) => [endpointId, verificationId, version],
    indexes: {
      due: ({ entry: { endpointId, dueAt, at, eventId } }) =>
        dueAt && [endpointId, dueAt.getTime(), at.getTime(), eventId],
      log: ({ entry: { endpointId, at, eventId } }) => [endpointId, at.getTime(), eventId],
      event: ({ entry: { endpointId, eventId } }) => [endpointId, eventId],
      verification: ({ clientId, entry: { verificationId } }) => [clientId, verificationId],
      ended: ({ entry: { state, at, eventId } }) => (state === 'waiting' ? null : [at.getTime(), eventId]),
    },
  },
  mails: {
    key: ({ mail: { id } }) => [id],
    indexes: {
      due: ({ mail: { heldUntil, dueAt, id } }) => [Number(heldUntil !== null), dueAt.getTime(), id],
      verification: ({ mail: { clientId, verificationId } }) =>
        clientId === null || verificationId === null ? null : [clientId, verificationId],
    },
  },
  mailBudgets: { key: ({ name }) => [name], indexes: { end: ({ endsAt }) => timeKey(endsAt) } },
  exports: {
    key: ({ id }) => [id],
    indexes: {
      client: ({ clientId }) => [clientId],
      verification: ({ clientId, verificationId }) => [clientId, verificationId],
      end: ({ expiresAt, declinedAt }) => timeKey(compareTime(expiresAt, declinedAt) < 0 ? expiresAt : declinedAt),
    },
  },
  handOvers: {
    key: ({ clientId, verificationId }) => [clientId, verificationId],
    indexes: { issued: ({ issuedAt }) => timeKey(issuedAt) },
  },
  readings: { key: ({ clientId, verificationId, fileId }) => [clientId, verificationId, fileId], indexes: {} },
  indexKeys: { key: ({ clientId, version }) => [clientId, version], indexes: {} },
  indexedVerifications: {
    key: ({ clientId, verificationId }) => [clientId, verificationId],
    indexes: { key: ({ clientId, keyVersion }) => [clientId, keyVersion] },
  },
  indexEntries: {
    key: ({ clientId, verificationId, purpose, label }) => [clientId, verificationId, purpose, label],
    indexes: {
      label: ({ clientId, verificationId, purpose, label }) => [clientId, purpose, label, verificationId],
    },
  },
  audit: { key: ({ sequence }) => [sequence], indexes: {} },
  erasures: { key: ({ number }) => [number], indexes: {} },
  erasureLog: { key: () => [], indexes: {} },
  runs: { key: () => [], indexes: {} },
  copies: { key: () => [], indexes: {} },
};

const timeKey = (at: Date | null, ...parts: KeyPart[]): KeyPart[] | null => at && [at.getTime(), ...parts];

/** Creates the tables of a session. */
export function createTables(session: Session): Tables {
  const table = <N extends keyof Rows>(name: N): Table<Rows[N]['value'], Rows[N]['index']> =>
    createTable(session, name, SHAPES[name]);
  return {
    clients: table('clients'),
    subscriptions: table('subscriptions'),
    usage: table('usage'),
    appearances: table('appearances'),
    retention: table('retention'),
    apiKeys: table('apiKeys'),
    verifications: table('verifications'),
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
