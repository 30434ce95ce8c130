import { readFileSync } from 'node:fs';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawConnection } from '../test-support/raw.ts';
import { migratePostgres } from './postgres-storage.ts';

const partitioning = readFileSync(new URL('../scaling/hash-partitions.sql', import.meta.url), 'utf8');

describeWith(['postgres'], 'tables in partitions by client', () => {
  const server = givenPostgres();
  const ends: (() => Promise<void>)[] = [];
  let raw: postgres.Sql;
  beforeAll(async () => {
    const url = await server.createDatabase();
    await migratePostgres({ url });
    raw = rawConnection((end) => void ends.push(end), url);
    await raw.unsafe(partitioning);
  });
  afterAll(() => Promise.all(ends.map((end) => end())));

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

  it('tables in partitions by client are not created in a database that has clients', async () => {
    await raw`insert into clients values (${crypto.randomUUID()}, 'Acme', now())`;
    await expect(raw.unsafe(partitioning)).rejects.toThrow('this database has clients already');
  });
});
