// Formats the figures of the reader of documents and checks them against the targets.
import { reportOf } from './report.mjs';
import { median, timesOf } from './rounds.mjs';

/** The most processor time of a picture: of 95 in 100, and of each, in seconds. */
const MOST_SECONDS = { p95: 0.8, max: 1.5 };
/** The most memory of the process, in MB. */
const MOST_MEGABYTES = 300;
/** The most that the p99 of other requests may grow. */
const MOST_RATIO = 1.5;

/** @param {import('./reading.mjs').ReadingFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportReading({ seconds, outcomes, megabytes, rounds, beside }) {
  const sorted = seconds.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  const max = sorted.at(-1) ?? Number.NaN;
  const ratios = rounds.map(({ calm, loaded }) => loaded / calm);
  const ratio = median(ratios);
  return reportOf(
    [
      `pictures  ${Object.entries(outcomes)
        .map(([outcome, count]) => `${outcome} ${count}`)
        .join('  ')}   median ${timesOf(seconds).p50.toFixed(2)} s of processor time`,
      `beside    ${beside} pictures read without pause`,
      `rounds    ${ratios.map((each) => each.toFixed(2)).join('  ')}`,
      `calm      p99 ${median(rounds.map(({ calm }) => calm)).toFixed(2)} ms`,
      `reading   p99 ${median(rounds.map(({ loaded }) => loaded)).toFixed(2)} ms`,
    ],
    [
      {
        ok: p95 <= MOST_SECONDS.p95 && max <= MOST_SECONDS.max,
        line: `processor time of a picture: p95 ${p95.toFixed(2)} s (at most ${MOST_SECONDS.p95}), most ${max.toFixed(2)} s (at most ${MOST_SECONDS.max})`,
      },
      {
        ok: megabytes <= MOST_MEGABYTES,
        line: `memory of the reader at its peak: ${megabytes.toFixed(0)} MB (at most ${MOST_MEGABYTES})`,
      },
      {
        ok: ratio <= MOST_RATIO,
        line: `p99 of others while documents are read, of calm: ${ratio.toFixed(2)} (at most ${MOST_RATIO})`,
      },
    ],
  );
}
