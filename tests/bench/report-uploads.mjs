// Formats the figures of the uploads and checks them against the target.
import { reportOf } from './report.mjs';

/**
 * @typedef {import('./uploads.mjs').UploadFigures} UploadFigures
 * @typedef {import('./large-uploads.mjs').LargeUploadFigures} LargeUploadFigures
 */

/** Of a victim's upload times beside calm ones (docs/performance.md). */
const P95_MAX = 3;

/** Memory while large uploads arrive, in MB. */
const SERVER_MAX_MB = 250;
const DECODERS_MAX_MB = 450;

/** @param {UploadFigures} figures @param {LargeUploadFigures} large */
export function reportUploads({ rounds, attackSeconds, accepted, kinds }, large) {
  const ofLarge = largeReport(large);
  const ofAttacks = kinds.map(({ kind, ratio }) => ({
    ok: ratio <= P95_MAX,
    line: `p95 of an upload meanwhile, ${kind}, of calm: ${ratio.toFixed(2)} (at most ${P95_MAX})`,
  }));
  const checks = [...ofLarge.checks, ...ofAttacks];
  const lines = [
    ...ofLarge.lines,
    `three attackers, ${rounds} times ${attackSeconds} s beside each kind of picture; ${accepted} of their pictures were accepted`,
    ...kinds.flatMap(({ kind, calm, attacked, ratios }) => [
      `${kind.padEnd(6)} calm      p50 ${calm.p50.toFixed(0)} ms   p95 ${calm.p95.toFixed(0)} ms`,
      `${kind.padEnd(6)} attacked  p50 ${attacked.p50.toFixed(0)} ms   p95 ${attacked.p95.toFixed(0)} ms`,
      `${kind.padEnd(6)} ratios of p95 by round: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
    ]),
  ];
  return reportOf(lines, checks);
}

/** @param {LargeUploadFigures} figures */
function largeReport({ atOnce, bytes, accepted, seconds, highest, calm, beside }) {
  const memory = [
    { what: 'the server', megabytes: highest.server, most: SERVER_MAX_MB },
    { what: 'the decoders', megabytes: highest.decoders, most: DECODERS_MAX_MB },
  ];
  return {
    checks: [
      { ok: accepted === atOnce, line: `accepted large uploads: ${accepted} of ${atOnce}` },
      ...memory.map(({ what, megabytes, most }) => ({
        ok: megabytes <= most,
        line: `memory of ${what} while they arrive: ${megabytes.toFixed(0)} MB (at most ${most})`,
      })),
    ],
    lines: [
      `${atOnce} uploads of ${(bytes / 1e6).toFixed(1)} MB at once, the last one accepted after ${seconds.toFixed(1)} s`,
      `requests of a client  calm      p50 ${calm.p50.toFixed(1)} ms   p99 ${calm.p99.toFixed(1)} ms`,
      `requests of a client  beside    p50 ${beside.p50.toFixed(1)} ms   p99 ${beside.p99.toFixed(1)} ms, of ${beside.requests}`,
    ],
  };
}
