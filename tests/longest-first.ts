import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take ten seconds and more on a quiet machine, the longest first. Add yours. */
const LONG = [
  'tests/browser/accessibility',
  'tests/browser/subject-flows',
  'tests/packaging/packed',
  'tests/browser/dashboard-verifications',
  'tests/browser/accounts',
  'tests/bench/bench',
  'tests/e2e/bad-uploads',
  'tests/faults/postgres-outages',
  'tests/model/model',
  'tests/faults/rolling-restart',
  'tests/faults/backup',
  'tests/faults/kill-9-mixed-load',
  'tests/faults/endurance',
  'tests/faults/copy',
  'tests/use-cases/copy-storage',
  'tests/browser/operator',
  'tests/instances/review',
  'tests/instances/first-start',
  'tests/faults/slow-clients',
  'tests/faults/kill-9',
  'tests/faults/webhooks',
  'tests/faults/rotation',
  'packages/test-support/servers/real-servers',
  'packages/storage-postgres/src/postgres-storage',
  'packages/storage-postgres/src/faults',
  'packages/accounts/src/staff/staff-contract',
  'packages/evidence/src/intake/evidence-intake',
  'packages/rate-limit/src/rate-limiters.contract',
  'apps/server/src/serve/serve-postgres',
  'apps/server/src/serve/protocol-errors',
  'apps/server/src/serve/serve-refusal',
  'packages/rate-limit/src/outages',
  'packages/accounts/src/sign-in/second-factor',
  'packages/storage-postgres/src/database',
  'packages/storage-sqlite/src/sqlite-storage',
  'packages/storage-sqlite/src/file/migrations',
  'packages/storage-sqlite/src/file/refused-files',
  'packages/storage-contract/src/mutants',
  'packages/web/src/verify/flow',
];

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
  const place = LONG.findIndex((path) => moduleId.includes(`/${path}`));
  return place === -1 ? LONG.length : place;
}
