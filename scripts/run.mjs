#!/usr/bin/env node
// The launcher behind every npm script: node scripts/run.mjs <verb> [arguments]
//
// It needs only Node and npm. It installs the dependencies, and a newer Node where this one is too old, and builds the
// server's bundle. It writes its own messages to standard error, because standard output belongs to the program it
// starts (`npm run -s countersign -- client list --json` prints JSON only).
//
// package.json starts it with `exec`, so that no shell stands between npm and this process: a shell ends on npm's
// SIGTERM without passing it on.
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extentFor, installDependencies, useDependencies } from './install.mjs';
import { isNewEnough, rerunWithNewerNode } from './node.mjs';
import { fetchPnpm } from './pnpm.mjs';
import { fail, root, runNode, say, stopWithParent } from './process.mjs';
import { buildServer } from './server-bundle.mjs';
import { needlessArguments, unknownCommand, usage } from './usage.mjs';

/** Where Node keeps compiled code for the next start. */
const compileCache = join(root, 'node_modules', '.cache', 'compiled');
const VITEST = 'node_modules/vitest/vitest.mjs';
const SCREENSHOTS = 'tests/screenshots/vitest.config.ts';
const RELEASE_FIXTURES = 'tests/upgrade/vitest.config.ts';
/** Compares the committed types with the document, or updates them. */
const CLIENT_TYPES = 'packages/client/src/api-types.test.ts';
/** Each compares a committed table with a package's data, or updates it. */
const ADDRESS_DATA = 'packages/domain/src/fields/address-data.test.ts';
const CALLING_CODES = 'packages/domain/src/fields/calling-code-data.test.ts';

/** Runs the packages from their sources, as the tests do: `dist` may be older. */
const FROM_SOURCE = ['--conditions=source', '--experimental-strip-types', '--no-warnings'];

/** @type {Record<string, (args: string[]) => Promise<number | undefined>>} */
const verbs = {
  start: async (args) => become(await build(), ['serve', ...args]),
  countersign: async (args) => become(await build(), args),
  dev: async (args) => (await import('./dev.mjs')).dev(args),
  check: async () => (await import('./check.mjs')).check(),
  format: async () => (await import('./check.mjs')).format(),
  test: (args) => {
    if (args.length === 0) process.env.SLOWER_TESTS = 'off';
    return test(args);
  },
  'test:all': test,
  'test:rest': async () => {
    const { filesOfRest } = await import('../tests/slower-tests.mjs');
    process.env.TEST_SHARED_SERVERS = 'on';
    process.env.SLOWER_TESTS = 'only';
    return vitest(['run', ...filesOfRest()]);
  },
  'test:unit': (args) => {
    const watch = args.includes('--watch');
    const filters = args.filter((arg) => arg !== '--watch');
    if (filters.length === 0) process.env.SLOWER_TESTS = 'off';
    return vitest([watch ? 'watch' : 'run', '--project', 'unit', ...filters]);
  },
  'test:faults': (args) => inFullSize(args.length > 0 ? args : ['tests/faults']),
  'test:long': async (args) =>
    inFullSize(args.length > 0 ? args : (await import('../tests/full-length.mjs')).FULL_LENGTH_TESTS),
  'test:mutation': (args) => become(join(root, 'tests/mutation/run.mjs'), args),
  screenshots: () => vitest(['run', '--config', SCREENSHOTS]),
  release: async (args) => (await import('./release.mjs')).release(args, keepFixtures),
  'release-fixtures': keepFixtures,
  'client-types': () => vitest(['run', CLIENT_TYPES, '--update']),
  'address-data': () => vitest(['run', ADDRESS_DATA, '--update']),
  'calling-codes': () => vitest(['run', CALLING_CODES, '--update']),
  migration: (args) => runNode([...FROM_SOURCE, 'scripts/migration.mjs', ...args]),
  lines: async () => {
    (await import('../quality/lines.mjs')).printLines();
    return 0;
  },
  bench: (args) => become(join(root, 'tests/bench/run.mjs'), args),
  pack: async () => {
    const { pack } = await import('./pack.mjs');
    const tarballs = await pack(join(root, 'tarballs')).catch(failedBuild);
    for (const file of tarballs.values()) console.log(file);
    return 0;
  },
  changeset: (args) => runNode(['node_modules/@changesets/cli/bin.js', ...args]),
};

function keepFixtures() {
  return vitest(['run', '--config', RELEASE_FIXTURES]);
}

/** @returns {Promise<string>} the path of the program */
async function build() {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? compileCache);
  return buildServer().catch(failedBuild);
}

/**
 * @param {Error} error
 * @returns {never}
 */
function failedBuild({ message }) {
  if (message) say(message);
  fail('the build failed, see above');
}

/**
 * Runs the tests beside the check, also if the check fails, so that one run reports all failures. With arguments
 * it runs only the tests they select; those that start a server or load built packages build them.
 * @param {string[]} args
 */
async function test(args) {
  if (args.length > 0) return vitest(['run', ...args]);
  process.env.TEST_SHARED_SERVERS = 'on';
  const { checkBesideTests, checkTypes } = await import('./check.mjs');
  const typed = await checkTypes();
  // On a terminal the test runner redraws its last lines, and would overwrite the output.
  let kept = '';
  const keep = (/** @type {string} */ text) => (kept += text);
  const write = process.stdout.isTTY ? keep : (/** @type {string} */ text) => process.stderr.write(text);
  const [tested, others] = await Promise.all([vitest(['run']), checkBesideTests(write)]);
  process.stderr.write(kept);
  const checked = typed || others;
  if (checked !== 0) say('the check failed, see above');
  return tested || checked;
}

/**
 * Runs tests in the size that takes minutes to hours. `npm run test:all` runs them in a short form.
 * @param {readonly string[]} filters
 */
function inFullSize(filters) {
  process.env.LONG_TESTS = 'on';
  return vitest(['run', ...filters]);
}

/** @param {string[]} args */
function vitest(args) {
  // Tests start hundreds of processes.
  process.env.NODE_COMPILE_CACHE ??= compileCache;
  return runNode([VITEST, ...args]);
}

/**
 * Continues as the given program, in this process: signals, exit code and memory are then the program's own.
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<undefined>}
 */
async function become(program, args) {
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

const [name = '', ...args] = process.argv.slice(2);
if (['help', '--help'].includes(name)) {
  console.log(usage);
  process.exit(0);
}
const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
if (!verb) fail(unknownCommand(name, Object.keys(verbs)));
// A verb whose function takes no arguments would ignore them.
if (verb.length === 0 && args.length > 0) fail(needlessArguments(name, args));

process.chdir(root);
// The command alone decides which tests are left out, whatever the shell exports.
for (const setting of ['SLOWER_TESTS', 'LONG_TESTS', 'TEST_SERVERS']) delete process.env[setting];
stopWithParent();
if (isNewEnough(process.versions.node)) {
  const extent = extentFor(name);
  await installDependencies(extent);
  if (extent === 'serving') useDependencies();
  const code = await verb(args);
  if (code !== undefined) process.exit(code);
} else {
  // Fetches pnpm for the install that follows, which reports a failure to fetch it.
  process.exit(await rerunWithNewerNode(process.argv.slice(1), fetchPnpm));
}
