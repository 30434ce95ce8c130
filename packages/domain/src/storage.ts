import type { ApiKeyRepository } from './access/api-key-repository.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { RetentionRepository } from './erasure/retention-repository.ts';
import type { EvidenceStore } from './evidence/evidence-store.ts';
import type { ExportRepository } from './exports/export-repository.ts';
import type { MailQueue } from './mail/mail-queue.ts';
import type { ClientRepository } from './subscription/client-repository.ts';
import type { ClientFaceRepository } from './subscription/face-repository.ts';
import type { DataKeyRepository } from './verification/data-key-repository.ts';
import type { VerificationRepository } from './verification/verification-repository.ts';
import type { WebhookRepository } from './webhooks/webhook-repository.ts';

/**
 * The ports that an adopter implements for a database of their own. Each operation is atomic in itself; expected
 * outcomes are values, and only faults are thrown: `CountersignError('SERVICE_UNAVAILABLE')` when the database does
 * not answer in time, anything else when it is broken. A call that throws has changed nothing, unless the connection
 * broke before the answer arrived. The package `@countersign/storage-contract` tests an implementation.
 *
 * **Ids.** Ids of clients, verifications, events, endpoints, attempts, mails and exports, and hashes of keys are unique in the installation: the
 * domain makes them with `Ids` and `Secrets`. A storage refuses an id that the same client already has, as a fault, and may refuse one
 * that another client has: a database that is split by client cannot see both. Ids that come in with a request are not checked before:
 * a text that cannot be an id finds nothing.
 *
 * **Order.** A verification's events are numbered by its `version`, without two of one number; a number may be missing. Reads return
 * them in this order, and webhooks are sent in it. There is no order between verifications: times come from several clocks.
 *
 * **Durability.** A storage that keeps its data answers a write once it is durable: it is there after the process was killed, and after
 * `close` and another start. One in memory keeps nothing.
 */
export interface Storage {
  readonly verifications: VerificationRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly clients: ClientRepository;
  readonly webhooks: WebhookRepository;
  readonly dataKeys: DataKeyRepository;
  readonly retention: RetentionRepository;
  readonly exports: ExportRepository;
  readonly mails: MailQueue;
  readonly faces: ClientFaceRepository;
  readonly audit: AuditLog;
  /** Resolves if the database answers and has the schema that this adapter needs; rejects otherwise. */
  ping(): Promise<void>;
  /**
   * Waits for running writes, then releases every resource. Closing twice is no error. Call nothing else afterwards: a call may
   * reject or answer, as the storage likes, and a write may be lost.
   */
  close(): Promise<void>;
}

/** Where a sealing layer keeps the wrapped data key of each verification. */
export type SealedDataKeys = Pick<DataKeyRepository, 'find' | 'replace'>;

/**
 * Encrypts personal data before it is stored and decrypts it when it is read. `createSealing` of `@countersign/sealing` makes
 * one. The core wraps the storage and the evidence store that it receives: pass both as they are.
 */
export interface Sealing {
  /** Wraps the repository: `answers`, `reviewData` and `notify` of every record are encrypted in `inner`. */
  sealVerifications(inner: VerificationRepository, dataKeys: SealedDataKeys): VerificationRepository;
  /** Wraps the repository: the secrets of endpoints are encrypted in `inner`. */
  sealWebhooks(inner: WebhookRepository): WebhookRepository;
  /** Wraps the store: the content of every file is encrypted in `inner`. */
  sealEvidence(inner: EvidenceStore, dataKeys: SealedDataKeys): EvidenceStore;
}
