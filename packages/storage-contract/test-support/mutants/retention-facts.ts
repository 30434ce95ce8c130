import { NO_RETENTION_FACTS, type RetentionFacts } from '@countersign/domain/retention';
import { retentionFactsSuite } from '../../src/suites/retention-facts.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, toSeconds, verifications } from './patch.ts';

const { commit } = verifications;

/** A break for each fact: the storage does not keep it. */
const FORGETTING: Readonly<Record<string, Break>> = Object.fromEntries(
  (Object.keys(NO_RETENTION_FACTS) as (keyof RetentionFacts)[])
    // Only the step that removes the data sets the number.
    .filter((fact) => fact !== 'erasureNumber')
    .map((fact) => [
      `does not keep ${fact}`,
      commit.input(({ record }) => ({ record: { ...record, [fact]: null } })),
    ]),
);

export const retentionFactsMutants: readonly Mutant[] = mutantsOf(retentionFactsSuite, {
  ...FORGETTING,
  'keeps seconds': commit.input(({ record }) => ({
    record: { ...record, heldUntil: record.heldUntil && toSeconds(record.heldUntil) },
  })),
  'never removes a fact': commit.override(async ({ next, storage }, change) => {
    const before = await storage.verifications.find(change.record.clientId, change.record.id);
    const heldAt = change.record.heldAt ?? before?.heldAt ?? null;
    return next({ ...change, record: { ...change.record, heldAt } });
  }),
});
