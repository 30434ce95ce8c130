// Formats the figures of the pages and checks them against the targets.
import { short } from './chart.mjs';
import { reportOf, table } from './report.mjs';

/**
 * @typedef {import('./pages.mjs').PageFigures} PageFigures
 * @typedef {import('./page-times.mjs').PageTimes} PageTimes
 */

/** Of the API's response times beside calm ones, and of the server's memory (docs/performance.md). */
const TARGETS = { p99: 3, megabytes: 250, grownMegabytes: 20, milliseconds: 10 };

/** @param {PageFigures} figures @param {PageTimes} single */
export function reportPages(
  { pages, connections, pagesPerSecond, calm, loaded, ratio, megabytes, highest },
  single,
) {
  const half = megabytes[Math.floor((megabytes.length - 1) / 2)] ?? null;
  const last = megabytes.at(-1) ?? null;
  const grown = half === null || last === null ? null : last - half;
  const checks = [
    atMost('p99 of the API meanwhile, of calm', ratio.p99, TARGETS.p99, 2),
    atMost('highest resident memory, MB', highest, TARGETS.megabytes, 0),
    atMost('growth of the memory in the second half, MB', grown, TARGETS.grownMegabytes, 0),
    ...single.map(({ page, sizes }) => {
      const { rows, p50 } = /** @type {{ rows: number, p50: number }} */ (sizes.at(-1));
      return atMost(`p50 of the ${page} over ${short(rows)} rows, ms`, p50, TARGETS.milliseconds, 2);
    }),
  ];
  const lines = [
    `${pages} pages on ${connections} connections, ${pagesPerSecond.toFixed(0)} a second`,
    `API calm       p50 ${calm.p50.toFixed(2)} ms   p99 ${calm.p99.toFixed(2)} ms`,
    `API meanwhile  p50 ${loaded.p50.toFixed(2)} ms   p99 ${loaded.p99.toFixed(2)} ms`,
    `of calm        p50 ${ratio.p50.toFixed(2)}      p99 ${ratio.p99.toFixed(2)}`,
    `memory by round, MB: ${megabytes.map((each) => each?.toFixed(0) ?? 'unknown').join(' ')}`,
    '',
    ...table([
      [
        'one page at a time, p50, ms',
        ...(single[0]?.sizes.map(({ rows }) => `${short(rows)} rows`) ?? []),
        'largest / smallest',
      ],
      ...single.map(({ page, sizes }) => [page, ...sizes.map(({ p50 }) => p50.toFixed(2)), ratioOf(sizes)]),
    ]),
  ];
  return { ...reportOf(lines, checks), charts: { pages: chartOf(single) } };
}

/** @param {readonly { readonly p50: number }[]} sizes */
function ratioOf(sizes) {
  return ((sizes.at(-1)?.p50 ?? Number.NaN) / (sizes[0]?.p50 ?? Number.NaN)).toFixed(2);
}

/** @param {PageTimes} single @returns {import('./chart.mjs').Chart} */
function chartOf(single) {
  return {
    title: 'Pages on SQLite, one at a time; a tenth of the rows wait in the queue',
    xLabel: 'verifications (logarithmic)',
    yLabel: 'response time, p50, ms',
    lines: single.map(({ page, sizes }) => ({
      name: page,
      points: sizes.map(({ rows, p50 }) => ({ x: rows, y: p50 })),
    })),
  };
}

/** @param {string} what @param {number | null} figure @param {number} target @param {number} decimals */
function atMost(what, figure, target, decimals) {
  if (figure === null) return { ok: undefined, line: `${what}: not available on this system` };
  return { ok: figure <= target, line: `${what}: ${figure.toFixed(decimals)} (at most ${target})` };
}
