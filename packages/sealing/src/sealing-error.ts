export type SealingErrorCode =
  /** Sealed by a key that the ring holds no longer, or never held. */
  | 'UNKNOWN_KEY'
  /** Changed since it was sealed, or sealed for another place. */
  | 'DAMAGED'
  /** In the clear where only sealed values belong. */
  | 'NOT_SEALED'
  /** Sealed, but the verification has no data key. */
  | 'NO_DATA_KEY'
  /** A rotation could not re-wrap every data key. */
  | 'ROTATION_INCOMPLETE';

/**
 * A fault of what is sealed. Its message names the verification, which `verificationId` has too where it is about one,
 * and never quotes what is or was inside.
 */
export class SealingError extends Error {
  override readonly name = 'SealingError';
  readonly code: SealingErrorCode;
  readonly verificationId: string | undefined;

  constructor(
    code: SealingErrorCode,
    message: string,
    { verificationId, ...options }: ErrorOptions & { readonly verificationId?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    this.verificationId = verificationId;
  }
}
