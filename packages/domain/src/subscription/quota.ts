/** A calendar month in UTC as `YYYY-MM`. It is half open: its last moment is just before the next one's first. */
export type Month = string;

/** The month that a moment is counted in. */
export function monthOf(moment: Date): Month {
  const year = String(moment.getUTCFullYear()).padStart(4, '0');
  return `${year}-${String(moment.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** What a client has used in a month. */
export interface Usage {
  readonly month: Month;
  /** Verifications created, which is the number of 201 answers. */
  readonly used: number;
  /** What the subscription allows now; 0 without one. */
  readonly allowance: number;
}
