// A test runner for Stryker that runs the contract kit's cases over the storage in memory, without vitest: a mutant takes
// milliseconds instead of a second, so it can tell every case that kills a mutant.
import { loadKit, MOST_KILLERS } from './kit-cases.mjs';

/** Where the instrumented code looks which mutant is active, and counts what it reaches. */
const NAMESPACE = '__stryker__';

/** Statuses of a test, as Stryker numbers them. */
const [PASSED, FAILED] = [0, 1];

class KitRunner {
  /** @type {import('./kit-cases.mjs').KitCase[]} */
  #cases = [];

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    const { cases } = await loadKit(`${process.cwd()}/`);
    this.#cases = cases;
  }

  async dryRun() {
    const namespace = namespaceOf();
    const tests = [];
    for (const each of this.#cases) {
      namespace.currentTestId = each.id;
      tests.push(await resultOf(each));
    }
    namespace.currentTestId = undefined;
    return { status: 'complete', tests, mutantCoverage: namespace.mutantCoverage };
  }

  /** @param {{ testFilter?: string[], hitLimit?: number, disableBail: boolean, activeMutant: { id: string } }} options */
  async mutantRun({ testFilter, hitLimit, disableBail, activeMutant }) {
    const namespace = namespaceOf();
    Object.assign(namespace, { activeMutant: activeMutant.id, hitLimit });
    const reaching = testFilter && new Set(testFilter);
    const failed = [];
    let nrOfTests = 0;
    for (const each of this.#cases) {
      if (reaching !== undefined && !reaching.has(each.id)) continue;
      nrOfTests += 1;
      namespace.hitCount = 0;
      const result = await resultOf(each);
      if (result.status === PASSED) continue;
      failed.push(result);
      if (!disableBail || failed.length === MOST_KILLERS) break;
    }
    namespace.activeMutant = undefined;
    const [first] = failed;
    if (first === undefined) return { status: 'survived', nrOfTests };
    const { failureMessage } = first;
    return { status: 'killed', nrOfTests, killedBy: failed.map(({ id }) => id), failureMessage };
  }
}

/** @returns {Record<string, any>} */
function namespaceOf() {
  const found = Reflect.get(globalThis, NAMESPACE) ?? {};
  Reflect.set(globalThis, NAMESPACE, found);
  return found;
}

/** @param {import('./kit-cases.mjs').KitCase} kitCase */
async function resultOf({ id, run }) {
  const start = performance.now();
  const failure = await run().then(
    () => undefined,
    (error) => ({ status: FAILED, failureMessage: String(error) }),
  );
  return { id, name: id, timeSpentMs: performance.now() - start, status: PASSED, ...failure };
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'kit', factory: () => new KitRunner() }];
