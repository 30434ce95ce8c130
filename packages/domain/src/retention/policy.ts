/** How a decided verification ended, as far as retention is concerned. `unfinished`: withdrawn, or expired. */
export const RETAINED_OUTCOMES = ['approved', 'rejected', 'unfinished'] as const;
export type RetainedOutcome = (typeof RETAINED_OUTCOMES)[number];

/** The periods of a policy, by name. Pages, settings, commands and audit lines are derived from this list. */
export const RETENTION_PERIODS = [
  /** An approved verification, from the end of the client's relationship with the subject. */
  'approvedAfterEnd',
  /** An approved verification, from its decision, in any case. */
  'approvedLongest',
  /** A verification that a reviewer rejected, from its decision. */
  'rejected',
  /** A verification that was withdrawn or expired, from that moment. */
  'unfinished',
  /** A replaced upload, from its replacement. */
  'replacedUploads',
] as const;
export type RetentionPeriod = (typeof RETENTION_PERIODS)[number];

/** How long data is kept: an ISO 8601 duration (duration.ts) for each period. */
export type RetentionPolicy = { readonly [K in RetentionPeriod]: string };

/**
 * How long the law obliges the operator to keep data: an ISO 8601 duration by outcome. That of an approved verification counts
 * from the end of the relationship. No policy may be shorter.
 */
export type RetentionFloor = { readonly [K in RetainedOutcome]: string };

/** Keeps five years as Regulation (EU) 2024/1624 Art. 77 asks, and what never became a relationship for 90 days. */
export const DEFAULT_RETENTION: RetentionPolicy = {
  approvedAfterEnd: 'P5Y',
  approvedLongest: 'P10Y',
  rejected: 'P5Y',
  unfinished: 'P90D',
  replacedUploads: 'P30D',
};

export const DEFAULT_RETENTION_FLOOR: RetentionFloor = { approved: 'P5Y', rejected: 'P5Y', unfinished: 'P0D' };
