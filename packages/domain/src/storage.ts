import type { ApiKeyRepository } from './access/api-key-repository.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { DataKeyRepository } from './sealing/data-key-repository.ts';
import type { ClientRepository } from './subscription/client-repository.ts';
import type { Outbox } from './verification/outbox.ts';
import type { VerificationRepository } from './verification/verification-repository.ts';

/**
 * All that an adopter implements to bring a database of their own. Each operation is atomic in itself; expected
 * outcomes are values, and only faults are thrown: `CountersignError('SERVICE_UNAVAILABLE')` when the database does
 * not answer in time, anything else when it is broken. What was thrown has changed nothing, unless the connection
 * broke before the answer came. An id or a key hash that the client has already is such a fault. The package `@countersign/storage-contract` proves an implementation.
 */
export interface Storage {
  readonly verifications: VerificationRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly clients: ClientRepository;
  readonly outbox: Outbox;
  readonly dataKeys: DataKeyRepository;
  readonly audit: AuditLog;
  /** Resolves when the database answers and its schema is the one this adapter needs; rejects otherwise. */
  ping(): Promise<void>;
  /** Waits for writes that have begun, then lets go of everything. Closing twice is no error. */
  close(): Promise<void>;
}
