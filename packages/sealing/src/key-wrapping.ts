import type { WrappedDataKey } from '@countersign/domain';

/** Whose data key it is. A key that was wrapped for one verification is unwrapped for no other. */
export interface DataKeyContext {
  readonly clientId: string;
  readonly verificationId: string;
}

/**
 * Wraps the keys of verifications by keys that never lie beside them: a key ring in the environment
 * (`createKeyRing`), or a key management service. It is asked once for each read and each write of personal data: one
 * that asks over a network keeps what it unwrapped for a while.
 */
export interface KeyWrapping {
  /** Names the key that wraps now; 1–64 printable ASCII characters, and nothing secret. */
  readonly newest: string;
  /** Wraps a data key of 32 bytes by the newest key. The result is `wrappedBy` it. */
  wrap(dataKey: Uint8Array, context: DataKeyContext): Promise<WrappedDataKey>;
  /**
   * The data key again, also where an older key wrapped it.
   * @throws SealingError `UNKNOWN_KEY` where the key that wrapped it is not known, `DAMAGED` where it was changed, or
   *   wrapped for another verification. What else is thrown is taken for an outage.
   */
  unwrap(wrapped: WrappedDataKey, context: DataKeyContext): Promise<Uint8Array>;
}
