// Formats the figures of the open loop and checks them against the targets.
import { reportOf, table } from './report.mjs';

/** @typedef {import('./open-loop.mjs').OpenLoopFigures} OpenLoopFigures */

/** Milliseconds, and MB by database (docs/performance.md). */
const TARGETS = { p99: 1.5, p999: 10, megabytes: { sqlite: 160, postgres: 190 }, growth: 1.05 };
/** A request that waited longer was late. */
const LATE_MS = 100;

/** @param {OpenLoopFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportOpenLoop({ kind, rows, perSecond, seconds, server, reference, others, revokedAt, memory }) {
  const [times, ofReference] = [timesOf(server.milliseconds), timesOf(reference.milliseconds)];
  const after = others.filter(({ sentAt }) => sentAt > revokedAt);
  const accepted = after.filter(({ status }) => status < 400).length;
  const before = others.filter(({ sentAt, status }) => sentAt <= revokedAt && status < 400).length;
  const known = memory.flatMap(({ megabytes }) => (megabytes === null ? [] : [megabytes]));
  const secondHalf = known.slice(Math.floor(known.length / 2));
  const growth = (secondHalf.at(-1) ?? Number.NaN) / (secondHalf[0] ?? Number.NaN);
  const checks = [
    atMost('p99', times.p99, TARGETS.p99, 'ms', ofReference.p99),
    atMost('p99.9', times.p999, TARGETS.p999, 'ms', ofReference.p999),
    {
      ok: accepted === 0 && after.length > 0,
      line: `accepted after the revocation returned: ${accepted} of ${after.length}`,
    },
    atMost(
      `resident memory after ${memory.at(-1)?.requests} requests`,
      secondHalf.at(-1) ?? Number.NaN,
      TARGETS.megabytes[kind],
      'MB',
    ),
    atMost('of it, growth in the second half', growth, TARGETS.growth, '×'),
  ];
  const lines = [
    `${perSecond} a second for ${seconds} s over ${rows} verifications`,
    '',
    ...table([
      ['', 'CPU µs/request', 'Postgres µs', 'p50 ms', 'p99', 'p99.9', 'longest', `over ${LATE_MS} ms`],
      row('server', server, times),
      row('reference', reference, ofReference),
    ]),
    '',
    `with the revoked key: ${before} accepted before, ${after.length} sent after the revocation returned`,
    '',
    ...table([
      ['requests', 'MB'],
      ...memory.map((each) => [String(each.requests), each.megabytes?.toFixed(0) ?? 'unknown']),
    ]),
  ];
  return reportOf(lines, checks);
}

/** @param {readonly number[]} milliseconds */
function timesOf(milliseconds) {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  /** @param {number} share */
  const at = (share) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  const late = milliseconds.filter((each) => each > LATE_MS).length;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), longest: at(1), late };
}

/** @param {string} name @param {OpenLoopFigures['server']} figures @param {ReturnType<typeof timesOf>} times */
function row(name, { cpuMicroseconds, databaseMicroseconds }, { p50, p99, p999, longest, late }) {
  const cpu = [cpuMicroseconds, databaseMicroseconds].map((each) => each?.toFixed(0) ?? '–');
  return [name, ...cpu, p50.toFixed(2), p99.toFixed(2), p999.toFixed(2), longest.toFixed(1), String(late)];
}

/** @param {string} what @param {number} value @param {number} most @param {string} unit @param {number} [ofReference] */
function atMost(what, value, most, unit, ofReference) {
  const compared = ofReference === undefined ? '' : `; the reference: ${ofReference.toFixed(2)}`;
  return { ok: value <= most, line: `${what}: ${value.toFixed(2)} ${unit} (at most ${most}${compared})` };
}
