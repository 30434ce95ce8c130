import { describe, expect, it } from 'vitest';
import type { Suite } from '../../src/suite.ts';
import type { Mutant } from './mutant.ts';

/**
 * Registers tests that prove suites by their mutants: every mutant fails a case of its suite, and every case fails for
 * a mutant.
 *
 * @param create returns a sound implementation, on which all cases of all suites pass
 * @param options.isGenerated whether generated mutants prove the suites too. `npm run test:mutation -- storage-keyvalue` then fails for a case
 *   that no mutant fails
 */
export function proveSuites<Subject>(
  suites: readonly Suite<Subject>[],
  mutants: readonly Mutant<Subject>[],
  create: () => Subject | Promise<Subject>,
  { isGenerated = false }: { readonly isGenerated?: boolean } = {},
): void {
  const failing = new Map<Mutant<Subject>, Promise<string[]>>();

  async function run({ suite, breakIn }: Mutant<Subject>): Promise<string[]> {
    const failed: string[] = [];
    for (const { name, run } of suite.cases) {
      await run(breakIn(await create())).catch(() => failed.push(name));
      // Further failing cases matter only where hand-written mutants must prove each case.
      if (isGenerated && failed.length > 0) break;
    }
    return failed;
  }

  /** Names of the cases of the mutant's suite that fail on it; only the first if generated mutants prove the suites too. */
  function failingCases(mutant: Mutant<Subject>): Promise<string[]> {
    const known = failing.get(mutant) ?? run(mutant);
    failing.set(mutant, known);
    return known;
  }

  describe.for(suites)('the suite $name', (suite) => {
    const own = mutants.filter((mutant) => mutant.suite === suite);

    it('has mutants', () => {
      expect(own).not.toEqual([]);
    });

    it.for(own)('fails on an implementation that $name', async (mutant) => {
      expect(await failingCases(mutant)).not.toEqual([]);
    });

    if (isGenerated) return;
    it('has no case that passes on every mutant', async () => {
      const noticing = new Set((await Promise.all(own.map(failingCases))).flat());

      expect(suite.cases.map(({ name }) => name).filter((name) => !noticing.has(name))).toEqual([]);
    });
  });
}
