import type { ApiKey } from '../access/api-key.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { Erasure } from '../erasure/erasure.ts';
import type { ClientRetention, StoredRetentionRun } from '../erasure/retention-repository.ts';
import type { ExportRequest } from '../exports/export-request.ts';
import type { Mail } from '../mail/mail.ts';
import type { UsedMailBudget } from '../mail/mail-queue.ts';
import type { IndexEntry, IndexedVerification, IndexKey } from '../matching/index-repository.ts';
import type { ReadingRecord } from '../reading/reading-repository.ts';
import type { AppearanceDetails, Logo } from '../subscription/client-appearance.ts';
import type { ClientWithSubscription } from '../subscription/client-repository.ts';
import type { Month } from '../subscription/monthly-limit.ts';
import type { VerificationEvent } from '../verification/events.ts';
import type { HandOverCode } from '../verification/hand-over-code.ts';
import type { VerificationRecord } from '../verification/verification-record.ts';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.ts';
import type { Attempt, DeliveryEntry } from '../webhooks/webhook-repository.ts';

/** Verifications charged to a client in a month, and the allowance at the last charge. */
export interface UsageEntry {
  readonly clientId: string;
  readonly month: Month;
  readonly used: number;
  readonly allowance: number;
}

/** An event, and whether it still has to be fanned out to the endpoints of its client. */
export interface EventEntry {
  readonly event: VerificationEvent;
  readonly unsent: boolean;
}

/** A delivery to an endpoint of the client. */
export interface WebhookDeliveryEntry extends DeliveryEntry {
  readonly clientId: string;
}

/** An attempt of a delivery. */
export interface WebhookAttemptEntry extends Attempt {
  readonly clientId: string;
  readonly endpointId: string;
  readonly eventId: string;
}

/** What a client has set of its appearance. */
export interface ClientAppearanceEntry {
  readonly clientId: string;
  readonly details: AppearanceDetails;
  readonly logo: Logo | null;
}

/** The policy of a client. The progress of planning its verifications is not copied: the copy replans them. */
export type ClientRetentionEntry = Pick<ClientRetention, 'clientId' | 'policy'>;

/** The whole content of a storage, by kind. */
export interface TransferEntries {
  readonly clients: ClientWithSubscription;
  readonly clientFaces: ClientAppearanceEntry;
  readonly clientRetention: ClientRetentionEntry;
  readonly usage: UsageEntry;
  readonly verifications: VerificationRecord;
  readonly events: EventEntry;
  readonly exports: ExportRequest;
  readonly handOvers: HandOverCode;
  readonly readings: ReadingRecord;
  readonly indexKeys: IndexKey;
  readonly indexedVerifications: IndexedVerification;
  readonly indexEntries: IndexEntry;
  /** Leases are not copied. */
  readonly mails: Mail;
  readonly mailBudgets: UsedMailBudget;
  /** Leases are not copied: an endpoint can be leased in the copy immediately. */
  readonly webhookEndpoints: WebhookEndpoint;
  readonly webhookDeliveries: WebhookDeliveryEntry;
  readonly webhookAttempts: WebhookAttemptEntry;
  readonly erasures: Erasure;
  /** The id of the erasure log: one entry, or none before the first start. */
  readonly erasureLogs: { readonly id: string };
  /** One entry, or none before the first run. */
  readonly retentionRuns: StoredRetentionRun;
  readonly audit: AuditEntry;
  readonly apiKeys: ApiKey;
}

/** A kind of entries of a copy, such as `clients`. */
export type TransferKind = keyof TransferEntries;

/**
 * The order of a copy: an entry comes after the entries it refers to. API keys come last, so that no key works before its
 * client's data is there.
 */
export const TRANSFER_KINDS: readonly TransferKind[] = [
  'clients',
  'clientFaces',
  'clientRetention',
  'usage',
  'verifications',
  'events',
  'exports',
  'handOvers',
  'readings',
  'indexKeys',
  'indexedVerifications',
  'indexEntries',
  'mails',
  'mailBudgets',
  'webhookEndpoints',
  'webhookDeliveries',
  'webhookAttempts',
  'erasures',
  'erasureLogs',
  'retentionRuns',
  'audit',
  'apiKeys',
];

/** Identifies an entry within its kind and gives the order: texts by code point, numbers by value. */
export type TransferKey = readonly (string | number)[];

const KEYS: { readonly [K in TransferKind]: (entry: TransferEntries[K]) => TransferKey } = {
  clients: ({ client }) => [client.id],
  clientFaces: ({ clientId }) => [clientId],
  clientRetention: ({ clientId }) => [clientId],
  usage: ({ clientId, month }) => [clientId, month],
  verifications: ({ id }) => [id],
  events: ({ event }) => [event.verificationId, event.version, event.id],
  exports: ({ clientId, id }) => [clientId, id],
  handOvers: ({ clientId, verificationId }) => [clientId, verificationId],
  readings: ({ clientId, verificationId, fileId }) => [clientId, verificationId, fileId],
  indexKeys: ({ clientId, version }) => [clientId, version],
  indexedVerifications: ({ clientId, verificationId }) => [clientId, verificationId],
  indexEntries: ({ clientId, purpose, label, verificationId }) => [clientId, purpose, label, verificationId],
  mails: ({ id }) => [id],
  mailBudgets: ({ name }) => [name],
  webhookEndpoints: ({ clientId, id }) => [clientId, id],
  webhookDeliveries: ({ clientId, endpointId, eventId }) => [clientId, endpointId, eventId],
  webhookAttempts: ({ clientId, endpointId, eventId, id }) => [clientId, endpointId, eventId, id],
  erasures: ({ number }) => [number],
  // A storage has at most one of each.
  erasureLogs: () => [1],
  retentionRuns: () => [1],
  audit: ({ sequence }) => [sequence],
  apiKeys: ({ clientId, id }) => [clientId, id],
};

/** Returns the key of an entry: its place in the order of a copy. */
export function transferKeyOf<K extends TransferKind>(kind: K, entry: TransferEntries[K]): TransferKey {
  return KEYS[kind](entry);
}

/** Compares two keys: negative if `a` comes first, 0 if they are equal. */
export function compareTransferKeys(a: TransferKey, b: TransferKey): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined || part > other) return 1;
    if (part < other) return -1;
  }
  return a.length - b.length;
}

/** Reads the whole content of a storage, of all clients: for moving an installation to another database. */
export interface TransferSource {
  count(kind: TransferKind): Promise<number>;
  /**
   * Reads up to `limit` entries in the order of their keys, after `after` or from the beginning. Fewer than `limit` are
   * returned only at the end.
   */
  read<K extends TransferKind>(
    kind: K,
    after: TransferKey | null,
    limit: number,
  ): Promise<readonly TransferEntries[K][]>;
}

/**
 * The target of a copy. From `begin` until `finish` it is marked as an unfinished copy: opening it for any other use and
 * `Storage.ping` are refused, also after the copying process died.
 */
export interface TransferTarget extends TransferSource {
  /** Whether the storage is marked as an unfinished copy. */
  hasUnfinishedCopy(): Promise<boolean>;
  /** Marks the storage as an unfinished copy. Calling it twice is no error. */
  begin(): Promise<void>;
  /**
   * Inserts all of these entries or none, durably. Rejects and changes nothing if an entry exists or breaks a constraint
   * of the storage.
   */
  write<K extends TransferKind>(kind: K, entries: readonly TransferEntries[K][]): Promise<void>;
  /** Makes the copy usable and removes the mark, in one step. */
  finish(): Promise<void>;
}
