// Cases of the kit on tables in partitions.
import { readFileSync } from 'node:fs';
import { ALL_SUITES } from '@countersign/storage-contract';
import { givenPostgresStorage } from '@countersign/test-support/installation/given-storages';
import { describeWith } from '@countersign/test-support/servers';
import { describe, it } from 'vitest';

const partitioning = readFileSync(new URL('../scaling/hash-partitions.sql', import.meta.url), 'utf8');

/**
 * The suites whose outcome depends on constraints. The whole kit passes too (docs/operations.md), but takes a minute.
 */
const SUITES = [
  'duplicates',
  'quota',
  'idempotency keys',
  'key cap',
  'concurrent audit',
  'concurrent webhook endpoints',
  'concurrent fan-out',
  'concurrent leases of endpoints',
  'erasure',
  'concurrent erasure',
  'retention policies',
  'export requests',
  'export codes',
  'export lists',
  'hand-over codes',
  'uses of hand-over codes',
  'readings',
  'erased readings',
  'index keys',
  'index labels',
  'verifications to label again',
  'erased labels',
];

describeWith(['postgres'], 'tables in partitions by client', () => {
  const take = givenPostgresStorage({ prepare: partitioning });

  describe.each(ALL_SUITES.filter(({ name }) => SUITES.includes(name)))('$name', ({ cases }) => {
    it.each(cases)('$name', async ({ run }) => run(await take()));
  });
});
