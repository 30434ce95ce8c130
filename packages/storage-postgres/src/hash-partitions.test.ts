// Cases of the kit on tables in partitions.
import { readFileSync } from 'node:fs';
import { ALL_SUITES } from '@countersign/storage-contract';
import { DELETE_ALL } from '@countersign/test-support/installation/delete-all';
import { type EmptiedStorage, emptiedStorage } from '@countersign/test-support/installation/emptied-storage';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('tables in partitions by client are eight for each table, and constraints have their names', async () => {
    const partitions = await raw`select inhrelid::regclass::text as name from pg_inherits
      join pg_class on pg_class.oid = inhparent where relname = 'verifications' order by 1`;
    expect(partitions.map(({ name }) => String(name))).toEqual(
      Array.from({ length: 8 }, (_, number) => `verifications_${number}`),
    );
    const indexes = await raw`select indexrelid::regclass::text as name from pg_index
      where indrelid = 'verifications_3'::regclass and indisunique order by 1`;
    expect(indexes.map(({ name }) => String(name))).toEqual([
      'verifications_idempotency_key_3',
      'verifications_one_active_3',
      'verifications_pk_3',
    ]);
  });

  it('tables in partitions by client do not split the audit log, whose entries stay unchangeable', async () => {
    const [log] = await raw`select relkind from pg_class where oid = 'audit_entries'::regclass`;
    expect(log).toEqual({ relkind: 'r' });
    await expect(raw`delete from audit_entries`).rejects.toMatchObject({ code: '23001' });
  });

  describe.each(ALL_SUITES.filter(({ name }) => SUITES.includes(name)))('$name', ({ cases }) => {
    it.each(cases)('$name', async ({ run }) => {
      await run(await emptied.take());
    });
  });

  it('tables in partitions by client are not created in a database that has clients', async () => {
    await raw.unsafe(DELETE_ALL);
    await raw`insert into clients values (${crypto.randomUUID()}, 'Acme', now())`;
    await expect(raw.unsafe(partitioning)).rejects.toThrow('this database has clients already');
  });
});
