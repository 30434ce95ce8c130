import type { WrappedDataKey } from '@countersign/domain';

/** The verification of a data key. A key wrapped for one verification cannot be unwrapped for another. */
export interface DataKeyContext {
  readonly clientId: string;
  readonly verificationId: string;
}

/**
 * Wraps the data keys of verifications with keys that are stored elsewhere: a key ring in the environment
 * (`createKeyRing`), or a key management service. Each read and each write of personal data calls it once, so an
 * implementation that uses a network should cache unwrapped keys for a while.
 */
export interface KeyWrapping {
  /** Name of the key that wraps now: 1–64 printable ASCII characters, not secret. */
  readonly newest: string;
  /** Wraps a data key of 32 bytes with the newest key, `wrappedBy`. */
  wrap(dataKey: Uint8Array, context: DataKeyContext): Promise<WrappedDataKey>;
  /**
   * Unwraps a data key, also one that an older key wrapped.
   * @throws SealingError `UNKNOWN_KEY` if the key that wrapped it is unknown, `DAMAGED` if it was changed or wrapped
   * for another verification. Any other error counts as an outage.
   */
  unwrap(wrapped: WrappedDataKey, context: DataKeyContext): Promise<Uint8Array>;
}
