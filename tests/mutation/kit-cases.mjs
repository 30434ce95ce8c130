// The contract kit outside of vitest: its cases, its hand-written mutants, and which cases no mutant proves.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourceAliases } from './sources.mjs';

/** @typedef {{ id: string, suite: string, run: (storage?: unknown) => Promise<void> }} KitCase */

/** A mutant that fails so many cases breaks nearly everything: it proves none of them, and the others are not run. */
export const MOST_KILLERS = 40;

/**
 * Loads the kit and the storage in memory. Called once in a process.
 * @param {string} root the repository, or Stryker's copy of it, with a slash at its end
 */
export async function loadKit(root) {
  const aliases = sourceAliases(root);
  registerHooks({
    resolve(specifier, context, next) {
      const alias = aliases.find(({ find }) => find.test(specifier));
      if (alias === undefined) return next(specifier, context);
      return next(pathToFileURL(specifier.replace(alias.find, alias.replacement)).href, context);
    },
  });
  // Vitest's matchers look there for settings.
  Object.defineProperty(globalThis, '__vitest_worker__', { value: { config: { snapshotOptions: {} } } });

  const from = (/** @type {string} */ path) => import(pathToFileURL(join(root, 'packages', path)).href);
  const { ALL_SUITES } = await from('storage-contract/src/all-suites.ts');
  const { DURABILITY_SUITES } = await from('storage-contract/src/suites/durability.ts');
  const { reopenableMemory } = await from('storage-contract/test-support/mutants/durability.ts');
  const { copiedSuite } = await from('storage-contract/test-support/copied.ts');
  const { ALL_MUTANTS } = await from('storage-contract/test-support/mutants/all-mutants.ts');
  const { createMemoryStorage } = await from('memory/src/index.ts');

  /** @param {any[]} suites @param {() => unknown} create @returns {KitCase[]} */
  const casesOf = (suites, create) =>
    suites.flatMap(({ name: suite, cases }) =>
      cases.map((/** @type {any} */ { name, run }) => ({
        id: `${suite}: ${name}`,
        suite,
        run: async (storage = create()) => run(storage),
      })),
    );
  const storageCases = casesOf(ALL_SUITES, createMemoryStorage);

  return {
    cases: [
      ...storageCases,
      ...casesOf(DURABILITY_SUITES, reopenableMemory),
      ...casesOf([copiedSuite], () => undefined),
    ],
    /**
     * Lists cases that neither a generated mutant proves, which fails not every case of the suite, nor a hand-written one.
     * @param {readonly (readonly string[])[]} killers of each generated mutant
     */
    async unproven(killers) {
      const proven = new Set(provenBy(killers, storageCases));
      for (const { suite, breakIn } of ALL_MUTANTS) {
        for (const { id, run } of storageCases.filter((one) => one.suite === suite.name && !proven.has(one.id))) {
          await run(breakIn(createMemoryStorage())).catch(() => proven.add(id));
        }
      }
      return storageCases.map(({ id }) => id).filter((id) => !proven.has(id));
    },
  };
}

/**
 * @param {readonly (readonly string[])[]} killers
 * @param {readonly KitCase[]} cases
 */
function provenBy(killers, cases) {
  const suites = [...Map.groupBy(cases, ({ suite }) => suite).values()].map((suite) => suite.map(({ id }) => id));
  return killers
    .filter(({ length }) => length < MOST_KILLERS)
    .flatMap((killing) =>
      suites.flatMap((suite) => {
        const failed = suite.filter((id) => killing.includes(id));
        return failed.length < suite.length || suite.length === 1 ? failed : [];
      }),
    );
}
