// Formats the figures of the uploads and checks them against the target.
import { reportOf } from './report.mjs';

/** @typedef {import('./uploads.mjs').UploadFigures} UploadFigures */

/** Of a victim's upload times beside calm ones (docs/performance.md). */
const P95_MAX = 3;

/** @param {UploadFigures} figures */
export function reportUploads({ rounds, attackSeconds, accepted, kinds }) {
  const checks = kinds.map(({ kind, ratio }) => ({
    ok: ratio <= P95_MAX,
    line: `p95 of an upload meanwhile, ${kind}, of calm: ${ratio.toFixed(2)} (at most ${P95_MAX})`,
  }));
  const lines = [
    `three attackers, ${rounds} times ${attackSeconds} s beside each kind of picture; ${accepted} of their pictures were accepted`,
    ...kinds.flatMap(({ kind, calm, attacked, ratios }) => [
      `${kind.padEnd(6)} calm      p50 ${calm.p50.toFixed(0)} ms   p95 ${calm.p95.toFixed(0)} ms`,
      `${kind.padEnd(6)} attacked  p50 ${attacked.p50.toFixed(0)} ms   p95 ${attacked.p95.toFixed(0)} ms`,
      `${kind.padEnd(6)} ratios of p95 by round: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
    ]),
  ];
  return reportOf(lines, checks);
}
