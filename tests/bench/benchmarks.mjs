// What `npm run bench` can measure.
import { benchCheckout } from './checkout.mjs';
import { benchExpiry } from './expiry.mjs';
import { onPostgres } from './extent.mjs';
import { benchInstall } from './install.mjs';
import { benchLargeUploads } from './large-uploads.mjs';
import { benchLists } from './lists.mjs';
import { benchMemoryCases } from './memory-cases.mjs';
import { benchNotify } from './notify.mjs';
import { benchOneClient } from './one-client.mjs';
import { benchOpenLoop } from './open-loop.mjs';
import { measurePageTimes } from './page-times.mjs';
import { benchPages } from './pages.mjs';
import { benchPostgres } from './postgres.mjs';
import { benchReading } from './reading.mjs';
import { benchRebuild } from './rebuild.mjs';
import { benchRepeatedAnswers } from './repeated-answers.mjs';
import { report, TARGETS } from './report.mjs';
import { reportExpiry } from './report-expiry.mjs';
import { reportLists } from './report-lists.mjs';
import { reportOneClient } from './report-one-client.mjs';
import { reportOpenLoop } from './report-open-loop.mjs';
import { reportPages } from './report-pages.mjs';
import { reportReading } from './report-reading.mjs';
import { reportRebuild } from './report-rebuild.mjs';
import { reportRetention } from './report-retention.mjs';
import { reportReview } from './report-review.mjs';
import { reportScale } from './report-scale.mjs';
import { reportSignIn } from './report-sign-in.mjs';
import { reportUploads } from './report-uploads.mjs';
import { benchRetention } from './retention.mjs';
import { benchReview } from './review.mjs';
import { benchScale } from './scale.mjs';
import { benchSignIn } from './sign-in.mjs';
import { benchSqlite } from './sqlite.mjs';
import { benchSubmission } from './submission.mjs';
import { benchTracing } from './tracing.mjs';
import { benchUploads } from './uploads.mjs';
import { benchWebhooks } from './webhooks.mjs';

/**
 * @typedef {object} Options
 * @property {import('./extent.mjs').Extent} extent
 * @property {boolean} short
 * @property {number | undefined} rows of the larger data, for `scale`, and waiting cases, for `review`
 * @property {(line: string) => void} say reports progress
 *
 * @typedef {object} Benchmark
 * @property {string} measures for the usage
 * @property {(options: Options) => Promise<Result>} run
 *
 * @typedef {object} Result
 * @property {string} text the figures
 * @property {boolean} ok whether they reach the targets
 * @property {Readonly<Record<string, import('./chart.mjs').Chart>>} [charts] by file name, for docs/figures
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
    measures:
      'measure the API while the dashboard is reloaded, and single pages over 1,000,000 rows, about ten minutes',
    run: async ({ extent, say }) =>
      reportPages(await benchPages(extent.pages, { say }), await measurePageTimes(extent.pages.times, { say })),
  },
  answers: {
    measures: 'measure a verification whose subject answers one step 10,000 times, about a minute',
    run: ({ short, say }) => benchRepeatedAnswers('sqlite', { short, say }),
  },
  'answers-postgres': {
    measures: 'the same on Postgres, about two minutes',
    run: ({ short, say }) => benchRepeatedAnswers('postgres', { short, say }),
  },
  expiry: {
    measures: 'measure the API while 20,000 abandoned verifications expire, about fifteen minutes',
    run: async ({ short, say }) => reportExpiry(await benchExpiry('sqlite', { short, say })),
  },
  'expiry-postgres': {
    measures: 'the same on Postgres',
    run: async ({ short, say }) => reportExpiry(await benchExpiry('postgres', { short, say })),
  },
  retention: {
    measures: 'measure the API while the data of 10,000 verifications is erased, about eight minutes',
    run: async ({ short, say }) => reportRetention(await benchRetention('sqlite', { short, say })),
  },
  'retention-postgres': {
    measures: 'the same on Postgres',
    run: async ({ short, say }) => reportRetention(await benchRetention('postgres', { short, say })),
  },
  rebuild: {
    measures: 'measure the API while 100,000 verifications are labelled for blind indexes, about five minutes',
    run: async ({ short, say }) => reportRebuild(await benchRebuild('sqlite', { short, say })),
  },
  'rebuild-postgres': {
    measures: 'the same on Postgres',
    run: async ({ short, say }) => reportRebuild(await benchRebuild('postgres', { short, say })),
  },
  review: {
    measures:
      "measure the processor time of the reviewers' queue and searches over 100,000 waiting cases of 20 clients, about five minutes; with BASELINE_PROGRAM also of another version",
    run: async ({ short, rows, say }) => reportReview(await benchReview('sqlite', { short, rows, say })),
  },
  'review-postgres': {
    measures: 'the same on Postgres',
    run: async ({ short, rows, say }) => reportReview(await benchReview('postgres', { short, rows, say })),
  },
  uploads: {
    measures: "measure 20 large uploads at once, then a subject's uploads beside attackers, about ten minutes",
    run: async ({ extent, say }) => {
      const large = await benchLargeUploads(extent.uploads.large, { say });
      return reportUploads(await benchUploads(extent.uploads, { say }), large);
    },
  },
  reading: {
    measures: 'measure the reader of documents on 500 pictures, and the API beside it, about eight minutes',
    run: async ({ short, say }) => reportReading(await benchReading({ short, say })),
  },
  install: {
    measures:
      'install the program with an empty npm cache and create a first verification; then start it, a minute',
    run: ({ short, say }) => benchInstall({ short, say }),
  },
  checkout: {
    measures:
      'start the last commit in new clones with an empty home, on this Node and on an old one, five minutes',
    run: ({ short, say }) => benchCheckout({ short, say }),
  },
  'memory-cases': {
    measures: 'measure 3,000 cases of tests on the storage in memory, ten seconds',
    run: benchMemoryCases,
  },
  webhooks: {
    measures: 'measure creations of a client with an endpoint beside those of one without, about three minutes',
    run: ({ short, say }) => benchWebhooks({ short, say }),
  },
  notify: {
    measures: "measure creations with the subject's e-mail address beside those without, about a minute",
    run: ({ short, say }) => benchNotify({ short, say }),
  },
  submission: {
    measures: 'measure verifications with blind indexes and warnings beside those without, about two minutes',
    run: ({ short, say }) => benchSubmission({ short, say }),
  },
  lists: {
    measures: 'measure every list over 1,000 to 1,000,000 rows, about fifteen minutes',
    run: async ({ short, say }) => reportLists(await benchLists('sqlite', { short, say })),
  },
  'lists-postgres': {
    measures: 'the same on Postgres',
    run: async ({ short, say }) => reportLists(await benchLists('postgres', { short, say })),
  },
  scale: {
    measures:
      'measure Postgres with 5,000,000 verifications of 10,000 clients, about twenty minutes and 30 GB of disk',
    run: async ({ short, rows, say }) => reportScale(await benchScale({ short, rows, say })),
  },
  'sign-in': {
    measures:
      'measure sign-ins on Postgres beside 200 requests a second, and the API beside them, about eleven minutes',
    run: async ({ short, say }) => reportSignIn(await benchSignIn({ short, say })),
  },
  'one-client': {
    measures:
      'compare simultaneous creations of one client on Postgres with those of 16 and 100, about four minutes',
    run: async ({ short, say }) => reportOneClient(await benchOneClient({ short, say })),
  },
  tracing: {
    measures:
      'measure the server without traces beside one that sends them, and beside the program BASELINE_PROGRAM of an earlier version, nine minutes',
    run: ({ extent, say }) => benchTracing(extent, { say }),
  },
  'open-loop': {
    measures: 'measure responses at 5,000 requests a second, and memory after 500,000, about four minutes',
    run: async ({ short, say }) => reportOpenLoop(await benchOpenLoop('sqlite', { short, say })),
  },
  'open-loop-postgres': {
    measures: 'the same on Postgres, with 1,500 a second',
    run: async ({ short, say }) => reportOpenLoop(await benchOpenLoop('postgres', { short, say })),
  },
};
