/** How far lists for staff count their matches, so that a page costs the same however many there are. */
export const COUNTED_MATCHES = 1_000;

/** The number of matches of a list, if it is small. */
export interface BoundedCount {
  readonly count: number;
  /** False: there are more than `count`. */
  readonly isExact: boolean;
}

/** Turns the total of a storage that counts up to `COUNTED_MATCHES` into what a page shows. */
export function boundedCount(totalCount: number): BoundedCount {
  const isExact = totalCount <= COUNTED_MATCHES;
  return { count: isExact ? totalCount : COUNTED_MATCHES, isExact };
}
