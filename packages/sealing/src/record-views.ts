import type { VerificationRecord } from '@countersign/domain';
import { isEmpty } from './sealed-value.ts';
import type { SealingError } from './sealing-error.ts';

/** Nothing in it is sealed, or is to be. */
export function isBlank({ answers, reviewData }: VerificationRecord): boolean {
  return isEmpty(answers) && isEmpty(reviewData);
}

/** Nothing was ever sealed in it. */
export function isUntouched(record: VerificationRecord): boolean {
  return record.dataKey === null && isBlank(record);
}

/** Without anything that is sealed. */
export function blank(record: VerificationRecord): VerificationRecord {
  return { ...record, dataKey: null, answers: {}, reviewData: {} };
}

/**
 * The record, where unsealing it has failed: whoever reads its answers or its reviewData, or copies it, meets the fault, and
 * nobody who does not. Empty ones in their place would be taken for what stands there, and be written over it.
 */
export function unreadable(record: VerificationRecord, fault: SealingError): VerificationRecord {
  const get = (): never => {
    throw fault;
  };
  return Object.defineProperties(blank(record), {
    answers: { get, enumerable: true },
    reviewData: { get, enumerable: true },
  });
}
