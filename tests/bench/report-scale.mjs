// Formats the figures of large databases and checks them against the target.
import { short } from './chart.mjs';
import { reportOf, table } from './report.mjs';

/** @typedef {import('./scale.mjs').ScaleFigures} ScaleFigures */

/** Cost over the largest data, of the smallest (docs/performance.md). */
const RATIO_MAX = 1.5;

/** @param {ScaleFigures} figures */
export function reportScale({ title, operations, indexes }) {
  const sizes = indexes.map(({ rows }) => short(rows));
  const rows = operations.map(({ name, ratio, sizes: each }) => [
    name,
    ...each.map(({ perSecond }) => perSecond.toFixed(0)),
    ratio.toFixed(2),
    ...each.map(({ cpuMicroseconds }) => cpuMicroseconds?.toFixed(0) ?? 'unknown'),
    ...each.map(({ databaseMicroseconds }) => databaseMicroseconds?.toFixed(0) ?? 'unknown'),
  ]);
  const header = [
    'requests/s',
    ...sizes,
    'time ratio',
    ...sizes.map((size) => `CPU µs, ${size}`),
    ...sizes.map((size) => `Postgres µs, ${size}`),
  ];
  const [smallest, largest] = [indexes[0], indexes.at(-1)];
  const indexRows = (largest?.indexes ?? []).map(({ name, bytes }) => {
    const before = smallest?.indexes.find((index) => index.name === name)?.bytes ?? Number.NaN;
    const [one, other] = [before / (smallest?.rows ?? 1), bytes / (largest?.rows ?? 1)];
    return { name, megabytes: [before / 1e6, bytes / 1e6], ofRow: [one, other], ratio: other / one };
  });
  const checks = [
    ...operations.map(({ name, ratio }) => atMost(`time of ${name}`, ratio)),
    // Small indexes consist of half-empty pages: only growth matters.
    ...(indexRows.length === 0
      ? []
      : [
          atMost(
            'bytes of all indexes a row',
            sum(indexRows.map(({ ofRow }) => ofRow[1])) / sum(indexRows.map(({ ofRow }) => ofRow[0])),
          ),
        ]),
  ];
  const lines = [
    `Postgres: ${title}`,
    '',
    ...table([header, ...rows]),
    '',
    ...table([
      ['index', ...sizes.map((size) => `MB, ${size}`), ...sizes.map((size) => `bytes a row, ${size}`), 'ratio'],
      ...indexRows.map(({ name, megabytes, ofRow, ratio }) => [
        name,
        ...megabytes.map((each) => each.toFixed(1)),
        ...ofRow.map((each) => each.toFixed(1)),
        ratio.toFixed(2),
      ]),
    ]),
  ];
  return { ...reportOf(lines, checks), charts: { scale: chartOf(operations) } };

  /** @param {string} what @param {number} ratio */
  function atMost(what, ratio) {
    const line = `${what}, ${sizes.at(-1)} against ${sizes[0]} rows: ${ratio.toFixed(2)} (at most ${RATIO_MAX})`;
    return { ok: ratio <= RATIO_MAX, line };
  }
}

/** @param {readonly (number | undefined)[]} values */
const sum = (values) => values.reduce((/** @type {number} */ total, value) => total + (value ?? 0), 0);

/** @param {ScaleFigures['operations']} operations @returns {import('./chart.mjs').Chart} */
function chartOf(operations) {
  return {
    title: 'Time of an operation on Postgres with hash partitions',
    xLabel: 'verifications of 10,000 clients (logarithmic)',
    yLabel: 'time over the smallest data, as a multiple of it',
    lines: operations.map(({ name, sizes }) => ({
      name,
      points: sizes.map(({ rows, perSecond }) => ({ x: rows, y: (sizes[0]?.perSecond ?? 1) / perSecond })),
    })),
  };
}
