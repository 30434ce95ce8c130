// Formats the figures of the reviewers' pages and checks them against the target.
import { reportOf, table } from './report.mjs';

/** The most processor time of the server for a page, in milliseconds at the median (docs/performance.md). */
const MOST_MS = 10;

/** @param {import('./review.mjs').ReviewFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportReview({ kind, waiting, clients, pages }) {
  const hasDatabase = pages.some(({ database }) => !Number.isNaN(database));
  const hasBefore = pages.some(({ before }) => before !== undefined);
  const lines = table([
    [
      'CPU per page, p50, ms',
      'server',
      ...(hasDatabase ? ['Postgres'] : []),
      ...(hasBefore ? ['baseline', 'of baseline'] : []),
    ],
    ...pages.map(({ name, milliseconds, database, before }) => [
      name,
      milliseconds.toFixed(2),
      ...(hasDatabase ? [database.toFixed(2)] : []),
      ...(before === undefined ? [] : [before.toFixed(2), (milliseconds / before).toFixed(2)]),
    ]),
  ]);
  return reportOf(
    [`${kind}: ${waiting} waiting cases of ${clients} clients`, ...lines],
    pages.map(({ name, milliseconds }) => ({
      ok: Number.isNaN(milliseconds) ? undefined : milliseconds <= MOST_MS,
      line: `CPU of the page ${name}, ms: ${milliseconds.toFixed(2)} (at most ${MOST_MS})`,
    })),
  );
}
