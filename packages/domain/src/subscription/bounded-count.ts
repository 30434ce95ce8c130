/** How far lists for staff count their matches, so that a page costs the same however many there are. */
export const COUNTED_MATCHES = 1_000;

/** The number of matches of a list, if it is small. */
export interface BoundedCount {
  readonly count: number;
  /** False: there are more than `count`. */
  readonly isExact: boolean;
}

/**
 * Turns the total of a storage into what a page shows.
 * @param most the storage counts further than this, or exactly
 */
export function boundedCount(totalCount: number, most: number = COUNTED_MATCHES): BoundedCount {
  const isExact = totalCount <= most;
  return { count: isExact ? totalCount : most, isExact };
}
