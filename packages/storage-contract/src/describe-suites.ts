import { describe, it } from 'vitest';
import type { Suite } from './suite.ts';

/** For one case. Generous, because a database on a busy machine may be slow: no case measures speed. */
const TIMEOUT_MS = 60_000;

/**
 * Registers suites with vitest, each case as one test.
 *
 * @param name heading of the tests
 * @param create called before each case; returns what the cases run on
 * @param close called with it after each case, passed or failed
 */
export function describeSuites<Subject, Given extends Subject>(
  name: string,
  suites: readonly Suite<Subject>[],
  create: () => Promise<Given>,
  close: (given: Given) => Promise<void>,
): void {
  describe(name, () => {
    for (const suite of suites) {
      describe(suite.name, () => {
        for (const { name, run } of suite.cases) {
          it(name, { timeout: TIMEOUT_MS }, async ({ onTestFinished }) => {
            const given = await create();
            onTestFinished(() => close(given));
            await run(given);
          });
        }
      });
    }
  });
}
