import { VerificationFault } from '../errors.ts';
import type { VerificationRecord } from './verification-record.ts';

/** Reported through `onFault` when a list contains a verification whose stored documents cannot be read. */
export class UnreadableVerificationError extends VerificationFault {
  override readonly name = 'UnreadableVerificationError';
  readonly code = 'UNREADABLE';

  /** @param cause why the documents cannot be read: damaged JSON, a changed sealed value, a missing field */
  constructor(verificationId: string, cause: unknown) {
    super(`The stored documents of verification ${verificationId} cannot be read`, { verificationId, cause });
  }
}

/**
 * Makes a record whose `answers` and `reviewData` throw `fault` when they are read. A list returns it in place of a record
 * that cannot be unsealed or parsed: the clear columns stay readable, and empty documents are never mistaken for the
 * stored ones or written over them.
 *
 * @example
 * rows.map((row) => {
 *   try {
 *     return recordOf(row);
 *   } catch (fault) {
 *     return unreadableRecord(recordOf({ ...row, answers: '{}', reviewData: '{}' }), fault);
 *   }
 * });
 */
export function unreadableRecord(
  columns: Omit<VerificationRecord, 'answers' | 'reviewData'>,
  fault: unknown,
): VerificationRecord {
  const get = (): never => {
    throw fault;
  };
  const record: VerificationRecord = { ...columns, answers: {}, reviewData: {} };
  return Object.defineProperties(record, {
    answers: { get, enumerable: true },
    reviewData: { get, enumerable: true },
  });
}

/** Whether the record was made by `unreadableRecord`. */
export function isUnreadable(record: VerificationRecord): boolean {
  return Object.getOwnPropertyDescriptor(record, 'answers')?.get !== undefined;
}
