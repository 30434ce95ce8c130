// npm run bench -- sqlite|postgres|pages|answers|answers-postgres|uploads [--short] [--no-gate]
import { parseArgs } from 'node:util';
import { FULL, onPostgres, SHORT } from './extent.mjs';
import { benchPages } from './pages.mjs';
import { benchPostgres } from './postgres.mjs';
import { benchRepeatedAnswers } from './repeated-answers.mjs';
import { report, TARGETS } from './report.mjs';
import { reportPages } from './report-pages.mjs';
import { reportUploads } from './report-uploads.mjs';
import { benchSqlite } from './sqlite.mjs';
import { benchUploads } from './uploads.mjs';

const BENCHMARKS = /** @type {const} */ ([
  'sqlite',
  'postgres',
  'pages',
  'answers',
  'answers-postgres',
  'uploads',
]);

const usage = `Usage: npm run bench -- sqlite     compare the server on SQLite with minimal programs, about two minutes
       npm run bench -- postgres   compare the server on Postgres with one, about two minutes
       npm run bench -- pages      measure the API while the dashboard is reloaded, about five minutes
       npm run bench -- answers    measure a verification whose subject answers one step 10,000 times, about a minute
       npm run bench -- answers-postgres   the same on Postgres, about two minutes
       npm run bench -- uploads    measure a subject's uploads beside attackers, about eight minutes

  --no-gate   print the figures and exit with 0 even if they miss a target
  --short     a smoke test of a few seconds; its figures mean nothing`;

/** @param {string} problem @returns {never} */
function refuse(problem) {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    const options = /** @type {const} */ ({ short: { type: 'boolean' }, 'no-gate': { type: 'boolean' } });
    return parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message);
  }
}

const { positionals, values } = readArguments();
const [name, ...more] = positionals;
if (more.length > 0 || !isBenchmark(name)) {
  refuse(`Expected one thing to measure: ${BENCHMARKS.join(', ')}`);
}

const extent = values.short ? SHORT : FULL;
const options = { say: /** @param {string} line */ (line) => console.error(line) };
const { text, ok } = await measured(name);
console.log(text);
if (values.short) console.log('\nA short run only proves that the benchmark works.');
process.exitCode = ok || values['no-gate'] || values.short ? 0 : 1;

/**
 * @typedef {typeof BENCHMARKS[number]} Benchmark
 * @param {string | undefined} text
 * @returns {text is Benchmark}
 */
function isBenchmark(text) {
  return BENCHMARKS.some((known) => known === text);
}

/** @param {Benchmark} what */
async function measured(what) {
  const short = values.short === true;
  if (what === 'answers') return benchRepeatedAnswers('sqlite', { short, ...options });
  if (what === 'answers-postgres') return benchRepeatedAnswers('postgres', { short, ...options });
  if (what === 'uploads') return reportUploads(await benchUploads(extent.uploads, options));
  if (what === 'pages') return reportPages(await benchPages(extent.pages, options));
  const figures = await (what === 'sqlite'
    ? benchSqlite(extent, options)
    : benchPostgres(onPostgres(extent), options));
  return report(figures, TARGETS[what]);
}
