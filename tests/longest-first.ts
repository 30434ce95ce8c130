import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take ten seconds and more on a quiet machine, the longest first. Add yours. */
const LONG = [
  'tests/browser/accessibility.test',
  'tests/browser/subject-flows.test',
  'tests/bench/bench.test',
  'tests/packaging/packed.test',
  'packages/storage-postgres/src/faults.test',
  'tests/faults/copy.test',
  'tests/faults/postgres-outages.test',
  'tests/e2e/canary.test',
  'tests/faults/backup.test',
  'packages/storage-postgres/src/postgres-storage.test',
  'tests/e2e/bad-uploads.test',
  'apps/server/src/backup/postgres-restore.test',
  'tests/use-cases/copy-storage.test',
  'packages/evidence/src/intake/evidence-intake.test',
  'tests/browser/accounts.test',
  'tests/faults/kill-9-uploads.test',
  'packages/rate-limit/src/rate-limiters.contract.test',
  'tests/instances/review.test',
  'tests/browser/dashboard-verifications.test',
  'tests/launcher/launcher.test',
  'tests/faults/kill-9.test',
  'tests/faults/rotation.test',
  'tests/e2e/audit-flood.test',
  'tests/instances/refused-start.test',
  'tests/faults/endurance.test',
  'tests/browser/operator.test',
  'tests/faults/kill-9-mixed-load.test',
  'tests/instances/keys.test',
  'tests/e2e/bad-answers.test',
  'tests/faults/damaged-database.test',
  'tests/model/model.test',
  'tests/browser/review-console.test',
  'tests/browser/dashboard-usage.test',
  'apps/server/src/serve/serve-postgres.test',
  'tests/instances/rate-limits.test',
  'tests/upgrade/upgrade.test',
  'tests/browser/review-together.test',
  'tests/instances/sign-in-attempts.test',
  'tests/e2e/refused-start.test',
  'tests/faults/rolling-restart.test',
  'tests/faults/kill-9-expiry.test',
  'tests/browser/dashboard-team.test',
  'packages/accounts/src/sign-in/attempts.test',
  'packages/storage-postgres/src/repositories/webhooks/webhook-plans.test',
  'packages/storage-postgres/src/creation/creations-at-once.test',
  'packages/test-support/servers/real-servers.test',
  'tests/faults/slow-clients.test',
  'tests/e2e/dashboard-isolation.test',
  'tests/architecture/boundaries.test',
  'tests/browser/review.test',
  'tests/faults/webhooks.test',
  'apps/server/src/serve/protocol-errors.test',
  'apps/server/src/serve/serve-refusal.test',
  'packages/accounts/src/staff/staff-contract.test',
  'packages/evidence/src/decoder/draw-pdf.test',
  'packages/rate-limit/src/outages.test',
  'tests/authorisation/matrix.test',
  'tests/browser/dashboard-keys.test',
  'packages/storage-postgres/src/database/open-errors.test',
  'packages/storage-sqlite/src/sqlite-storage.test',
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
