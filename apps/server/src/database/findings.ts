/** What `doctor` finds in one part of an installation. */
export interface Findings<Facts> {
  /** Values of `doctor --json`. Null when the part is not set up or cannot be read. */
  readonly facts: Facts;
  /** The facts as text, one line each. */
  readonly lines: readonly string[];
  /** One line for each problem. */
  readonly problems: readonly string[];
}

/** Findings of a part that is not set up, or of a database with a problem. */
export const NOTHING: Findings<null> = { facts: null, lines: [], problems: [] };

/** The most problems of one kind that are listed. */
const LISTED = 10;

/** Returns one line for each of the first findings, and one for the rest. @param things what the rest is, in the plural */
export function listed<T>(found: readonly T[], lineOf: (one: T) => string, things: string): string[] {
  const lines = found.slice(0, LISTED).map(lineOf);
  return found.length > LISTED ? [...lines, `${found.length - LISTED} more ${things} like these`] : lines;
}

/** Difference between a server's clock and this machine's, in milliseconds. Positive when the server is ahead. */
export interface ClockDifference {
  readonly clockDifferenceMs: number;
  /** The difference is exact to half of it. */
  readonly roundTripMs: number;
}

/**
 * The largest difference without effect: `Retry-After` and `X-RateLimit-Reset` are whole seconds by the server's
 * clock, while links and keys expire by this machine's.
 */
const MAX_DIFFERENCE_MS = 1_000;

/** Returns the difference as a sentence. */
export function clockText(server: string, { clockDifferenceMs, roundTripMs }: ClockDifference): string {
  const direction = clockDifferenceMs < 0 ? 'behind' : 'ahead of';
  return `The clock of ${server} is ${Math.abs(clockDifferenceMs)} ms ${direction} this machine's (round trip ${roundTripMs} ms)`;
}

/** Returns one line when the difference is too large even after half of the round trip is subtracted. */
export function clockProblem(server: string, difference: ClockDifference): string[] {
  const certain = Math.abs(difference.clockDifferenceMs) - difference.roundTripMs / 2;
  if (certain <= MAX_DIFFERENCE_MS) return [];
  return [`${clockText(server, difference)}: synchronise both with NTP`];
}
