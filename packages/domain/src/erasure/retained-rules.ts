import { erasureDue, type RetentionRules } from '../retention/data-state.ts';
import {
  DEFAULT_RETENTION,
  DEFAULT_RETENTION_FLOOR,
  type RetentionFloor,
  type RetentionPolicy,
} from '../retention/policy.ts';
import { retainedOf } from '../verification/retained.ts';
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

/** The settings of an installation that sets nothing else. */
export const DEFAULT_RETENTION_SETTINGS: RetentionSettings = {
  policy: DEFAULT_RETENTION,
  floor: DEFAULT_RETENTION_FLOOR,
  timeZone: 'UTC',
};

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

/** Returns by which rule an erasure that has begun was due. */
export function ruleOf(verification: RetainedVerification, rules: RetentionRules): ErasureRule {
  const due = erasureDue({ ...retainedOf(verification), erasedAt: null, heldAt: null }, rules);
  if (due === null) throw new Error(`The verification ${verification.id} is open and cannot be erased`);
  return due.rule;
}
