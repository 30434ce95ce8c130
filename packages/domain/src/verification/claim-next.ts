import { type ErrorCode, isCountersignError, VerificationFault } from '../errors.ts';
import type { Fields } from '../fields/field.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import type { Runtime } from '../runtime.ts';
import { type ReviewQueueInput, reviewQueueFields } from './review-queue.ts';
import type { ReviewVerification } from './review-verification.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** Which verifications a reviewer works on. A filter that is left out matches everything. */
export interface ClaimNextInput
  extends Pick<ReviewQueueInput, 'type' | 'clientId' | 'warned' | 'resubmitted' | 'withTests'> {
  /** Those that the reviewer has claimed, instead of those that no one has. */
  readonly mine?: boolean | undefined;
}

/** Fields of `ClaimNextInput`. */
export const claimNextFields: Fields<ClaimNextInput> = {
  type: reviewQueueFields.type,
  clientId: reviewQueueFields.clientId,
  warned: reviewQueueFields.warned,
  resubmitted: reviewQueueFields.resubmitted,
  withTests: reviewQueueFields.withTests,
  mine: { kind: 'flag', optional: true },
};

/** A verification that was claimed. */
export interface ClaimedNext {
  readonly verificationId: string;
  readonly clientId: string;
}

const schema = typedSchemaOf<ClaimNextInput>(claimNextFields);

/** How many verifications are tried. Each that is lost went to another reviewer. */
const TRIES = 10;

/**
 * Claims the submitted verification that matches and has waited longest, and returns its id and client; null if none can be claimed.
 *
 * Concurrency: of several reviewers, each claims another verification. One that another reviewer claims or decides meanwhile, that is
 * damaged, or that has reached its limit of events is passed over, up to `TRIES` of them.
 * @throws CountersignError `INVALID_PARAMETERS`
 */
export type ClaimNext = (reviewerId: string, input: ClaimNextInput) => Promise<ClaimedNext | null>;

export function claimNextUseCase(
  ports: Pick<ReviewVerification, 'claim'> &
    Pick<Runtime, 'onFault'> & { readonly verifications: Pick<VerificationRepository, 'queue'> },
): ClaimNext {
  const { claim, verifications, onFault } = ports;
  return async (reviewerId, input) => {
    const { type, clientId, warned, resubmitted, withTests, mine } = parseInput(schema(), input);
    const { records } = await verifications.queue({
      status: 'submitted',
      type,
      clientId,
      claimedBy: mine === true ? reviewerId : null,
      isWarned: warned,
      isResubmitted: resubmitted,
      after: undefined,
      liveOnly: withTests !== true && clientId === undefined,
      limit: TRIES,
      countUpTo: 1,
    });
    for (const { id, version, clientId: ofClient } of records) {
      try {
        await claim({ verificationId: id, expectedVersion: version, reviewerId });
        return { verificationId: id, clientId: ofClient };
      } catch (error) {
        if (error instanceof VerificationFault) onFault(error);
        else if (!isCountersignError(error) || !LOST.includes(error.code)) throw error;
      }
    }
    return null;
  };
}

/** Why a verification cannot be claimed. */
const LOST: readonly ErrorCode[] = [
  'VERSION_CONFLICT',
  'CLAIMED_BY_ANOTHER',
  'ILLEGAL_TRANSITION',
  'VERIFICATION_NOT_FOUND',
  'EVENT_LIMIT_REACHED',
];
