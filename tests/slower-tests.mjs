/**
 * The tests that `npm test` leaves out, because they take five seconds and more: within each group, the longest come first.
 * `npm run test:all` runs them too. A file that is not listed belongs to `npm test`. The first line of each says what takes its time.
 * @type {readonly {
 *   readonly reason: string,
 *   readonly files: readonly (readonly [file: string, standIn: string])[],
 * }[]} a stand-in is a faster test of the same subject, which `npm test` runs
 */
export const SLOWER_TESTS = [
  {
    reason: 'Opens pages in a browser, which takes seconds for each.',
    files: [
      ['tests/browser/camera.test.ts', 'packages/web/src/verify/upload/capture-quality.test.ts'],
      ['tests/browser/accessibility.test.ts', 'packages/web/src/site/site.test.ts'],
      ['tests/browser/subject-layout.test.ts', 'packages/web/src/verify/screens.test.ts'],
      ['tests/browser/design.test.ts', 'packages/web/src/design/design.test.ts'],
      ['tests/browser/way-back.test.ts', 'packages/web/src/staff/links.test.ts'],
      ['tests/browser/reading-walk.test.ts', 'packages/web/src/verify/reading.test.ts'],
      ['tests/browser/review-keyboard.test.ts', 'packages/web/src/review/review-page.test.ts'],
      ['tests/browser/subject-flows.test.ts', 'tests/browser/subject-journey.test.ts'],
      ['tests/browser/appearance.test.ts', 'packages/web/src/verify/appearance.test.ts'],
      ['tests/browser/review-states.test.ts', 'packages/web/src/review/review-page.test.ts'],
      ['tests/browser/review-cockpit.test.ts', 'packages/web/src/review/review-page.test.ts'],
      ['tests/browser/single-sign-on.test.ts', 'packages/accounts/src/single-sign-on/forged-answers.test.ts'],
      ['tests/browser/reading.test.ts', 'packages/web/src/verify/reading.test.ts'],
      ['tests/browser/review-race.test.ts', 'packages/web/src/review/review-actions.test.ts'],
      ['tests/browser/camera-walk.test.ts', 'packages/web/src/verify/upload/upload-page.test.ts'],
      ['tests/browser/users-by-mail.test.ts', 'tests/use-cases/user-mails.test.ts'],
      ['tests/browser/passkeys.test.ts', 'packages/accounts/src/passkeys/passkeys.test.ts'],
      ['tests/browser/accounts.test.ts', 'packages/web/src/account/account.test.ts'],
      ['tests/browser/data-copy.test.ts', 'packages/web/src/verify/data-copy.test.ts'],
      ['tests/browser/camera-lines.test.ts', 'packages/reading/src/browser/finder.test.ts'],
      ['tests/browser/expired.test.ts', 'packages/web/src/verify/states.test.ts'],
      ['tests/browser/dashboard-files.test.ts', 'packages/web/src/dashboard/verifications/files.test.ts'],
      ['tests/browser/dashboard-verifications.test.ts', 'packages/web/src/dashboard/verifications/list.test.ts'],
      ['tests/browser/docs.test.ts', 'packages/web/src/docs/docs.test.ts'],
      ['tests/browser/dashboard-team.test.ts', 'packages/web/src/dashboard/team/team.test.ts'],
      ['tests/browser/dashboard-keys.test.ts', 'packages/web/src/dashboard/keys/keys.test.ts'],
      ['tests/browser/menus.test.ts', 'packages/web/src/staff/links.test.ts'],
      ['tests/browser/retention.test.ts', 'packages/web/src/actions/retention/retention-pages.test.ts'],
      ['tests/browser/test-mode.test.ts', 'packages/web/src/dashboard/test-mode.test.ts'],
      ['tests/browser/review-console.test.ts', 'packages/web/src/review/queue.test.ts'],
      ['tests/browser/dashboard-webhooks.test.ts', 'packages/web/src/dashboard/webhooks/webhooks.test.ts'],
      ['tests/browser/print.test.ts', 'packages/web/src/site/stylesheets.test.ts'],
      ['tests/browser/core-only.test.ts', 'packages/web/src/docs/missing-parts.test.ts'],
      ['tests/browser/dashboard-export.test.ts', 'packages/web/src/dashboard/verifications/export.test.ts'],
      ['tests/browser/forged-form.test.ts', 'packages/web/src/verify/session.test.ts'],
      ['packages/mail/src/mail-page.test.ts', 'packages/mail/src/mail-text.test.ts'],
    ],
  },
  {
    reason: 'Starts servers of earlier versions.',
    files: [
      ['tests/upgrade/other-upgrades.test.ts', 'tests/upgrade/upgrade.test.ts'],
      ['tests/upgrade/while-the-old-serves.test.ts', 'tests/upgrade/upgrade.test.ts'],
      ['tests/upgrade/downgrade.test.ts', 'packages/accounts/src/database/migrations.test.ts'],
      ['tests/upgrade/second-factor.test.ts', 'packages/accounts/src/second-factor/better-auth-values.test.ts'],
      ['tests/upgrade/start-at-once.test.ts', 'tests/upgrade/upgrade.test.ts'],
    ],
  },
  {
    reason: 'Installs, packs or bundles.',
    files: [
      ['tests/packaging/packed.test.ts', 'tests/packaging/serving-dependencies.test.ts'],
      ['tests/packaging/program.test.ts', 'tests/packaging/serving-dependencies.test.ts'],
      ['tests/launcher/migration.test.ts', 'packages/storage-sqlite/src/file/open-database.test.ts'],
      ['tests/launcher/install.test.ts', 'tests/launcher/installs.test.ts'],
      ['tests/launcher/launcher.test.ts', 'tests/launcher/installs.test.ts'],
      ['tests/packaging/prepack.test.ts', 'tests/packaging/serving-dependencies.test.ts'],
      ['tests/packaging/release.test.ts', 'tests/packaging/readme.test.ts'],
      ['tests/bench/bench.test.ts', 'tests/bench/chart.test.ts'],
    ],
  },
  {
    reason: 'Decodes and reads pictures in processes of their own.',
    files: [
      ['packages/evidence/src/intake/evidence-intake.test.ts', 'packages/evidence/src/intake/logo-intake.test.ts'],
      [
        'apps/server/src/document-reader/document-reader.test.ts',
        'apps/server/src/document-reader/program/read-barcode.test.ts',
      ],
      ['packages/reading/src/read-mrz.test.ts', 'packages/reading/src/mrz/parse.test.ts'],
      ['packages/evidence/src/decoder/draw-pdf.test.ts', 'packages/evidence/src/decoder/redraw-picture.test.ts'],
      [
        'apps/server/src/composition/reader-findings.test.ts',
        'apps/server/src/document-reader/program/read-barcode.test.ts',
      ],
    ],
  },
  {
    reason: 'Kills processes, or waits out deadlines, again and again.',
    files: [
      ['tests/faults/rotation.test.ts', 'packages/sealing/src/sealed-storage.contract.test.ts'],
      ['tests/faults/s3-outages.test.ts', 'packages/evidence-s3/src/s3-evidence-store.contract.test.ts'],
      ['tests/faults/kill-9-reader.test.ts', 'tests/use-cases/readings.test.ts'],
      ['tests/faults/backup.test.ts', 'apps/server/src/backup/swap.test.ts'],
      ['tests/faults/kill-9-mail.test.ts', 'tests/use-cases/mails.test.ts'],
      ['tests/faults/kill-9-erasure.test.ts', 'tests/faults/kill-9-mixed-load.test.ts'],
      ['tests/faults/copy.test.ts', 'packages/storage-sqlite/src/transfer/sqlite-transfer.test.ts'],
      ['packages/storage-postgres/src/faults.test.ts', 'tests/faults/postgres-outages.test.ts'],
      ['tests/faults/damaged-database.test.ts', 'packages/storage-sqlite/src/damage.test.ts'],
      ['tests/faults/endurance.test.ts', 'apps/server/src/serve/heap-growth.test.ts'],
      ['tests/faults/kill-9-uploads.test.ts', 'tests/faults/kill-9-mixed-load.test.ts'],
      ['tests/faults/evidence-copy.test.ts', 'apps/server/src/evidence/copy-evidence.test.ts'],
      ['tests/faults/redis-outages.test.ts', 'packages/rate-limit/src/failover-rate-limiter.test.ts'],
      ['tests/faults/postgres-terminated-backends.test.ts', 'tests/faults/postgres-outages.test.ts'],
      ['tests/faults/webhooks.test.ts', 'packages/webhooks/src/webhook-dispatcher.test.ts'],
      ['tests/faults/full-disk.test.ts', 'tests/faults/database-lock.test.ts'],
      ['tests/faults/slow-clients.test.ts', 'apps/server/src/serve/slow-requests.test.ts'],
      ['tests/faults/postgres-failover.test.ts', 'tests/faults/postgres-outages.test.ts'],
      [
        'packages/evidence/src/erasure-log/erasure-log-processes.test.ts',
        'packages/evidence/src/erasure-log/file-erasure-log.test.ts',
      ],
      ['tests/faults/rolling-restart.test.ts', 'apps/server/src/serve/graceful-stop.test.ts'],
      ['packages/rate-limit/src/outages.test.ts', 'packages/rate-limit/src/failover-rate-limiter.test.ts'],
      ['tests/faults/kill-9.test.ts', 'tests/faults/kill-9-mixed-load.test.ts'],
      ['tests/faults/kill-9-expiry.test.ts', 'tests/faults/kill-9-mixed-load.test.ts'],
      ['packages/accounts/src/outages.test.ts', 'tests/faults/postgres-outages.test.ts'],
      [
        'packages/storage-postgres/src/repositories/creation/faults-of-batches.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      ['packages/rate-limit/src/silent-connections.test.ts', 'packages/rate-limit/src/redis-rate-limiter.test.ts'],
      [
        'packages/evidence-s3/src/calls-until.test.ts',
        'packages/evidence-s3/src/s3-evidence-store.contract.test.ts',
      ],
    ],
  },
  {
    reason: 'Compares storages over thousands of commands or mutants.',
    files: [
      ['tests/model/model.test.ts', 'packages/storage-contract/src/storage-contract.test.ts'],
      ['packages/storage-contract/src/mutants.test.ts', 'packages/storage-contract/src/storage-contract.test.ts'],
      ['tests/use-cases/copy-storage.test.ts', 'packages/storage-sqlite/src/transfer/sqlite-transfer.test.ts'],
      ['tests/stores/sqlite-store.test.ts', 'packages/storage-contract/src/storage-contract.test.ts'],
      ['packages/accounts/src/staff/model.test.ts', 'packages/accounts/src/staff/staff-contract.test.ts'],
      ['tests/model/sealed-webhooks.test.ts', 'tests/use-cases/webhooks.test.ts'],
    ],
  },
  {
    reason: 'Starts servers, or the command line, for each case.',
    files: [
      ['tests/e2e/erasure-canary-postgres.test.ts', 'tests/e2e/erasure-canary.test.ts'],
      ['tests/e2e/traces.test.ts', 'apps/server/src/logging/log.test.ts'],
      ['tests/e2e/bad-uploads.test.ts', 'packages/web/src/verify/bad-input.test.ts'],
      ['tests/deploy/haproxy.test.ts', 'tests/deploy/without-bucket.test.ts'],
      ['apps/server/src/backup/backup.test.ts', 'apps/server/src/backup/swap.test.ts'],
      ['tests/e2e/canary.test.ts', 'tests/e2e/erasure-canary.test.ts'],
      ['apps/server/src/backup/postgres-restore.test.ts', 'apps/server/src/backup/postgres-tools.test.ts'],
      ['tests/deploy/caddy.test.ts', 'tests/deploy/without-bucket.test.ts'],
      ['tests/deploy/image.test.ts', 'tests/deploy/without-bucket.test.ts'],
      ['tests/deploy/nginx.test.ts', 'tests/deploy/without-bucket.test.ts'],
      [
        'apps/server/src/commands/doctor-counts.test.ts',
        'apps/server/src/composition/verification-findings.test.ts',
      ],
      ['tests/e2e/erasure-canary-many.test.ts', 'tests/e2e/erasure-canary.test.ts'],
      ['tests/e2e/simultaneous-downloads.test.ts', 'packages/web/src/exports/download-page.test.ts'],
      ['tests/e2e/openapi.test.ts', 'packages/http/src/openapi/document.test.ts'],
      ['apps/server/src/serve/serve-postgres.test.ts', 'apps/server/src/serve/check-database.test.ts'],
      ['apps/server/src/commands/doctor.test.ts', 'apps/server/src/composition/server-findings.test.ts'],
      ['tests/e2e/dashboard-isolation.test.ts', 'packages/web/src/dashboard/foreign-ids.test.ts'],
      [
        'apps/server/src/commands/doctor-sealing.test.ts',
        'apps/server/src/composition/unreadable-verification.test.ts',
      ],
      ['apps/server/src/commands/index-commands.test.ts', 'tests/use-cases/index-rebuild.test.ts'],
      ['apps/server/src/commands/postgres-commands.test.ts', 'apps/server/src/commands/key-commands.test.ts'],
      ['tests/instances/review.test.ts', 'tests/use-cases/review.test.ts'],
      ['apps/server/src/serve/serve-refusal.test.ts', 'tests/e2e/refused-start.test.ts'],
      ['tests/instances/refused-start.test.ts', 'tests/e2e/refused-start.test.ts'],
      ['tests/instances/first-start.test.ts', 'tests/e2e/first-start.test.ts'],
      ['tests/instances/keys.test.ts', 'tests/use-cases/keys-and-clients.test.ts'],
      ['tests/instances/server-role.test.ts', 'packages/storage-postgres/src/postgres-storage.test.ts'],
      ['tests/e2e/audit-flood.test.ts', 'tests/use-cases/audit-log.test.ts'],
      ['tests/instances/rate-limits.test.ts', 'packages/rate-limit/src/rate-limiters.contract.test.ts'],
      ['apps/server/src/commands/audit-commands.test.ts', 'tests/use-cases/audit-log.test.ts'],
      ['apps/server/src/serve/serve-first-start.test.ts', 'tests/e2e/first-start.test.ts'],
      ['apps/server/src/backup/bucket-backup.test.ts', 'apps/server/src/evidence/copy-evidence.test.ts'],
      [
        'apps/server/src/commands/verification-commands.test.ts',
        'tests/use-cases/dashboard-verifications.test.ts',
      ],
      ['apps/server/src/backup/postgres-backup.test.ts', 'apps/server/src/backup/postgres-tools.test.ts'],
      ['tests/e2e/restored-copies.test.ts', 'apps/server/src/composition/apply-erasures.test.ts'],
      ['tests/instances/sign-in-attempts.test.ts', 'packages/accounts/src/sign-in/attempts.test.ts'],
      ['tests/instances/creation.test.ts', 'tests/use-cases/create-verification.test.ts'],
      [
        'apps/server/src/commands/copy-command.test.ts',
        'packages/storage-sqlite/src/transfer/sqlite-transfer.test.ts',
      ],
      ['apps/server/src/serve/serve-stop.test.ts', 'apps/server/src/serve/graceful-stop.test.ts'],
      ['tests/e2e/stop.test.ts', 'apps/server/src/serve/graceful-stop.test.ts'],
      [
        'packages/test-support/servers/real-servers.test.ts',
        'packages/test-support/servers/small-program.test.ts',
      ],
      ['apps/server/src/commands/client-commands.test.ts', 'tests/use-cases/keys-and-clients.test.ts'],
      ['apps/server/src/commands/user-commands.test.ts', 'packages/accounts/src/staff/staff-contract.test.ts'],
      ['tests/e2e/retention-job.test.ts', 'tests/use-cases/retention-job.test.ts'],
      ['tests/instances/essentials.test.ts', 'tests/instances/audit-log.test.ts'],
      ['tests/instances/pgbouncer.test.ts', 'packages/accounts/src/through-a-pooler.test.ts'],
      ['tests/e2e/lost-erasure-log.test.ts', 'apps/server/src/composition/erasure-log-findings.test.ts'],
      ['apps/server/src/serve/protocol-errors.test.ts', 'apps/server/src/serve/server-responses.test.ts'],
      ['tests/e2e/docs-samples.test.ts', 'packages/web/src/docs/samples.test.ts'],
      ['tests/instances/expiry.test.ts', 'tests/use-cases/keys-and-clients.test.ts'],
      ['tests/e2e/abandoned-export.test.ts', 'packages/web/src/dashboard/verifications/export-sockets.test.ts'],
      ['apps/server/src/commands/keys-postgres.test.ts', 'packages/sealing/src/sealed-storage.contract.test.ts'],
      ['apps/server/src/commands/installation-commands.test.ts', 'apps/server/src/commands/key-commands.test.ts'],
      ['tests/e2e/moved-webhooks.test.ts', 'tests/e2e/webhooks.test.ts'],
      ['apps/server/src/commands/command-line.test.ts', 'apps/server/src/commands/key-commands.test.ts'],
      ['apps/server/src/commands/doctor-faults.test.ts', 'apps/server/src/composition/server-findings.test.ts'],
      ['tests/instances/sandbox.test.ts', 'tests/use-cases/sandbox.test.ts'],
      ['tests/e2e/data-copy.test.ts', 'packages/web/src/verify/data-copy.test.ts'],
      [
        'apps/server/src/composition/sealed-service.test.ts',
        'packages/sealing/src/sealed-storage.contract.test.ts',
      ],
      ['tests/e2e/keys.test.ts', 'tests/use-cases/keys-and-clients.test.ts'],
      ['apps/server/src/commands/keys-commands.test.ts', 'packages/sealing/src/sealed-storage.contract.test.ts'],
      ['tests/e2e/docs.test.ts', 'packages/web/src/docs/docs.test.ts'],
      ['tests/e2e/key-networks.test.ts', 'tests/use-cases/keys-and-clients.test.ts'],
      ['apps/server/src/commands/doctor-settings.test.ts', 'apps/server/src/composition/server-findings.test.ts'],
    ],
  },
  {
    reason: 'Fills databases and files, to see what their planners and their free space do.',
    files: [
      [
        'packages/storage-postgres/src/never-analyzed.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-sqlite/src/file/migrations.test.ts',
        'packages/storage-sqlite/src/sqlite-storage.test.ts',
      ],
      [
        'packages/storage-sqlite/src/file/erased-space.test.ts',
        'packages/storage-sqlite/src/file/erased-space-refused.test.ts',
      ],
      [
        'packages/storage-postgres/src/repositories/verification-lists.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/verification-counts.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/repositories/replanned-lists.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/unnamed-statements.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/hash-partitions.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/repositories/webhooks/webhook-plans.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/database/migrations.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-sqlite/src/repositories/verification-lists.test.ts',
        'packages/storage-sqlite/src/sqlite-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/database/erased-statistics.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-sqlite/src/reader/reader-thread.test.ts',
        'packages/storage-sqlite/src/connection/group-commit.test.ts',
      ],
      [
        'packages/storage-sqlite/src/repositories/verification-browse.test.ts',
        'packages/storage-sqlite/src/sqlite-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/repositories/creation/creations-at-once.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/repositories/retention/retention-plans.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      ['packages/storage-sqlite/src/file/backup.test.ts', 'packages/storage-sqlite/src/file/integrity.test.ts'],
      [
        'packages/storage-postgres/src/query-plans.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/database/open-errors.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/evidence/src/store/file-evidence-store.test.ts',
        'packages/evidence/src/store/file-evidence-store.contract.test.ts',
      ],
      ['packages/storage-postgres/src/browsing.test.ts', 'packages/storage-postgres/src/postgres-storage.test.ts'],
      [
        'packages/evidence-s3/src/s3-evidence-store.test.ts',
        'packages/evidence-s3/src/s3-evidence-store.contract.test.ts',
      ],
      [
        'packages/storage-sqlite/src/file/refused-files.test.ts',
        'packages/storage-sqlite/src/file/open-database.test.ts',
      ],
      [
        'packages/storage-postgres/src/repositories/webhooks/many-workers.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      ['packages/storage-postgres/src/corrupt-rows.test.ts', 'packages/storage-sqlite/src/corrupt-rows.test.ts'],
      ['packages/storage-sqlite/src/query-plans.test.ts', 'packages/storage-sqlite/src/export-plans.test.ts'],
      [
        'packages/storage-sqlite/src/file/serving.test.ts',
        'packages/storage-sqlite/src/file/open-database.test.ts',
      ],
      [
        'packages/storage-postgres/src/several-instances.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
      [
        'packages/storage-postgres/src/repositories/retention/erasing.test.ts',
        'packages/storage-postgres/src/postgres-storage.test.ts',
      ],
    ],
  },
];

/**
 * The tests with the same cases on several databases. `npm test` runs them on one or two, and `npm run test:rest` on the others.
 * @type {readonly string[]}
 */
export const ON_SEVERAL_DATABASES = [
  'packages/accounts/src/passkeys/passkeys.test.ts',
  'packages/accounts/src/second-factor/better-auth-values.test.ts',
  'packages/accounts/src/second-factor/second-factors.test.ts',
  'packages/accounts/src/sessions/sessions.test.ts',
  'packages/accounts/src/sign-in/attempts.test.ts',
  'packages/accounts/src/sign-in/confirm-identity.test.ts',
  'packages/accounts/src/sign-in/mailed-links.test.ts',
  'packages/accounts/src/sign-in/second-factor.test.ts',
  'packages/accounts/src/sign-in/sign-in.test.ts',
  'packages/accounts/src/staff/identities.test.ts',
  'packages/accounts/src/staff/invitations.test.ts',
  'packages/accounts/src/staff/leaving.test.ts',
  'packages/accounts/src/staff/manage-staff.test.ts',
  'packages/accounts/src/staff/recipients.test.ts',
  'packages/accounts/src/staff/staff-contract.test.ts',
  'tests/use-cases/planted-reuse.test.ts',
  'tests/use-cases/replaced-uploads.test.ts',
];

/** @returns {string[]} the paths of the tests that `npm test` leaves out, each group's longest first */
export const slowerFiles = () => SLOWER_TESTS.flatMap(({ files }) => files.map(([file]) => file));

/** @returns {string[]} the paths of the tests that `npm run test:rest` runs */
export const filesOfRest = () => [...slowerFiles(), ...ON_SEVERAL_DATABASES];
