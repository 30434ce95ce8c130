import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slowerFiles } from './slower-tests.mjs';

/** Files of `npm test` that take ten seconds or more on a quiet machine, the longest first. Add yours. */
export const LONGEST = [
  'tests/upgrade/upgrade.test.ts',
  'tests/authorisation/matrix.test.ts',
  'tests/browser/subject-journey.test.ts',
  'packages/accounts/src/staff/staff-contract.test.ts',
  'tests/e2e/erasure-canary.test.ts',
  'packages/storage-postgres/src/postgres-storage.test.ts',
  'packages/storage-sqlite/src/sqlite-storage.test.ts',
  'packages/accounts/src/sign-in/attempts.test.ts',
  'tests/faults/postgres-outages.test.ts',
  'packages/accounts/src/passkeys/passkeys.test.ts',
  'tests/faults/kill-9-mixed-load.test.ts',
  'packages/accounts/src/single-sign-on/forged-answers.test.ts',
  'tests/browser/review.test.ts',
  'tests/browser/operator.test.ts',
  'packages/rate-limit/src/rate-limiters.contract.test.ts',
  'tests/use-cases/planted-reuse.test.ts',
  'packages/storage-contract/src/storage-contract.test.ts',
  'packages/accounts/src/sign-in/mailed-links.test.ts',
  'packages/accounts/src/sign-in/second-factor.test.ts',
  'packages/web/src/verify/bad-input.test.ts',
  'packages/web/src/verify/states.test.ts',
  'tests/architecture/language.test.ts',
  'tests/architecture/texts.test.ts',
  'packages/web/src/verify/flow.test.ts',
  'tests/browser/first-hour.test.ts',
  'packages/evidence-s3/src/s3-evidence-store.contract.test.ts',
  'tests/faults/database-lock.test.ts',
  'packages/webhooks/src/webhook-dispatcher.test.ts',
  'packages/sealing/src/sealed-storage.contract.test.ts',
  'packages/web/src/site/messages.test.ts',
  'packages/web/src/dashboard/foreign-ids.test.ts',
];
const ORDER = [...slowerFiles(), ...LONGEST];

/**
 * Within each project the long files come first, on an empty cache too, where vitest would go by the size of a file: one
 * that is begun last keeps a single core busy while the others have nothing left to do.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const places = new Map(
      sorted.map((file) => [file, projects.indexOf(file.project.name) * 1_000 + placeOf(file)]),
    );
    return sorted.sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = ORDER.findIndex((path) => moduleId.endsWith(`/${path}`));
  return place === -1 ? ORDER.length : place;
}
