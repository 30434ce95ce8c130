import {
  erasureDue,
  notErasedBefore,
  type ReadPause,
  type RetentionRules,
  type WithPause,
} from '../retention/data-state.ts';
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

const DAY_MS = 24 * 60 * 60 * 1000;

/** The longest gap between two runs of the retention job that does not count as a jump of the clock. */
export const LONGEST_GAP_MS: number = 7 * DAY_MS;

/** How long no erasure begins after a longer gap. */
export const PAUSE_MS: number = DAY_MS;

/** Creates the function that returns until when no erasure begins, or null: for a day after a gap of more than a week between two runs of the retention job. */
export function createReadPause(retention: Pick<RetentionRepository, 'lastRun'>): ReadPause {
  return async (now) => {
    const last = await retention.lastRun();
    if (last === null) return null;
    const { lastRunAt, pausedUntil } = last;
    const gap = now.getTime() - lastRunAt.getTime();
    if (gap > LONGEST_GAP_MS || gap < -LONGEST_GAP_MS) return new Date(now.getTime() + PAUSE_MS);
    return pausedUntil !== null && pausedUntil > now ? pausedUntil : null;
  };
}

/** No pause ends later than this, even if the clock of the run that began it was ahead. */
const LATEST_END_MS = LONGEST_GAP_MS + PAUSE_MS;

/** Creates `WithPause`. It reads the pause only for data that is erased soon. */
export function createWithPause(readPause: ReadPause): WithPause {
  return async (state, now) => {
    const { until } = state;
    const isSoon = until !== null && until.getTime() < now.getTime() + LATEST_END_MS;
    return isSoon ? notErasedBefore(state, await readPause(now)) : state;
  };
}
