// Formats the figures of the API beside expiring verifications and checks them against the target.
import { machine } from './report.mjs';
import { median } from './rounds.mjs';

/** The most that the p99 of other requests may grow (docs/performance.md). */
const MOST = 2;

/** @param {import('./expiry.mjs').ExpiryFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportExpiry({ kind, rows, due, perSecond, expired, calm, loaded, ratios }) {
  const ratio = median(ratios);
  const isReached = ratio <= MOST && expired > 0;
  const line = (/** @type {import('./rounds.mjs').Times} */ { p50, p99 }) =>
    `p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms`;
  const text = [
    machine(),
    '',
    `${kind}: ${perSecond} requests a second over ${rows} verifications, of which ${due} are abandoned`,
    `calm      ${line(calm)}`,
    `expiring  ${line(loaded)}   ${expired} expired`,
    `rounds    ${ratios.map((each) => each.toFixed(2)).join('  ')}`,
    '',
    `${isReached ? 'ok     ' : 'MISSED '}  p99 of others while verifications expire, of calm: ${ratio.toFixed(2)} (at most ${MOST})`,
  ].join('\n');
  return { text, ok: isReached };
}
