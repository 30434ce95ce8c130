import {
  type DataState,
  dataStateOf,
  legalEndOf,
  type Retained,
  type RetentionRules,
  type WithPause,
} from '../retention/data-state.ts';
import type { RetainedOutcome } from '../retention/policy.ts';
import { type RetentionFacts, retentionFactsOf } from '../retention/retention-facts.ts';
import type { BasePorts } from './base-ports.ts';
import { SYSTEM_REASONS, type SystemReason } from './decision.ts';
import { DECIDING_EVENT_TYPES, type DecidingEventType, type VerificationEvent } from './events.ts';
import { fromRecord } from './from-record.ts';
import type { Status } from './status.ts';
import { resolvedAtOf, type Verification } from './verification.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** The columns of a verification that decide how long its data is kept. */
interface DecidedVerification extends RetentionFacts {
  readonly status: Status;
  readonly resolvedAt: Date | null;
  /** The type of the event that decided it; null while it is open. */
  readonly decidedBy: DecidingEventType | null;
}

/** Makes what the rules of retention need to know of a verification. */
export function retainedOf(verification: DecidedVerification): Retained {
  const { resolvedAt: decidedAt } = verification;
  return { ...retentionFactsOf(verification), outcome: outcomeOf(verification), decidedAt };
}

/** A rejection without its event counts as a reviewer's: that is kept longer. */
function outcomeOf({ status, decidedBy }: DecidedVerification): RetainedOutcome | null {
  if (status === 'approved' || status === 'rejected') {
    const isUnfinished = decidedBy === 'verification.withdrawn' || decidedBy === 'verification.expired';
    return isUnfinished ? 'unfinished' : status;
  }
  return null;
}

/** Reads the rules by which the data of a client is kept. */
export type RulesOf = (clientId: string) => Promise<RetentionRules>;

/** The state of a verification's data. */
export interface KeptData {
  readonly data: DataState;
  /** Until when the law obliges the operator to keep it; null while the verification is open, and once that has ended. */
  readonly legalEnd: Date | null;
}

/** A verification with its history and the state of its data. */
export interface FoundVerification extends KeptData {
  readonly verification: Verification;
  readonly events: readonly VerificationEvent[];
}

/** Finds a verification of the client; null if there is none or it belongs to another client. */
export type FindWithData = (clientId: string, verificationId: string) => Promise<FoundVerification | null>;

export function createFindWithData(
  ports: Pick<BasePorts, 'clock' | 'flows'> & {
    verifications: Pick<VerificationRepository, 'findWithHistory'>;
    rulesOf: RulesOf;
    withPause: WithPause;
  },
): FindWithData {
  const { verifications, flows, rulesOf, clock } = ports;
  return async (clientId, verificationId) => {
    const [found, rules] = await Promise.all([
      verifications.findWithHistory(clientId, verificationId),
      rulesOf(clientId),
    ]);
    if (found === null) return null;
    const { record, events } = found;
    const verification = fromRecord(record, flows);
    return {
      verification,
      events,
      ...(await keptDataOf(verification, events, { ...ports, rules, now: clock.now() })),
    };
  };
}

/** Returns the state of the data. The events contain the one that decided the verification, if it is decided. */
export async function keptDataOf(
  verification: Verification,
  events: readonly VerificationEvent[],
  { rules, withPause, now }: { readonly rules: RetentionRules; readonly withPause: WithPause; readonly now: Date },
): Promise<KeptData> {
  const retained = retainedFrom(verification, events);
  const legalEnd = legalEndOf(retained, rules);
  return {
    data: await withPause(dataStateOf(retained, rules, now), now),
    legalEnd: legalEnd !== null && legalEnd > now ? legalEnd : null,
  };
}

/** Makes what the rules of retention need to know of a verification and its history. */
export function retainedFrom(verification: Verification, events: readonly VerificationEvent[]): Retained {
  return retainedOf({
    ...verification,
    resolvedAt: resolvedAtOf(verification),
    decidedBy: decidingTypeIn(events),
  });
}

/** Returns the type of the event that decided a verification; null if there is none. */
export function decidingTypeIn(events: readonly VerificationEvent[]): DecidingEventType | null {
  return DECIDING_EVENT_TYPES.find((type) => events.some((event) => event.type === type)) ?? null;
}

/** Returns how a verification ended without a review. The events say it, whose data an erasure removes, and their types stay. */
export function endedBy(events: readonly VerificationEvent[]): SystemReason | null {
  const decidedBy = decidingTypeIn(events);
  return SYSTEM_REASONS.find((reason) => decidedBy === `verification.${reason}`) ?? null;
}
