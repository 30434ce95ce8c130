// Formats the figures of the open loop and checks them against the targets.
import { machine, table } from './report.mjs';

/** @typedef {import('./open-loop.mjs').OpenLoopFigures} OpenLoopFigures */

/** Milliseconds, and MB by database (docs/performance.md). */
const TARGETS = { p99: 1.5, p999: 10, megabytes: { sqlite: 160, postgres: 190 }, growth: 1.05 };
/** A request that waited longer was late. */
const LATE_MS = 100;

/** @param {OpenLoopFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportOpenLoop({
  kind,
  rows,
  perSecond,
  seconds,
  milliseconds,
  requests,
  others,
  revokedAt,
  memory,
}) {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  /** @param {number} share */
  const at = (share) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  const late = milliseconds.filter((each) => each > LATE_MS).length;
  const after = others.filter(({ sentAt }) => sentAt > revokedAt);
  const accepted = after.filter(({ status }) => status < 400).length;
  const before = others.filter(({ sentAt, status }) => sentAt <= revokedAt && status < 400).length;
  const known = memory.flatMap(({ megabytes }) => (megabytes === null ? [] : [megabytes]));
  const secondHalf = known.slice(Math.floor(known.length / 2));
  const growth = (secondHalf.at(-1) ?? Number.NaN) / (secondHalf[0] ?? Number.NaN);
  const checks = [
    atMost('p99', at(0.99), TARGETS.p99, 'ms'),
    atMost('p99.9', at(0.999), TARGETS.p999, 'ms'),
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
  const text = [
    machine(),
    '',
    `${perSecond} a second for ${seconds} s over ${rows} verifications: ${requests} answered, ${late} after more than ${LATE_MS} ms`,
    `p50 ${at(0.5).toFixed(2)} ms   p99 ${at(0.99).toFixed(2)} ms   p99.9 ${at(0.999).toFixed(2)} ms   longest ${at(1).toFixed(1)} ms`,
    `with the revoked key: ${before} accepted before, ${after.length} sent after the revocation returned`,
    '',
    ...table([
      ['requests', 'MB'],
      ...memory.map((each) => [String(each.requests), each.megabytes?.toFixed(0) ?? 'unknown']),
    ]),
    '',
    ...checks.map(({ ok, line }) => `${ok ? 'ok     ' : 'MISSED '}  ${line}`),
  ].join('\n');
  return { text, ok: checks.every(({ ok }) => ok) };
}

/** @param {string} what @param {number} value @param {number} most @param {string} unit */
function atMost(what, value, most, unit) {
  return { ok: value <= most, line: `${what}: ${value.toFixed(2)} ${unit} (at most ${most})` };
}
