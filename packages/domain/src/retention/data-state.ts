import { endOfPeriod } from './calendar.ts';
import { type Duration, parseDuration } from './duration.ts';
import type { RetainedOutcome, RetentionFloor, RetentionPolicy } from './policy.ts';
import type { RetentionFacts } from './retention-facts.ts';

/**
 * The state of a verification's data: `erased` before `held` before `restricted` before `kept`. Restricted data is hidden: its
 * erasure was requested, and it is still kept because the law obliges the operator, or because it is on hold.
 */
export const DATA_STATES = ['erased', 'held', 'restricted', 'kept'] as const;
/** The state of a verification's data: one of `DATA_STATES`. */
export type DataStateName = (typeof DATA_STATES)[number];

/** The state of a verification's data, and when that ends; null if it has no end that is known. */
export interface DataState {
  readonly state: DataStateName;
  readonly until: Date | null;
}

/**
 * Returns until when nothing is erased, because the clock may have jumped; null otherwise. Where the next run of the job will find a jump,
 * it is a whole pause from now.
 */
export type ReadPause = (now: Date) => Promise<Date | null>;

/** Moves the end of a state to the end of a pause, while nothing is erased because the clock may have jumped. */
export type WithPause = (state: DataState, now: Date) => Promise<DataState>;

/** What decides how long the data of a verification is kept. */
export interface Retained extends RetentionFacts {
  /** Null while it is open. */
  readonly outcome: RetainedOutcome | null;
  /** Null while it is open. */
  readonly decidedAt: Date | null;
}

/** The rules by which the data of a client's verifications is kept. */
export interface RetentionRules {
  readonly policy: RetentionPolicy;
  readonly floor: RetentionFloor;
  /** In which days begin and end: a name of the IANA database. */
  readonly timeZone: string;
}

/** Why a verification is due. */
export type DueRule = 'requested' | 'approved_after_end' | 'approved_longest' | 'rejected' | 'unfinished';

/** When data is to be erased, and why. */
export interface Due {
  readonly at: Date;
  readonly rule: DueRule;
}

/** Returns the state of the data now. */
export function dataStateOf(retained: Retained, rules: RetentionRules, now: Date): DataState {
  if (retained.erasedAt !== null) return { state: 'erased', until: null };
  if (isHeld(retained, now)) return { state: 'held', until: retained.heldUntil };
  const until = dueWithoutHold(retained, rules)?.at ?? null;
  return { state: isHidden(retained) ? 'restricted' : 'kept', until };
}

/** Returns the state where nothing is erased before `moment`. The end of a hold stays: the hold ends then all the same. */
export function notErasedBefore(state: DataState, moment: Date | null): DataState {
  const { state: name, until } = state;
  if (until === null || name === 'held') return state;
  return { state: name, until: latest(until, moment) };
}

/** Whether answers, files and metadata are hidden from the API and all pages. */
export function isHidden({
  erasureRequestedAt,
  erasedAt,
}: Pick<RetentionFacts, 'erasureRequestedAt' | 'erasedAt'>): boolean {
  return erasureRequestedAt !== null || erasedAt !== null;
}

/** Whether a hold prevents the erasure now. It ends at `heldUntil`. */
export function isHeld({ heldAt, heldUntil }: Pick<RetentionFacts, 'heldAt' | 'heldUntil'>, now: Date): boolean {
  return heldAt !== null && (heldUntil === null || heldUntil > now);
}

/**
 * Returns when the data is to be erased and by which rule. A hold delays it until its end.
 * @returns null while nothing is due at any time: it is open, on hold without an end, or being erased
 */
export function erasureDue(retained: Retained, rules: RetentionRules): Due | null {
  const { heldAt, heldUntil, erasedAt } = retained;
  if (erasedAt !== null || (heldAt !== null && heldUntil === null)) return null;
  const due = dueWithoutHold(retained, rules);
  return due === null ? null : { ...due, at: latest(due.at, heldUntil) };
}

/** Returns until when the law obliges the operator to keep the data; null while it is open. */
export function legalEndOf(retained: Retained, rules: RetentionRules): Date | null {
  const decided = decidedPart(retained);
  return decided === null ? null : legalEndOfDecided(decided, rules);
}

/** A verification that is decided. */
interface Decided extends Retained {
  readonly outcome: RetainedOutcome;
  readonly decidedAt: Date;
}

function decidedPart(retained: Retained): Decided | null {
  const { outcome, decidedAt } = retained;
  return outcome === null || decidedAt === null ? null : { ...retained, outcome, decidedAt };
}

function legalEndOfDecided({ outcome, decidedAt, relationshipEndedAt }: Decided, rules: RetentionRules): Date {
  const legalEnd = after(latest(decidedAt, relationshipEndedAt), rules.floor[outcome], rules);
  // The period of the law begins with the end of the relationship. Until that is known, the longest time counts, unless the floor
  // was raised over it.
  const isGoingOn = outcome === 'approved' && relationshipEndedAt === null;
  return isGoingOn ? latest(legalEnd, longestEnd(decidedAt, rules)) : legalEnd;
}

function dueWithoutHold(retained: Retained, rules: RetentionRules): Due | null {
  const decided = decidedPart(retained);
  if (decided === null) return null;
  const legalEnd = legalEndOfDecided(decided, rules);
  const { erasureRequestedAt } = decided;
  if (erasureRequestedAt !== null) return { at: latest(legalEnd, erasureRequestedAt), rule: 'requested' };
  const due = policyDue(decided, rules);
  // The legal obligation lasts longer where the relationship ended late, and where the floor was raised after the policy was set.
  return due.at >= legalEnd ? due : { at: legalEnd, rule: ruleOfLegalEnd(decided, due) };
}

/** The legal obligation of an approved verification counts from the end of the relationship, once that is known. */
function ruleOfLegalEnd({ outcome, relationshipEndedAt }: Decided, { rule }: Due): DueRule {
  return outcome === 'approved' && relationshipEndedAt !== null ? 'approved_after_end' : rule;
}

/** Returns when the policy alone would erase the data. */
function policyDue({ outcome, decidedAt, relationshipEndedAt }: Decided, rules: RetentionRules): Due {
  const { policy } = rules;
  if (outcome === 'rejected') return { at: after(decidedAt, policy.rejected, rules), rule: 'rejected' };
  if (outcome !== 'approved') return { at: after(decidedAt, policy.unfinished, rules), rule: 'unfinished' };
  const longest = longestEnd(decidedAt, rules);
  if (relationshipEndedAt === null) return { at: longest, rule: 'approved_longest' };
  const afterEnd = after(latest(decidedAt, relationshipEndedAt), policy.approvedAfterEnd, rules);
  return afterEnd <= longest
    ? { at: afterEnd, rule: 'approved_after_end' }
    : { at: longest, rule: 'approved_longest' };
}

function longestEnd(decidedAt: Date, rules: RetentionRules): Date {
  return after(decidedAt, rules.policy.approvedLongest, rules);
}

function after(event: Date, period: string, { timeZone }: RetentionRules): Date {
  return endOfPeriod(event, durationOf(period), timeZone);
}

/** @throws Error if a period of the rules is no duration, which is a fault: policies and floors are checked when they are set */
function durationOf(period: string): Duration {
  const duration = parseDuration(period);
  if (duration === null) throw new Error('A retention period is no duration');
  return duration;
}

function latest(a: Date, b: Date | null): Date {
  return b === null ? a : new Date(Math.max(a.getTime(), b.getTime()));
}
