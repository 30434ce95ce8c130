import { endOfPeriod } from '../retention/calendar.ts';
import { isHeld, type RetentionRules } from '../retention/data-state.ts';
import { parseDuration } from '../retention/duration.ts';
import { filesIn, namedFiles, type Verification } from './verification.ts';

/** How long after the last look the retention job looks again, so that a new policy or a hold takes effect within this time. */
const LOOK_AGAIN_MS = 24 * 60 * 60 * 1000;

/**
 * Lists the files that only replaced answers name, and when they were replaced: by the last redo that named another file in their
 * place.
 */
export function replacedUploads(verification: Verification): ReadonlyMap<string, Date> {
  const { flow, earlierAnswers, files } = verification;
  const current = namedFiles(verification);
  const kept = new Set(files.map(({ id }) => id));
  const replaced = new Map<string, Date>();
  for (const { step, answers, replacedAt } of earlierAnswers) {
    const at = new Date(replacedAt);
    for (const id of filesIn(flow, step, answers)) {
      const before = replaced.get(id);
      const isReplaced = kept.has(id) && !current.has(id);
      if (isReplaced && (before === undefined || before < at)) replaced.set(id, at);
    }
  }
  return replaced;
}

/** Returns when the retention job looks at the replaced uploads next: soon, if it does not know of any yet. */
export function uploadsCheckOf(verification: Verification, now: Date): Date | null {
  return verification.uploadsCheckAt ?? (replacedUploads(verification).size === 0 ? null : now);
}

/** What is to be done about the replaced uploads of a verification now. */
export interface ReplacedUploadsPlan {
  /** The files whose period has ended. A hold keeps them, and so does a review that has begun. */
  readonly due: readonly string[];
  /** When to look again; null without replaced uploads that are kept. */
  readonly checkAt: Date | null;
}

/** Plans which replaced uploads are deleted: each at the end of its period since the replacement. */
export function planReplacedUploads(
  verification: Verification,
  rules: RetentionRules,
  now: Date,
): ReplacedUploadsPlan {
  const period = parseDuration(rules.policy.replacedUploads);
  if (period === null) throw new Error('The retention period of replaced uploads is no duration');
  const replaced = replacedUploads(verification);
  const ends = [...replaced].map(([id, at]) => ({ id, end: endOfPeriod(at, period, rules.timeZone) }));
  const isKept = isHeld(verification, now) || isInReview(verification);
  const due = isKept ? [] : ends.filter(({ end }) => end <= now).map(({ id }) => id);
  const left = ends.filter(({ id }) => !due.includes(id)).map(({ end }) => end.getTime());
  if (left.length === 0) return { due, checkAt: null };
  const lookAgain = now.getTime() + LOOK_AGAIN_MS;
  const earliest = Math.min(...left);
  return { due, checkAt: new Date(earliest <= now.getTime() ? lookAgain : Math.min(earliest, lookAgain)) };
}

/** Whether a reviewer may be comparing the uploads. Deleting one would change the version that the reviewer decides on. */
function isInReview(verification: Verification): boolean {
  return verification.status === 'submitted' && verification.claim !== null;
}
