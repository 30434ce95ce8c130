import type { VerificationRecord } from '@countersign/domain';
import { isEmpty } from './sealed-value.ts';

/** Whether the record has nothing sealed and nothing to seal. */
export function isBlank({ answers, reviewData }: VerificationRecord): boolean {
  return isEmpty(answers) && isEmpty(reviewData);
}

/** Whether nothing was ever sealed in the record. */
export function isUntouched(record: VerificationRecord): boolean {
  return record.dataKey === null && isBlank(record);
}

/** The record without its sealed values. */
export function blank(record: VerificationRecord): VerificationRecord {
  return { ...record, dataKey: null, answers: {}, reviewData: {} };
}
