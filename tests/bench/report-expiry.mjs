// Formats the figures of the API beside expiring verifications and checks them against the target.

import { reportOf } from './report.mjs';
import { checkRatio, timesText } from './report-retention.mjs';

/** @param {import('./expiry.mjs').ExpiryFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportExpiry({ kind, rows, due, perSecond, expired, calm, loaded, ratios }) {
  const check = checkRatio('p99 of others while verifications expire, of calm', ratios);
  return reportOf(
    [
      `${kind}: ${perSecond} requests a second over ${rows} verifications, of which ${due} are abandoned`,
      `calm      ${timesText(calm)}`,
      `expiring  ${timesText(loaded)}   ${expired} expired`,
      `rounds    ${ratios.map((each) => each.toFixed(2)).join('  ')}`,
    ],
    [{ ...check, ok: check.ok && expired > 0 }],
  );
}
