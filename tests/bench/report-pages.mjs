// Formats the figures of the pages and checks them against the targets.
import { machine } from './report.mjs';

/** @typedef {import('./pages.mjs').PageFigures} PageFigures */

/** Of the API's response times beside calm ones, and of the server's memory (docs/performance.md). */
const TARGETS = { p99: 3, megabytes: 250, grownMegabytes: 20 };

/** @param {PageFigures} figures */
export function reportPages({ pages, connections, pagesPerSecond, calm, loaded, ratio, megabytes, highest }) {
  const half = megabytes[Math.floor((megabytes.length - 1) / 2)] ?? null;
  const last = megabytes.at(-1) ?? null;
  const grown = half === null || last === null ? null : last - half;
  const checks = [
    atMost('p99 of the API meanwhile, of calm', ratio.p99, TARGETS.p99, 2),
    atMost('highest resident memory, MB', highest, TARGETS.megabytes, 0),
    atMost('growth of the memory in the second half, MB', grown, TARGETS.grownMegabytes, 0),
  ];
  const text = [
    machine(),
    '',
    `${pages} pages on ${connections} connections, ${pagesPerSecond.toFixed(0)} a second`,
    `API calm       p50 ${calm.p50.toFixed(2)} ms   p99 ${calm.p99.toFixed(2)} ms`,
    `API meanwhile  p50 ${loaded.p50.toFixed(2)} ms   p99 ${loaded.p99.toFixed(2)} ms`,
    `of calm        p50 ${ratio.p50.toFixed(2)}      p99 ${ratio.p99.toFixed(2)}`,
    `memory by round, MB: ${megabytes.map((each) => each?.toFixed(0) ?? 'unknown').join(' ')}`,
    '',
    ...checks.map(({ ok, line }) => `${ok === undefined ? 'unknown' : ok ? 'ok     ' : 'MISSED '}  ${line}`),
  ].join('\n');
  return { text, ok: checks.every(({ ok }) => ok !== false) };
}

/** @param {string} what @param {number | null} figure @param {number} target @param {number} decimals */
function atMost(what, figure, target, decimals) {
  if (figure === null) return { ok: undefined, line: `${what}: not available on this system` };
  return { ok: figure <= target, line: `${what}: ${figure.toFixed(decimals)} (at most ${target})` };
}
