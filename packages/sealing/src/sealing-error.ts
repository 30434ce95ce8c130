export type SealingErrorCode =
  /** The ring does not hold the key that sealed the value. */
  | 'UNKNOWN_KEY'
  /** The value was changed after it was sealed, or was sealed for another place. */
  | 'DAMAGED'
  /** The value is plain text where only sealed values belong. */
  | 'NOT_SEALED'
  /** The value is sealed, but the verification has no data key. */
  | 'NO_DATA_KEY'
  /** The rotation could not re-wrap every data key. */
  | 'ROTATION_INCOMPLETE';

/**
 * Thrown when a sealed value cannot be opened. The message names the verification and never quotes content.
 * `verificationId` is set if the error is about one verification.
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
