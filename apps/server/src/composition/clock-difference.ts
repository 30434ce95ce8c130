/** How a server's clock differs from this machine's, in milliseconds: positive where the server is ahead. */
export interface ClockDifference {
  readonly clockDifferenceMs: number;
  /** What the difference is exact to, twice. */
  readonly roundTripMs: number;
}

/**
 * What may be seen: `Retry-After` and `X-RateLimit-Reset` are whole seconds, and count by the server's clock; links
 * and keys expire by this machine's.
 */
const MOST_MS = 1_000;

export function clockText(server: string, { clockDifferenceMs, roundTripMs }: ClockDifference): string {
  const where = clockDifferenceMs < 0 ? 'behind' : 'ahead of';
  return `The clock of ${server} is ${Math.abs(clockDifferenceMs)} ms ${where} this machine's (round trip ${roundTripMs} ms)`;
}

/** One line where the difference is too large, whatever the round trip hides. */
export function clockProblem(server: string, difference: ClockDifference): string[] {
  const certain = Math.abs(difference.clockDifferenceMs) - difference.roundTripMs / 2;
  if (certain <= MOST_MS) return [];
  return [`${clockText(server, difference)}: set both by NTP`];
}
