// Formats the figures of the API beside erasures and checks them against the targets.
import { reportOf } from './report.mjs';
import { median } from './rounds.mjs';

/** The most that the p99 of other requests may grow (docs/performance.md). */
const MOST = 2;
/** The most that the memory of the second half of a long run may be, of the first. */
const FLAT = 1.15;

/** @param {import('./retention.mjs').RetentionFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportRetention({ kind, rows, due, perSecond, calm, loaded, ratios, last }) {
  const half = Math.ceil(last.megabytes.length / 2);
  const growth = median(last.megabytes.slice(-half)) / median(last.megabytes.slice(0, half));
  return reportOf(
    [
      `${kind}: ${perSecond} requests a second over ${rows} verifications, of which ${due} are due`,
      `calm      ${timesText(calm)}`,
      `erasing   ${timesText(loaded)}`,
      `rounds    ${ratios.map((each) => each.toFixed(2)).join('  ')}`,
      `together  ${timesText(last)}   ${last.erased} erased in ${last.seconds.toFixed(0)} s`,
      `memory    ${last.megabytes.map((each) => each.toFixed(0)).join('  ')} MB`,
    ],
    [
      checkRatio('p99 of others while data is erased, of calm', ratios),
      {
        ok: last.megabytes.length < 4 || growth <= FLAT,
        line: `memory of the second half, of the first: ${growth.toFixed(2)} (at most ${FLAT})`,
      },
    ],
  );
}

/** @param {import('./rounds.mjs').Times} times */
export function timesText({ p50, p99 }) {
  return `p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms`;
}

/**
 * Checks how much slower other requests are while a job works.
 * @param {string} what
 * @param {readonly number[]} ratios
 * @param {number} [most]
 */
export function checkRatio(what, ratios, most = MOST) {
  const ratio = median(ratios);
  return { ok: ratio <= most, line: `${what}: ${ratio.toFixed(2)} (at most ${most})` };
}
