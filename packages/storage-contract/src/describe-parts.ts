import type { CoreStorage, SomeParts, StoragePart } from '@countersign/domain/storage';
import { describe, expect, it } from 'vitest';
import { CORE_SUITES } from './all-suites.ts';
import { createLeftOut, type LeftOut, wrongParts } from './left-out.ts';
import type { Suite } from './suite.ts';

/** Longest time of one case. It is generous, because a database on a busy machine may be slow: no case measures speed. */
const TIMEOUT_MS = 60_000;

/** Suites that every storage passes whole, whatever parts it lacks. */
const NEVER_SKIPPED: ReadonlySet<unknown> = new Set(CORE_SUITES);

/** How many cases ran, and how many were skipped because they call a part that is left out. */
export interface PartsTally {
  readonly ran: number;
  readonly skipped: number;
}

/** How each case gets its storage, and the parts that the storage lacks. */
export interface StorageUnderTest<S, Subject> {
  readonly create: () => Promise<S>;
  /** Makes what a case runs on. `leave` puts stand-ins in the place of missing parts. */
  readonly subjectOf: (created: S, leave: LeftOut['leave']) => Subject;
  readonly without: readonly StoragePart[];
}

/**
 * Registers suites with vitest for a storage that lacks parts. A case that calls one of them is skipped, with the name of the part,
 * and counted; all others run. The last test carries the numbers as an annotation.
 *
 * @returns the numbers, which are complete after the last case
 */
export function describeParts<S extends CoreStorage & SomeParts, Subject>(
  name: string,
  suites: readonly Suite<Subject>[],
  { create, subjectOf, without }: StorageUnderTest<S, Subject>,
): PartsTally {
  const tally = { ran: 0, skipped: 0 };
  describe(name, () => {
    it('the storage has every part except those that are left out', async ({ onTestFinished }) => {
      const storage = await create();
      onTestFinished(() => storage.close());
      expect(wrongParts(storage, without)).toEqual([]);
    });
    for (const suite of suites) {
      describe(suite.name, () => {
        for (const { name, run } of suite.cases) {
          it(name, { timeout: TIMEOUT_MS }, async ({ onTestFinished, skip }) => {
            const given = await create();
            onTestFinished(() => given.close());
            const { leave, missed } = createLeftOut(without);
            const failure = await failureOf(() => run(subjectOf(given, leave)));
            const parts = missed().join(', ');
            if (parts === '') {
              tally.ran += 1;
              if (failure !== undefined) throw failure.error;
              return;
            }
            if (NEVER_SKIPPED.has(suite)) throw new Error(`This case must not need a part, and calls ${parts}`);
            tally.skipped += 1;
            skip(`without ${parts}`);
          });
        }
      });
    }
    reportSkipped(tally, without);
  });
  return tally;
}

function reportSkipped(tally: PartsTally, without: readonly StoragePart[]): void {
  if (without.length === 0) return;
  it('the cases that were skipped are counted', async ({ annotate }) => {
    await annotate(`${tally.ran} cases ran, ${tally.skipped} were skipped without ${without.join(', ')}`);
  });
}

async function failureOf(run: () => Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return { error };
  }
}
