import { createMemoryStorage } from '@countersign/memory';
import { describe, expect, it } from 'vitest';
import { ALL_SUITES } from '../all-suites.ts';
import { ALL_MUTANTS } from './all-mutants.ts';
import type { Mutant } from './mutant.ts';

const noticed = new Map<Mutant, Promise<string[]>>();

/** Names of the cases of the mutant's suite that fail on it. On the unbroken storage all cases of all suites pass. */
function casesThatNotice(mutant: Mutant): Promise<string[]> {
  const known = noticed.get(mutant) ?? runOn(mutant);
  noticed.set(mutant, known);
  return known;
}

async function runOn({ suite, breakIn }: Mutant): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of suite.cases) {
    await run(breakIn(createMemoryStorage())).catch(() => failed.push(name));
  }
  return failed;
}

describe.for(ALL_SUITES)('the suite $name', (suite) => {
  const mutants = ALL_MUTANTS.filter((mutant) => mutant.suite === suite);

  it('has mutants', () => {
    expect(mutants).not.toEqual([]);
  });

  it.for(mutants)('notices a storage that $name', async (mutant) => {
    expect(await casesThatNotice(mutant)).not.toEqual([]);
  });

  it('has no case that never notices anything', async () => {
    const noticing = new Set((await Promise.all(mutants.map(casesThatNotice))).flat());

    expect(suite.cases.map(({ name }) => name).filter((name) => !noticing.has(name))).toEqual([]);
  });
});
