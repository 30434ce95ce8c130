// Cases of the kit on tables in partitions.
import { readFileSync } from 'node:fs';
import { ALL_SUITES } from '@countersign/storage-contract';
import { type EmptiedStorage, emptiedStorage } from '@countersign/test-support/installation/emptied-storage';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createPostgresStorage, migratePostgres } from './postgres-storage.ts';

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
  let server: PostgresServer;
  let url: string;
  let raw: postgres.Sql;
  let emptied: EmptiedStorage;

  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
    url = await server.createDatabase();
    await migratePostgres({ url });
    raw = postgres(url, { max: 1, onnotice: () => undefined });
    await raw.unsafe(partitioning);
    emptied = emptiedStorage(raw, () => createPostgresStorage({ url }));
  });
  afterAll(async () => {
    await emptied.close();
    await raw.end();
    await server.stop();
  });

  describe.each(ALL_SUITES.filter(({ name }) => SUITES.includes(name)))('$name', ({ cases }) => {
    it.each(cases)('$name', async ({ run }) => {
      await run(await emptied.take());
    });
  });
});
