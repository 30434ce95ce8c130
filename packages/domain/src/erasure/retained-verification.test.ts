import { describe, expect, it } from 'vitest';
import { submitted } from '../../test-support/verifications.ts';
import { toRecord, type VerificationRecord } from '../verification/verification-record.ts';
import { erasedRecord, requireRetentionRules } from './retained-verification.ts';

const AT = new Date('2026-03-10T12:00:00Z');
const RECORD = toRecord(submitted());

/** A record as an erasure leaves it. */
const ERASED = erasedRecord(
  { ...RECORD, status: 'rejected', resolvedAt: AT, erasedAt: AT },
  { event: { version: RECORD.version + 1 }, erasure: { at: AT } },
  1,
);

describe('requireRetentionRules', () => {
  it('requireRetentionRules: a record that keeps the rules passes', () => {
    expect(() => requireRetentionRules(RECORD)).not.toThrow();
    expect(() => requireRetentionRules(ERASED)).not.toThrow();
  });

  it.each<[what: string, Partial<VerificationRecord>]>([
    ['time of the erasure', { erasedAt: null }],
    ['reference of an erasure', { subjectReference: 'user-1' }],
    ['empty metadata', { metadata: { plan: 'gold' } }],
    ['empty answers', { answers: RECORD.answers }],
    ['empty data of the review', { reviewData: { note: 'Blurred' } }],
    ['key without a value', { idempotencyKey: 'key-1' }],
    ['address without a value', { returnUrl: 'https://example.com/' }],
    ['severity without a value', { severity: 'critical' }],
  ])('requireRetentionRules: a record with the number of an erasure needs an %s', (_, change) => {
    expect(() => requireRetentionRules({ ...ERASED, ...change })).toThrow(
      'erasureNumber needs erasedAt, and a record without data',
    );
  });
});
