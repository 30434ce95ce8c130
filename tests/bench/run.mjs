// npm run bench -- NAME [--short] [--no-gate]
import { parseArgs } from 'node:util';
import { buildPackages } from '../../scripts/build-packages.mjs';
import { FULL, SHORT } from './extent.mjs';
import { writeFigures } from './figures.mjs';

// Benchmarks, and the helpers of tests that they use, load the built packages.
await buildPackages().catch(({ message }) => {
  console.error(message);
  process.exit(1);
});
const { BENCHMARKS } = await import('./benchmarks.mjs');

const COMMAND = 'npm run bench -- ';
const longest = Math.max(...Object.keys(BENCHMARKS).map((name) => name.length));
const lines = Object.entries(BENCHMARKS).map(
  ([name, { measures }]) => `${COMMAND}${name.padEnd(longest)}   ${measures}`,
);
const usage = `Usage: ${lines.join(`\n${' '.repeat('Usage: '.length)}`)}

  --no-gate   print the figures and exit with 0 even if they miss a target
  --draw      write the curves into docs/figures, where the benchmark has some
  --rows N    measure N verifications instead of 5,000,000 (scale) or 100,000 (review)
  --short     a smoke test of a few seconds; its figures mean nothing`;

/** @param {string} problem @returns {never} */
function refuse(problem) {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    const options = /** @type {const} */ ({
      draw: { type: 'boolean' },
      rows: { type: 'string' },
      short: { type: 'boolean' },
      'no-gate': { type: 'boolean' },
    });
    return parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message);
  }
}

const { positionals, values } = readArguments();
const [name = '', ...more] = positionals;
const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
if (more.length > 0 || benchmark === undefined) {
  refuse(`Expected one thing to measure: ${Object.keys(BENCHMARKS).join(', ')}`);
}

const short = values.short === true;
if (short && values.draw) refuse('--draw: the figures of a short run mean nothing, so they are not drawn');
const rows = values.rows === undefined ? undefined : Number(values.rows);
if (rows !== undefined && !(Number.isInteger(rows) && rows >= 1000)) {
  refuse('--rows: expected a whole number from 1000');
}
const { text, ok, charts } = await benchmark.run({
  extent: short ? SHORT : FULL,
  short,
  rows,
  say: (line) => console.error(line),
});
console.log(text);
if (values.draw) writeFigures(charts ?? {});
if (short) console.log('\nA short run only proves that the benchmark works.');
process.exitCode = ok || values['no-gate'] || short ? 0 : 1;
