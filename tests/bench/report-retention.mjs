// Formats the figures of the API beside erasures and checks them against the targets.
import { machine } from './report.mjs';
import { median } from './rounds.mjs';

/** The most that the p99 of other requests may grow (docs/performance.md). */
const MOST = 2;
/** The most that the memory of the second half of a long run may be, of the first. */
const FLAT = 1.15;

/** @param {import('./retention.mjs').RetentionFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportRetention({ kind, rows, due, perSecond, calm, loaded, ratios, last }) {
  const ratio = median(ratios);
  const half = Math.ceil(last.megabytes.length / 2);
  const growth = median(last.megabytes.slice(-half)) / median(last.megabytes.slice(0, half));
  const isFlat = last.megabytes.length < 4 || growth <= FLAT;
  const line = (/** @type {import('./rounds.mjs').Times} */ { p50, p99 }) =>
    `p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms`;
  const sign = (/** @type {boolean} */ isReached) => (isReached ? 'ok     ' : 'MISSED ');
  const text = [
    machine(),
    '',
    `${kind}: ${perSecond} requests a second over ${rows} verifications, of which ${due} are due`,
    `calm      ${line(calm)}`,
    `erasing   ${line(loaded)}`,
    `rounds    ${ratios.map((each) => each.toFixed(2)).join('  ')}`,
    `together  ${line(last)}   ${last.erased} erased in ${last.seconds.toFixed(0)} s`,
    `memory    ${last.megabytes.map((each) => each.toFixed(0)).join('  ')} MB`,
    '',
    `${sign(ratio <= MOST)}  p99 of others while data is erased, of calm: ${ratio.toFixed(2)} (at most ${MOST})`,
    `${sign(isFlat)}  memory of the second half, of the first: ${growth.toFixed(2)} (at most ${FLAT})`,
  ].join('\n');
  return { text, ok: ratio <= MOST && isFlat };
}
