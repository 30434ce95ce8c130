import type { FaultSubject } from '@countersign/domain';
import type { WrappedDataKey } from '@countersign/domain/storage';

/** The verification of a data key. A key wrapped for one verification cannot be unwrapped for another. */
export interface DataKeyContext {
  readonly clientId: string;
  readonly verificationId: string;
}

/** The webhook endpoint of a secret. A secret wrapped for one endpoint cannot be unwrapped for another. */
export interface WebhookSecretContext {
  readonly clientId: string;
  readonly endpointId: string;
}

/** The client of an index key. A key wrapped for one client or version cannot be unwrapped for another. */
export interface IndexKeyContext {
  readonly clientId: string;
  readonly indexKeyVersion: number;
}

/** What a wrapped key or secret belongs to. */
export type WrappingContext = DataKeyContext | WebhookSecretContext | IndexKeyContext;

/** Names what is wrapped, in messages. */
export function wrappedName(context: WrappingContext): string {
  if ('endpointId' in context) return `The secret of webhook endpoint ${context.endpointId}`;
  if ('indexKeyVersion' in context) return `Index key ${context.indexKeyVersion} of client ${context.clientId}`;
  return `The data key of verification ${context.verificationId}`;
}

/** Returns what faults are about. */
export function subjectOf(context: WrappingContext): FaultSubject {
  if ('endpointId' in context) return { endpointId: context.endpointId };
  return 'verificationId' in context ? { verificationId: context.verificationId } : {};
}

/**
 * Wraps the data keys of verifications, the secrets of webhook endpoints and the index keys of clients with keys that are stored elsewhere: a key ring in the environment
 * (`createKeyRing`), or a key management service. Each read and each write of personal data or of an endpoint calls it once, so an
 * implementation that uses a network should cache unwrapped keys for a while.
 */
export interface KeyWrapping {
  /** Name of the key that wraps now: 1–64 printable ASCII characters, not secret. */
  readonly newest: string;
  /**
   * Wraps a data key of 32 bytes, or a secret of up to 100 bytes, with the newest key, `wrappedBy`. A promise is for
   * implementations that use a network.
   */
  wrap(key: Uint8Array, context: WrappingContext): WrappedDataKey | Promise<WrappedDataKey>;
  /**
   * Unwraps a key or a secret, also one that an older key wrapped.
   * @throws SealingError `UNKNOWN_KEY` if the key that wrapped it is unknown, `DAMAGED` if it was changed or wrapped
   * for another verification or endpoint. Any other error counts as an outage.
   */
  unwrap(wrapped: WrappedDataKey, context: WrappingContext): Promise<Uint8Array>;
}
