import { erasureDue, type Retained, type RetentionRules } from '../retention/data-state.ts';
import type { RetainedOutcome, RetentionFloor, RetentionPolicy } from '../retention/policy.ts';
import type { ErasureRule } from './erasure.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository } from './retention-repository.ts';

/** What an installation sets for all its clients. */
export interface RetentionSettings {
  /** For clients without a policy of their own. */
  readonly policy: RetentionPolicy;
  readonly floor: RetentionFloor;
  /** In which days begin and end: a name of the IANA database. */
  readonly timeZone: string;
}

/** Returns the rules by which the data of a client is kept. */
export function rulesWith(settings: RetentionSettings, own: RetentionPolicy | null): RetentionRules {
  return own === null ? settings : { ...settings, policy: own };
}

/** Reads the rules by which the data of a client is kept. */
export async function readRules(
  retention: Pick<RetentionRepository, 'ofClient'>,
  settings: RetentionSettings,
  clientId: string,
): Promise<RetentionRules> {
  return rulesWith(settings, (await retention.ofClient(clientId))?.policy ?? null);
}

/** Makes what the rules of retention need to know of a verification. */
export function retainedOf(verification: RetainedVerification): Retained {
  return { ...verification, outcome: outcomeOf(verification), decidedAt: verification.resolvedAt };
}

/** A rejection without its event counts as a reviewer's: that is kept longer. */
function outcomeOf({ status, decidedBy }: RetainedVerification): RetainedOutcome | null {
  if (status === 'approved' || status === 'rejected') {
    const isUnfinished = decidedBy === 'verification.withdrawn' || decidedBy === 'verification.expired';
    return isUnfinished ? 'unfinished' : status;
  }
  return null;
}

/** Returns by which rule an erasure that has begun was due. */
export function ruleOf(verification: RetainedVerification, rules: RetentionRules): ErasureRule {
  const due = erasureDue({ ...retainedOf(verification), erasedAt: null, heldAt: null }, rules);
  if (due === null) throw new Error(`The verification ${verification.id} is open and cannot be erased`);
  return due.rule;
}
