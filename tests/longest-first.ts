import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take ten seconds and more on a quiet machine, the longest first. Add yours. */
const LONG = [
  'tests/browser/accessibility.test',
  'tests/faults/backup.test',
  'tests/e2e/simultaneous-downloads.test',
  'tests/e2e/erasure-canary-postgres.test',
  'tests/bench/bench.test',
  'tests/e2e/canary.test',
  'tests/browser/subject-flows.test',
  'packages/storage-postgres/src/faults.test',
  'packages/evidence/src/intake/evidence-intake.test',
  'tests/use-cases/copy-storage.test',
  'tests/packaging/packed.test',
  'tests/browser/face.test',
  'tests/e2e/dashboard-isolation.test',
  'tests/upgrade/while-the-old-serves.test',
  'tests/deploy/nginx.test',
  'tests/packaging/program.test',
  'tests/deploy/image.test',
  'tests/e2e/traces.test',
  'tests/browser/dashboard-files.test',
  'tests/browser/single-sign-on.test',
  'tests/browser/passkeys.test',
  'tests/browser/users-by-mail.test',
  'tests/faults/postgres-failover.test',
  'tests/faults/kill-9-erasure.test',
  'tests/faults/kill-9-uploads.test',
  'tests/faults/s3-outages.test',
  'tests/faults/copy.test',
  'tests/faults/postgres-outages.test',
  'tests/e2e/erasure-canary.test',
  'tests/instances/review.test',
  'tests/launcher/launcher.test',
  'tests/faults/rotation.test',
  'tests/browser/accounts.test',
  'apps/server/src/backup/postgres-restore.test',
  'packages/storage-postgres/src/postgres-storage.test',
  'tests/faults/kill-9-mixed-load.test',
  'tests/model/model.test',
  'packages/accounts/src/staff/staff-contract.test',
  'tests/browser/operator.test',
  'tests/browser/dashboard-verifications.test',
  'tests/upgrade/upgrade.test',
  'tests/e2e/bad-uploads.test',
  'tests/faults/damaged-database.test',
  'packages/rate-limit/src/rate-limiters.contract.test',
  'tests/e2e/moved-webhooks.test',
  'apps/server/src/serve/serve-postgres.test',
  'tests/e2e/erasure-canary-many.test',
  'tests/faults/kill-9.test',
  'tests/e2e/abandoned-export.test',
  'tests/e2e/lost-erasure-log.test',
  'apps/server/src/backup/backup.test',
  'packages/accounts/src/sign-in/second-factor.test',
  'packages/storage-postgres/src/never-analyzed.test',
  'tests/faults/kill-9-expiry.test',
  'packages/accounts/src/sign-in/attempts.test',
  'tests/e2e/audit-flood.test',
  'apps/server/src/serve/serve-refusal.test',
  'tests/browser/review-console.test',
  'tests/instances/sign-in-attempts.test',
  'packages/evidence/src/decoder/draw-pdf.test',
  'packages/storage-postgres/src/repositories/creation/creations-at-once.test',
  'tests/browser/forged-form.test',
  'packages/storage-postgres/src/repositories/webhooks/webhook-plans.test',
  'tests/faults/rolling-restart.test',
  'packages/test-support/servers/real-servers.test',
  'tests/faults/webhooks.test',
  'tests/faults/kill-9-mail.test',
  'packages/storage-sqlite/src/file/erased-space.test',
  'tests/e2e/data-copy.test',
  'tests/browser/review.test',
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
