// Runs Stryker once, and says which mutants lived.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { EXCLUDED_MUTATORS, root } from './targets.mjs';

/** Runs the contract kit without vitest. */
const KIT_RUNNER = join(import.meta.dirname, 'kit-runner.mjs');
/** Runs vitest in a worker that is kept between runs. */
const WARM_RUNNER = join(import.meta.dirname, 'warm-runner.mjs');

/**
 * @typedef {object} Mutant
 * @property {string} file relative to the repository
 * @property {number} line
 * @property {string} change the code and its replacement, in one line
 * @property {string} range for a second run with this mutant alone
 * @property {boolean} isReached by one of the tests
 * @property {boolean} killed
 * @property {boolean} isStatic active only while a module loads, and not tested. Other tests may reach it later
 * @property {readonly string[]} killedBy cases of the kit, up to `MOST_KILLERS`; of other tests only the first
 */

/** A mutant that makes a loop endless is killed after the normal duration of its tests and this time. */
const TIMEOUT_MS = 30_000;
/** The first run, without mutants, of all tests of a target, on a machine that does other work too. */
const FIRST_RUN_MINUTES = 30;
/** Memory for the list of tests that reach each mutant: there are thousands of tests. */
const HEAP_MB = 8192;
/** The longest code that a list of survivors shows whole. */
const SHOWN = 120;

/**
 * @param {readonly string[]} mutate files, or ranges in files
 * @param {readonly string[] | 'kit'} tests patterns of test files, or the contract kit
 * @param {string} [incrementalFile] results of an earlier run, which are reused where code and tests are the same
 * @returns {Promise<Mutant[]>}
 */
export async function testMutants(mutate, tests, incrementalFile) {
  const sandbox = mkdtempSync(join(tmpdir(), 'countersign-mutation-'));
  const isKit = tests === 'kit';
  if (!isKit) process.env.MUTATION_TESTS = JSON.stringify(tests);
  try {
    const results = await new Stryker({
      mutate: [...mutate],
      testRunner: isKit ? 'kit' : 'warm',
      plugins: [isKit ? KIT_RUNNER : WARM_RUNNER],
      disableBail: isKit,
      // The tests that reached a mutant in the first run are known, without asking which files import which.
      ...(isKit ? {} : { vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false } }),
      coverageAnalysis: 'perTest',
      // These need all tests again and again. Most are catalogues, and the load-time checks and type checks cover those.
      ignoreStatic: true,
      mutator: { excludedMutations: EXCLUDED_MUTATORS },
      ...(incrementalFile === undefined ? {} : { incremental: true, incrementalFile }),
      concurrency: availableParallelism(),
      timeoutMS: TIMEOUT_MS,
      dryRunTimeoutMinutes: FIRST_RUN_MINUTES,
      testRunnerNodeArgs: [`--max-old-space-size=${HEAP_MB}`],
      tempDirName: sandbox,
      // Stryker would read it with the compiler API, which TypeScript 7 does not have.
      tsconfigFile: 'none',
      disableTypeChecks: false,
      ignorePatterns: ['/data', '/dist', '/apps', '/docs/screenshots', '*.db', '.stryker-tmp'],
      reporters: ['progress-append-only'],
      allowEmpty: true,
      // Their type is an enumeration that Stryker does not export.
      logLevel: /** @type {never} */ ('warn'),
      fileLogLevel: /** @type {never} */ ('off'),
    }).runMutationTest();
    return results.flatMap(readResult);
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

/** @param {Awaited<ReturnType<Stryker['runMutationTest']>>[number]} result @returns {Mutant[]} */
function readResult({ fileName, location, replacement, status, statusReason = '', killedBy = [] }) {
  const isStatic = status === 'Ignored' && statusReason.startsWith('Static mutant');
  if (status === 'Ignored' && !isStatic) return [];
  const { start, end } = location;
  const file = relative(root, fileName).replaceAll('\\', '/');
  const code = textBetween(readFileSync(fileName, 'utf8'), start, end);
  // The compiler proves that such a branch is never reached.
  if (code.includes('satisfies never;') && code.startsWith('default:')) return [];
  // Results count columns from 1, ranges from 0.
  const range = `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
  const killed = status === 'Killed' || status === 'Timeout';
  return [
    {
      file,
      line: start.line,
      change: `${inOneLine(code)} → ${inOneLine(replacement)}`,
      range,
      isReached: status !== 'NoCoverage',
      killed,
      isStatic,
      killedBy,
    },
  ];
}

/**
 * @param {string} text
 * @param {{ line: number, column: number }} start
 * @param {{ line: number, column: number }} end
 */
function textBetween(text, start, end) {
  const lines = text.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return lines.join('\n');
}

/** @param {string} code */
export function inOneLine(code) {
  const line = code.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
