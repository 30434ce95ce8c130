// What `npm run bench` can measure.
import { onPostgres } from './extent.mjs';
import { benchPages } from './pages.mjs';
import { benchPostgres } from './postgres.mjs';
import { benchRepeatedAnswers } from './repeated-answers.mjs';
import { report, TARGETS } from './report.mjs';
import { reportPages } from './report-pages.mjs';
import { reportUploads } from './report-uploads.mjs';
import { benchSqlite } from './sqlite.mjs';
import { benchUploads } from './uploads.mjs';

/**
 * @typedef {object} Options
 * @property {import('./extent.mjs').Extent} extent
 * @property {boolean} short
 * @property {(line: string) => void} say reports progress
 *
 * @typedef {object} Benchmark
 * @property {string} measures for the usage
 * @property {(options: Options) => Promise<{ text: string, ok: boolean }>} run returns the figures as text, and whether
 *   they reach the targets
 */

/** By the name on the command line. @type {Readonly<Record<string, Benchmark>>} */
export const BENCHMARKS = {
  sqlite: {
    measures: 'compare the server on SQLite with minimal programs, about two minutes',
    run: async ({ extent, say }) => report(await benchSqlite(extent, { say }), TARGETS.sqlite),
  },
  postgres: {
    measures: 'compare the server on Postgres with one, about two minutes',
    run: async ({ extent, say }) => report(await benchPostgres(onPostgres(extent), { say }), TARGETS.postgres),
  },
  pages: {
    measures: 'measure the API while the dashboard is reloaded, about five minutes',
    run: async ({ extent, say }) => reportPages(await benchPages(extent.pages, { say })),
  },
  answers: {
    measures: 'measure a verification whose subject answers one step 10,000 times, about a minute',
    run: ({ short, say }) => benchRepeatedAnswers('sqlite', { short, say }),
  },
  'answers-postgres': {
    measures: 'the same on Postgres, about two minutes',
    run: ({ short, say }) => benchRepeatedAnswers('postgres', { short, say }),
  },
  uploads: {
    measures: "measure a subject's uploads beside attackers, about eight minutes",
    run: async ({ extent, say }) => reportUploads(await benchUploads(extent.uploads, { say })),
  },
};
