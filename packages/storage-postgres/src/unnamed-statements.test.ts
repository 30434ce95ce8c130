// Suites of the kit on a real Postgres, as behind a pooler that keeps no statements.
import { ALL_SUITES } from '@countersign/storage-contract';
import { givenPostgresStorage } from '@countersign/test-support/installation/given-storages';
import { describeWith } from '@countersign/test-support/servers';
import { describe, it } from 'vitest';

/** The driver handles statements without names differently. These suites have statements of every kind. */
const SUITES = [
  'journeys',
  'atomicity',
  'key cap',
  'browse',
  'concurrent audit',
  'webhook endpoints',
  'fan-out',
  'leases of endpoints',
  'due deliveries',
  'settlements',
  'webhook log',
  'webhook backlog',
  'webhook secrets',
  'retained verifications',
  'schedules of retention',
  'rechecks',
  'changes of retention',
  'erasure',
  'finished erasures',
  'receipts of erasures',
  'retention policies',
  'retention runs',
  'export requests',
  'export codes',
  'export lists',
];

describeWith(['postgres'], 'without named statements', () => {
  const take = givenPostgresStorage({ namedStatements: false });

  describe.each(ALL_SUITES.filter(({ name }) => SUITES.includes(name)))('$name', ({ cases }) => {
    it.each(cases)('$name', async ({ run }) => run(await take()));
  });
});
