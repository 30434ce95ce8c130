// The quality gate. Every step runs even if another one failed, so that one run reports all failures.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { exitAfterSignal, root, run, runNode } from './process.mjs';

// cspell.config.mjs reads the rejected words from the glossary, and the spell checker's cache does not notice it.
const glossary = createHash('sha256')
  .update(readFileSync(join(root, 'docs/glossary.md')))
  .digest('hex')
  .slice(0, 8);

/** @typedef {[name: string, command: string]} Step a command is a script of a package and its arguments */

/** Writes `dist`, as tests of the built packages do: it never runs beside them. @type {Step} */
const COMPILE = ['types', 'typescript/bin/tsc -b'];

/** The longest first. @type {Step[]} */
const OTHERS = [
  [
    'boundaries',
    'dependency-cruiser/bin/dependency-cruiser.mjs --config .dependency-cruiser.mjs --output-type err-long packages apps tests',
  ],
  ['lint with types', 'oxlint/bin/oxlint --type-aware --deny-warnings'],
  ['unused code', 'knip/bin/knip.js'],
  [
    'spelling',
    `cspell/bin.mjs --no-progress --no-summary --cache --cache-location node_modules/.cache/cspell-${glossary}`,
  ],
  ['types of the scripts', 'typescript/bin/tsc -p quality'],
  ['types of the pages', 'typescript/bin/tsc -p packages/web/tsconfig.assets.json'],
  ['types of the training of the reader', 'typescript/bin/tsc -p packages/reading/training'],
  ['types of the acceptance of the reader', 'typescript/bin/tsc -p packages/reading/acceptance'],
  ['types of the benchmarks and the mutation tests', 'typescript/bin/tsc -p tests/bench'],
  ['format and lint', '@biomejs/biome/bin/biome check --error-on-warnings'],
];

/**
 * Runs the check, as many steps at once as there are processors.
 * @returns {Promise<number>} the exit code: 0 if every step passed
 */
export function check() {
  return runSteps([...OTHERS, COMPILE], availableParallelism());
}

/** @returns {Promise<number>} the exit code of the step that must end before the tests begin */
export function checkTypes() {
  return runSteps([COMPILE], 1);
}

/**
 * Runs all other steps, one at a time. They have the priority of the tests: at the lowest one, on a machine that other work
 * fills, they had not ended minutes after the tests.
 * @param {(text: string) => unknown} write gets the output
 * @returns {Promise<number>} the exit code
 */
export function checkBesideTests(write) {
  return runSteps(OTHERS, 1, write);
}

/** @param {string} text */
const print = (text) => {
  process.stderr.write(text);
};

/**
 * The tools in Go (compiler, linter with types) collect garbage at five times the live memory instead of two: with 1 GB
 * they take a seventh less processor time.
 */
const GO = { GOGC: process.env.GOGC ?? '400' };

/**
 * Writes the output of each step in one piece when it ends, and a summary.
 * @param {Step[]} steps
 * @param {number} atOnce
 * @param {(text: string) => unknown} [write]
 * @returns {Promise<number>} the exit code: 0 if every step passed
 */
async function runSteps(steps, atOnce, write = print) {
  const waiting = [...steps];
  /** @type {{ name: string, code: number, seconds: string }[]} */
  const results = [];

  async function runNext() {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const [name, command] = step;
      const start = performance.now();
      const { code, output, interrupted } = await run(process.execPath, toolArguments(command), {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...GO, ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}) },
      });
      if (interrupted) await exitAfterSignal(code);
      write(`\n── ${name}\n${output}`);
      results.push({ name, code, seconds: ((performance.now() - start) / 1_000).toFixed(1) });
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runNext));

  const lines = results.map(
    ({ name, code, seconds }) => `${code === 0 ? 'ok    ' : 'FAILED'}  ${name}, ${seconds} s`,
  );
  write(`\n${lines.join('\n')}\n`);
  return results.every(({ code }) => code === 0) ? 0 : 1;
}

/** @returns {Promise<number>} the exit code */
export function format() {
  return runNode(toolArguments('@biomejs/biome/bin/biome check --write'), { stdio: ['ignore', 2, 2] });
}

/** @param {string} command */
function toolArguments(command) {
  const [script, ...args] = command.split(' ');
  return [`node_modules/${script}`, ...args];
}
