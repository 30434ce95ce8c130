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
  UsageEntry,
  UsedMailBudget,
  VerificationRecord,
} from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';

/** An event as it is stored. */
export interface StoredEvent {
  event: VerificationEvent;
  /** Whether it still has to be fanned out to the endpoints of its client. */
  unsent: boolean;
}

/** An endpoint, and the worker that holds it. */
export interface StoredEndpoint {
  endpoint: WebhookEndpoint;
  lease: { readonly token: string; until: number } | null;
}

/** A delivery to an endpoint, with its log. */
export interface StoredDelivery {
  readonly clientId: string;
  entry: DeliveryEntry;
  attempts: Attempt[];
}

/** A mail, and the worker that holds it. */
export interface StoredMail {
  readonly mail: Mail;
  lease: { readonly token: string; readonly until: number } | null;
}

/** The tables of the storage in memory. `keyOf` joins keys of several parts. */
export interface Tables {
  readonly clients: Map<string, Client>;
  readonly subscriptions: Map<string, Subscription>;
  readonly apiKeys: Map<string, ApiKey>;
  readonly verifications: Map<string, VerificationRecord>;
  /** In the order of their writing. */
  readonly events: StoredEvent[];
  /** Verifications charged, and the allowance at the last charge, by client and month. */
  readonly usage: Map<string, UsageEntry>;
  /** By id. */
  readonly endpoints: Map<string, StoredEndpoint>;
  /** By endpoint and event. */
  readonly deliveries: Map<string, StoredDelivery>;
  /** In the order of the chain. */
  readonly audit: AuditEntry[];
  /** By number. */
  readonly erasures: Map<number, Erasure>;
  /** By id. */
  readonly exports: Map<string, ExportRequest>;
  /** By id. */
  readonly mails: Map<string, StoredMail>;
  /** By name. */
  readonly mailBudgets: Map<string, UsedMailBudget>;
  /** By client: those that changed their appearance. */
  readonly clientFaces: Map<string, ClientAppearanceEntry>;
  /** By client: those with a policy of their own, and those that were planned. */
  readonly clientRetention: Map<string, ClientRetention>;
  /** The id of the erasure log of this storage; null before the first start. */
  erasureLogId: string | null;
  /** The last run of the retention job; null before the first. */
  retentionRun: StoredRetentionRun | null;
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
    endpoints: new Map(),
    deliveries: new Map(),
    audit: [],
    erasures: new Map(),
    exports: new Map(),
    mails: new Map(),
    mailBudgets: new Map(),
    clientFaces: new Map(),
    clientRetention: new Map(),
    erasureLogId: null,
    retentionRun: null,
    hasUnfinishedCopy: false,
  };
}

/** Joined by a character that no id and no month holds. */
export function keyOf(...parts: readonly string[]): string {
  return parts.join('/');
}
