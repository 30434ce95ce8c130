#!/usr/bin/env node
// The launcher behind every npm script: node scripts/run.mjs <verb> [arguments]
//
// It depends on nothing but Node and npm, and brings the rest: a newer Node where this one is too old,
// the dependencies, the build. Whatever it has to say goes to standard error, because standard output
// belongs to the program it starts (`npm run -s countersign -- client list --json` prints JSON only).
//
// package.json calls it with `exec`, so that no shell stands between npm and this process: a shell that
// gets npm's SIGTERM dies of it and passes nothing on.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, format } from './check.mjs';
import { installDependencies } from './install.mjs';
import { isNewEnough, rerunWithNewerNode } from './node.mjs';
import { fail, root, runNode, say, stopWithParent } from './process.mjs';

const usage = `Usage: npm start                      set up, build and serve
       npm test                       check, then run every test
       npm test -- FILTER             run just the tests that match, without the check
       npm run test:long              run the tests of faults, pages and traces in full size
       npm run check                  format, lint, types, boundaries, unused code
       npm run format                 mend what the formatter and the linter can mend
       npm run bench -- NAME          measure, against reference programs
       npm run screenshots            take the pictures in docs/screenshots anew
       npm run changeset              describe a change for the changelog
       npm run -s countersign -- …    the command line`;

const SCREENSHOTS = 'tests/screenshots/vitest.config.ts';

/** @type {Record<string, (args: string[]) => Promise<number | undefined>>} */
const verbs = {
  start: async (args) => (await build()) || become('apps/server/dist/main.js', ['serve', ...args]),
  countersign: async (args) => (await build()) || become('apps/server/dist/main.js', args),
  screenshots: async () =>
    (await build()) || runNode(['node_modules/vitest/vitest.mjs', 'run', '--config', SCREENSHOTS]),
  bench: async (args) => (await build()) || become('tests/bench/run.mjs', args),
  changeset: (args) => runNode(['node_modules/@changesets/cli/bin.js', ...args]),
  check: () => check(),
  format: () => format(),
  test,
  'test:long': (args) => {
    process.env.LONG_TESTS = 'on';
    return test(
      args.length === 0
        ? ['tests/faults', 'tests/browser/accessibility', 'tests/e2e/canary', '.long.test.ts']
        : args,
    );
  },
};

/** @returns {Promise<number>} the exit code */
async function build() {
  const code = await runNode(['node_modules/typescript/bin/tsc', '-b', 'tsconfig.build.json'], {
    stdio: ['ignore', 2, 2],
  });
  if (code !== 0) say('the build failed');
  return code;
}

/**
 * Everything runs even if something before it failed, so that one run tells all. With arguments only the
 * tests they select run, after a build, because some of them start the built server.
 * @param {string[]} args
 */
async function test(args) {
  // What Node has compiled once it loads the next time: the tests start hundreds of processes.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');
  if (args.length === 0) process.env.TEST_SHARED_SERVERS = 'on';
  const before = args.length === 0 ? await check() : await build();
  const tests = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...args]);
  if (before !== 0) say(`${args.length === 0 ? 'the check' : 'the build'} failed, see above`);
  return tests || before;
}

/**
 * Goes on as the given program, in this process: signals, exit code and memory are then its own, with
 * nobody in between who could forget to pass something on.
 * @param {string} file
 * @param {string[]} args
 * @returns {Promise<undefined>}
 */
async function become(file, args) {
  const program = join(root, file);
  if (!existsSync(program)) fail(`${file} does not exist`);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

const [name = '', ...args] = process.argv.slice(2);
const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
if (!verb) fail(usage);

process.chdir(root);
stopWithParent();
if (isNewEnough(process.versions.node)) {
  await installDependencies();
  const code = await verb(args);
  if (code !== undefined) process.exit(code);
} else {
  process.exit(await rerunWithNewerNode(process.argv.slice(1)));
}
