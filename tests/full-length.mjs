/** The tests that run in full length only; a shorter test covers each of their subjects. */
export const LONG_TESTS = '**/*.long.test.ts';

/**
 * Filters for the tests that have a full length, which `npm run test:long` runs: those that call `extent`, or whose support does.
 * @type {readonly string[]}
 */
export const FULL_LENGTH_TESTS = [
  'tests/model',
  'tests/faults',
  'tests/browser',
  'tests/deploy',
  'tests/e2e/canary',
  'tests/e2e/dashboard-isolation',
  'packages/web/src/dashboard/foreign-ids',
  'packages/accounts/src/staff/model',
  'packages/storage-postgres/src/faults',
  'packages/storage-postgres/src/several-instances',
  'tests/e2e/bad-uploads',
  'tests/e2e/audit-flood',
  'tests/instances/first-start',
  'tests/instances/keys',
  'tests/packaging',
  'tests/upgrade',
  'tests/use-cases/copy-storage',
  '.long.test.ts',
];
