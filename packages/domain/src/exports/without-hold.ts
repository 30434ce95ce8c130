import type { RetentionRules } from '../retention/data-state.ts';
import { planReplacedUploads } from '../verification/replaced-uploads.ts';
import { filesEverNamed, resolvedAtOf, usableFiles, type Verification } from '../verification/verification.ts';

/**
 * Returns a verification as it would be without a hold, so that a copy does not reveal one: without replaced uploads whose period has
 * ended, without files that a submission kept for the hold, and, once it is decided, without drafts and files that no answers name.
 */
export function withoutHold(verification: Verification, rules: RetentionRules, now: Date): Verification {
  const free = { ...verification, heldAt: null, heldUntil: null };
  const due = new Set(planReplacedUploads(free, rules, now).due);
  const isDecided = resolvedAtOf(free) !== null;
  const named = filesEverNamed(free);
  const files = usableFiles(free).filter(({ id }) => !due.has(id) && (!isDecided || named.has(id)));
  return { ...free, files, drafts: isDecided ? {} : free.drafts };
}
