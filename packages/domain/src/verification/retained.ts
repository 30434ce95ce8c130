import type { StoredReading } from '../reading/stored-reading.ts';
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
import { decidingTypeIn, endingOf } from './endings.ts';
import type { DecidingEventType, VerificationEvent } from './events.ts';
import { fromRecord } from './from-record.ts';
import type { DocumentReadings } from './readings/document-readings.ts';
import type { Status } from './status.ts';
import { resolvedAtOf, type Verification } from './verification.ts';
import type { VerificationRepository } from './verification-repository.ts';
import { type KeptWarning, keptWarnings } from './warnings/kept-warnings.ts';

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
    return endingOf(decidedBy) === null ? status : 'unfinished';
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
  /** What was read from its files; default nothing. */
  readonly readings?: readonly StoredReading[];
  /** The warnings that are kept of its last submission; null or absent if none were computed. */
  readonly keptWarnings?: readonly KeptWarning[] | null;
}

/** Finds a verification of the client; null if there is none or it belongs to another client. */
export type FindWithData = (clientId: string, verificationId: string) => Promise<FoundVerification | null>;

export function createFindWithData(
  ports: Pick<BasePorts, 'clock' | 'flows'> & {
    verifications: Pick<VerificationRepository, 'findWithHistory'>;
    rulesOf: RulesOf;
    withPause: WithPause;
    documents: Pick<DocumentReadings, 'of'>;
  },
): FindWithData {
  const { verifications, flows, rulesOf, documents, clock } = ports;
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
      readings: await documents.of(verification),
      keptWarnings: keptWarnings(record),
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
