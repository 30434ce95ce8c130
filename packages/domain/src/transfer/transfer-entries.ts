import type { ApiKey } from '../access/api-key.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { ClientWithSubscription } from '../subscription/client-repository.ts';
import type { Month } from '../subscription/quota.ts';
import type { VerificationEvent } from '../verification/events.ts';
import type { VerificationRecord } from '../verification/verification-record.ts';

/** What was charged to a client in a month, and how much it was allowed at the last charge. */
export interface UsageEntry {
  readonly clientId: string;
  readonly month: Month;
  readonly used: number;
  readonly allowance: number;
}

/** An event and how far it is on its way out. Leases stay behind: what is leased is due again when its lease ends. */
export interface EventEntry {
  readonly event: VerificationEvent;
  readonly delivery: {
    /** When it is due. */
    readonly availableAt: Date;
    /** Leases so far. */
    readonly attempts: number;
    readonly deliveredAt: Date | null;
  };
}

/** All that a storage holds, by kind. */
export interface TransferEntries {
  readonly clients: ClientWithSubscription;
  readonly usage: UsageEntry;
  readonly verifications: VerificationRecord;
  readonly events: EventEntry;
  readonly audit: AuditEntry;
  readonly apiKeys: ApiKey;
}

export type TransferKind = keyof TransferEntries;

/**
 * In the order in which they are copied: whatever an entry refers to comes before it. Keys come last, so that none
 * works before all that it opens is there.
 */
export const TRANSFER_KINDS: readonly TransferKind[] = [
  'clients',
  'usage',
  'verifications',
  'events',
  'audit',
  'apiKeys',
];

/** What names an entry among those of its kind, and orders them: texts by code point, numbers by value. */
export type TransferKey = readonly (string | number)[];

const KEYS: { readonly [K in TransferKind]: (entry: TransferEntries[K]) => TransferKey } = {
  clients: ({ client }) => [client.id],
  usage: ({ clientId, month }) => [clientId, month],
  verifications: ({ id }) => [id],
  events: ({ event }) => [event.verificationId, event.version, event.id],
  audit: ({ sequence }) => [sequence],
  apiKeys: ({ clientId, id }) => [clientId, id],
};

export function transferKeyOf<K extends TransferKind>(kind: K, entry: TransferEntries[K]): TransferKey {
  return KEYS[kind](entry);
}

/** Negative where `a` comes before `b`, 0 where they are the same. */
export function compareTransferKeys(a: TransferKey, b: TransferKey): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined || part > other) return 1;
    if (part < other) return -1;
  }
  return a.length - b.length;
}
