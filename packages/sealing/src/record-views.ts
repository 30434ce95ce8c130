import type { VerificationRecord } from '@countersign/domain/storage';
import { isEmpty } from './sealed-value.ts';

/** Whether the record has neither sealed values nor values to seal. */
export function isBlank(record: VerificationRecord): boolean {
  return record.notify === null && record.warnings === null && hasNoDocuments(record);
}

/** Whether the record has none of the values that a commit replaces, sealed or to be sealed. */
export function hasNoDocuments({ answers, reviewData }: VerificationRecord): boolean {
  return isEmpty(answers) && isEmpty(reviewData);
}

/** Whether the record never had sealed values. */
export function isUntouched(record: VerificationRecord): boolean {
  return record.dataKey === null && isBlank(record);
}

/** Returns the record without its sealed values. */
export function blank(record: VerificationRecord): VerificationRecord {
  return { ...record, dataKey: null, answers: {}, reviewData: {}, notify: null, warnings: null };
}
