import type {
  ApiKey,
  AuditEntry,
  Client,
  Subscription,
  UsageEntry,
  VerificationEvent,
  VerificationRecord,
} from '@countersign/domain';

/** The delivery state of an event. */
export interface Delivery {
  availableAt: number;
  leaseToken: string | null;
  attempts: number;
  deliveredAt: Date | null;
}

/** The tables of the storage in memory. `keyOf` joins keys of several parts. */
export interface Tables {
  readonly clients: Map<string, Client>;
  readonly subscriptions: Map<string, Subscription>;
  readonly apiKeys: Map<string, ApiKey>;
  readonly verifications: Map<string, VerificationRecord>;
  /** In the order of their writing. */
  readonly events: { readonly event: VerificationEvent; readonly delivery: Delivery }[];
  /** Verifications charged, and the allowance at the last charge, by client and month. */
  readonly usage: Map<string, UsageEntry>;
  /** In the order of the chain. */
  readonly audit: AuditEntry[];
  /** Whether a copy into these tables was begun and not finished. */
  hasUnfinishedCopy: boolean;
}

export function createTables(): Tables {
  return {
    clients: new Map(),
    subscriptions: new Map(),
    apiKeys: new Map(),
    verifications: new Map(),
    events: [],
    usage: new Map(),
    audit: [],
    hasUnfinishedCopy: false,
  };
}

/** Joined by a character that no id and no month holds. */
export function keyOf(...parts: readonly string[]): string {
  return parts.join('/');
}
