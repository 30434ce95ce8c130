import type { Erasure } from '../src/erasure/erasure.ts';
import { type RetainedVerification, retainedVerification } from '../src/erasure/retained-verification.ts';
import type { VerificationPlace } from '../src/erasure/retention-repository.ts';
import type { Verification } from '../src/verification/verification.ts';
import { toRecord } from '../src/verification/verification-record.ts';
import { inState, NOW } from './verifications.ts';

/** Names the verification that the helpers make. */
export const PLACE: VerificationPlace = { clientId: 'client-1', verificationId: 'verification-1' };

const REJECTED = inState('rejected');

/** Makes a verification as retention reads it. By default, it was rejected at `NOW`. */
export function retained(
  facts: Partial<RetainedVerification> = {},
  verification: Verification = REJECTED,
): RetainedVerification {
  return { ...retainedVerification(toRecord(verification), []), ...facts };
}

/** Makes a rejected verification whose erasure began at `NOW`, and whose data is not removed yet. */
export const erasing = (facts: Partial<RetainedVerification> = {}): RetainedVerification =>
  retained({ erasedAt: NOW, ...facts });

/** Makes the receipt of an erasure, which is finished by default. */
export function receipt(number: number, values: Partial<Erasure> = {}): Erasure {
  const { clientId } = PLACE;
  const verificationId = `verification-${number}`;
  const counts = { steps: 1, files: 2, events: 3 };
  const hash = '0'.repeat(64);
  return {
    number,
    clientId,
    verificationId,
    at: NOW,
    rule: 'rejected',
    ...counts,
    hash,
    finishedAt: NOW,
    ...values,
  };
}
