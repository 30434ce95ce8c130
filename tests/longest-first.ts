import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a quarter of a minute and more, the longest first. Whoever writes another one adds it. */
const LONG = [
  'tests/browser/accessibility',
  'tests/browser/subject-flows',
  'tests/faults/copy',
  'tests/e2e/bad-uploads',
  'tests/browser/accounts',
  'tests/packaging/packed',
  'tests/faults/postgres-outages',
  'tests/faults/rotation',
  'tests/instances/',
  'tests/bench/bench',
  'packages/storage-postgres/src/postgres-storage',
  'packages/accounts/src/database/migrations',
  'packages/accounts/src/staff/team',
  'packages/storage-postgres/src/faults',
  'packages/rate-limit/src/every-rate-limiter',
  'packages/rate-limit/src/outages',
  'apps/server/src/serve/serve-postgres',
  'apps/server/src/serve/serve-refusal',
  'packages/evidence/src/intake/evidence-intake',
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
