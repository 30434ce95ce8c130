export type CopyErrorCode =
  /** The target holds something that is not in the source, or differs from it. Nothing was changed. */
  | 'target_in_use'
  /** The target refuses an entry of the source. What was copied stays, and the target is not served. */
  | 'entry_refused'
  /** What was copied is not what the source holds: it was changed meanwhile. The target is not served. */
  | 'not_equal';

/** Why there is no copy. The message is one line for the operator; it names an entry by its key and quotes no value. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
  readonly code: CopyErrorCode;

  constructor(code: CopyErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
