// Measures several programs in alternating rounds, so that other load on the machine affects all of them alike.
import { cpuSeconds, cpuSecondsWithChildren } from './usage.mjs';

/**
 * @typedef {import('./programs.mjs').Program} Program
 *
 * @typedef {object} Summary
 * @property {number} requests
 * @property {number} perSecond
 * @property {number | null} cpuMicroseconds CPU time of the program per request
 * @property {number | null} databaseMicroseconds CPU time of the database's processes per request
 *
 * @typedef {Summary} Measured one round
 */

/**
 * @template {Program} P
 * @param {readonly P[]} programs
 * @param {number} rounds
 * @param {(program: P, round: number) => Promise<{ requests: number, seconds: number }>} run
 * @returns {Promise<Map<P, Measured[]>>} one entry per program and round
 */
export async function interleave(programs, rounds, run) {
  /** @type {Map<P, Measured[]>} */
  const measured = new Map(programs.map((program) => [program, []]));
  for (let round = 0; round < rounds; round++) {
    // Alternates the order, because the first program may find the machine in another state.
    const order = round % 2 === 0 ? programs : programs.toReversed();
    for (const program of order) measured.get(program)?.push(await measure(program, () => run(program, round)));
  }
  return measured;
}

/**
 * @param {Program} program
 * @param {() => Promise<{ requests: number, seconds: number }>} run
 * @returns {Promise<Measured>}
 */
async function measure({ pid, databasePid }, run) {
  const before = times();
  const { requests, seconds } = await run();
  const after = times();
  /** @param {'own' | 'database'} whose */
  const microseconds = (whose) => {
    const [from, to] = [before[whose], after[whose]];
    return from === null || to === null ? null : ((to - from) / requests) * 1e6;
  };
  return {
    requests,
    perSecond: requests / seconds,
    cpuMicroseconds: microseconds('own'),
    databaseMicroseconds: microseconds('database'),
  };

  function times() {
    return {
      own: cpuSeconds(pid),
      database: databasePid === undefined ? null : cpuSecondsWithChildren(databasePid),
    };
  }
}

/** @typedef {{ p50: number, p99: number }} Times in milliseconds */

/** @param {readonly number[]} milliseconds @returns {Times} */
export function timesOf(milliseconds) {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  /** @param {number} share */
  const at = (share) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** @param {readonly number[]} values at least one */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [lower = Number.NaN, upper = lower] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return (lower + upper) / 2;
}

/**
 * Returns the median over the rounds of the ratio between the two programs' speeds.
 * @param {readonly Measured[] | undefined} one
 * @param {readonly Measured[] | undefined} other
 */
export function medianRatio(one = [], other = []) {
  return median(one.map(({ perSecond }, round) => perSecond / /** @type {Measured} */ (other[round]).perSecond));
}

/** Summarizes all rounds of a program. @param {readonly Measured[] | undefined} rounds @returns {Summary} */
export function summary(rounds = []) {
  return {
    requests: rounds.reduce((sum, { requests }) => sum + requests, 0),
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuMicroseconds: medianOfKnown(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    databaseMicroseconds: medianOfKnown(rounds.map(({ databaseMicroseconds }) => databaseMicroseconds)),
  };
}

/** @param {readonly (number | null)[]} values */
function medianOfKnown(values) {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
}
