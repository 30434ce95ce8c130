import { CountersignError, type FaultSubject, isCountersignError, VerificationFault } from '@countersign/domain';

/** Why a sealed value cannot be read. */
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
 * Thrown when a sealed value cannot be opened. The message names the verification or endpoint and never quotes content.
 * `verificationId` or `endpointId` is set if the error is about one.
 */
export class SealingError extends VerificationFault {
  override readonly name = 'SealingError';
  readonly code: SealingErrorCode;

  constructor(code: SealingErrorCode, message: string, options: ErrorOptions & FaultSubject = {}) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Rejects with `SERVICE_UNAVAILABLE` in place of `UNKNOWN_KEY`, which becomes its cause: a server that was not restarted after a
 * rotation lacks the new secret, and a restart with it mends that.
 */
export async function unavailableWithoutKey<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (fault) {
    throw isUnknownKey(fault) ? new CountersignError('SERVICE_UNAVAILABLE', undefined, { cause: fault }) : fault;
  }
}

/** Whether the fault is about one sealed value: it cannot be opened, here or anywhere. An outage is not. */
export function isAboutOneValue(fault: unknown): fault is Error {
  return fault instanceof SealingError || (isCountersignError(fault) && isUnknownKey(fault.cause));
}

function isUnknownKey(fault: unknown): fault is SealingError {
  return fault instanceof SealingError && fault.code === 'UNKNOWN_KEY';
}
