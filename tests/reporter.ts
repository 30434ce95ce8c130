import { isCi } from '@countersign/test-support/ci';
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';

/** How many of the slowest files a run of more files lists. */
const SLOWEST = 10;

/** Runs the contract kit on a storage without parts too. A test of this file counts the cases that the kit leaves out then. */
const RUNS_WITHOUT_PARTS = 'packages/storage-contract/src/storage-contract.test.ts';

/**
 * Ends every run with the line `N passed, N failed, N skipped`, and lists before it the slowest files and what did not run.
 * A file that does not load and an error outside of any test count as failed. With CI set, a test that
 * is skipped or still to be written fails the run (one marked `only` does too, see vitest.config.ts).
 */
export default class ClosingLine implements Reporter {
  /** Whether the run was asked for some tests by name: then nobody needs a list of all others. */
  #selective = false;

  onInit(vitest: Vitest): void {
    this.#selective = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], outsideErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;

    const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const failed =
      count('failed') + broken.filter((part) => part.errors().length > 0).length + outsideErrors.length;
    // A test that never came to run (its file broke, or the run was stopped) did not pass either.
    const idle = tests.filter((test) => ['skipped', 'pending'].includes(test.result().state));
    const skipped = idle.filter((test) => !isLeftOut(test));

    const unexplained = this.#selective ? [] : skipped.filter((test) => !isInBrokenSuite(test));
    const lines = [...slowestOf(modules), ...unexplained.map((test) => `not run: ${nameOf(test)}`)];
    if (skipped.length < idle.length)
      lines.push(
        `${idle.length - skipped.length} cases of the contract kit left out, for a storage without their parts`,
      );
    if (skipped.length > 0 && isCi(process.env)) {
      process.exitCode = 1;
      lines.push('With CI set, a test that does not run fails the run.');
    }
    lines.push(`${count('passed')} passed, ${failed} failed, ${skipped.length} skipped`);
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}

/** Lists the slowest files with their seconds, if there are more files than these. */
function slowestOf(modules: readonly TestModule[]): string[] {
  if (modules.length <= SLOWEST) return [];
  return modules
    .map((module) => ({ file: module.relativeModuleId, seconds: module.diagnostic().duration / 1_000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ file, seconds }) => `slow: ${seconds.toFixed(1).padStart(5)} s ${file}`);
}

/** Its suite failed before it, which is told already. */
function isInBrokenSuite(test: TestCase): boolean {
  let part: TestSuite | TestModule = test.parent;
  while (part.errors().length === 0) {
    if (part.type === 'module') return false;
    part = part.parent;
  }
  return true;
}

/** The kit left the case out, because it calls a part that the storage under test lacks on purpose. */
function isLeftOut(test: TestCase): boolean {
  const result = test.result();
  const isOfKit = test.module.relativeModuleId === RUNS_WITHOUT_PARTS;
  return isOfKit && result.state === 'skipped' && result.note?.startsWith('without ') === true;
}

function nameOf(test: TestCase): string {
  const result = test.result();
  const why = result.state === 'skipped' && result.note ? ` (${result.note})` : '';
  return `${test.module.relativeModuleId} > ${test.fullName.slice(0, 150)}${why}`;
}
