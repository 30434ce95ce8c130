import type { RetentionRepository } from '@countersign/domain/storage';

/** When `aRequestedErasure` is. */
export const ERASED_AT: Date = new Date('2026-03-12T12:00:00Z');

/** Returns the erasure of a verification that was requested. */
export function aRequestedErasure({
  clientId,
  verificationId,
  expectedVersion,
  number,
}: {
  clientId: string;
  verificationId: string;
  expectedVersion: number;
  number: number | null;
}): Parameters<RetentionRepository['erase']>[0] {
  return {
    expectedVersion,
    event: {
      id: `erased-${verificationId}`,
      clientId,
      verificationId,
      type: 'verification.data_erased',
      version: expectedVersion + 1,
      status: 'rejected',
      at: ERASED_AT,
      actor: { kind: 'system', id: null },
      data: {},
    },
    erasure: {
      number,
      clientId,
      verificationId,
      at: ERASED_AT,
      rule: 'requested',
      steps: 1,
      files: 0,
      events: 2,
      hash: '0'.repeat(64),
    },
  };
}
