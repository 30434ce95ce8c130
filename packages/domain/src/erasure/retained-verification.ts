import type { DecidingEventType } from '../verification/events.ts';
import type { VerificationRecord } from '../verification/verification-record.ts';

/**
 * A verification as retention reads it: its record without documents, which a storage need neither parse nor unseal. So one
 * whose documents are damaged, or whose key is lost, can be erased as well.
 */
export interface RetainedVerification
  extends Omit<VerificationRecord, 'metadata' | 'answers' | 'reviewData' | 'notify' | 'dataKey'> {
  /** The type of the event that decided it; null while it is open. */
  readonly decidedBy: DecidingEventType | null;
}
