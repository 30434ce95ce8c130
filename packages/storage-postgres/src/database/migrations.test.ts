import { readFileSync } from 'node:fs';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { run } from '../../test-support/process.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { until } from '../../test-support/until.ts';
import { createPostgresStorage, migratePostgres } from '../postgres-storage.ts';
import * as schema from '../schema/index.ts';
import { MIGRATIONS } from './migrations.ts';

const NAMES = MIGRATIONS.map(({ name }) => name);

it('the schema has nothing that the migrations lack', async () => {
  const last = MIGRATIONS.at(-1)?.name.slice(0, 4);
  const path = new URL(`../../migrations/meta/${last}_snapshot.json`, import.meta.url);
  const snapshot = JSON.parse(readFileSync(path, 'utf8'));

  const missing = await generateMigration(snapshot, generateDrizzleJson(schema, snapshot.id));

  expect(missing).toEqual([]);
});

describeWith(['postgres'], 'migrations', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ fsync: false, own: true });
  });
  afterAll(() => server.stop());

  it('one after the other make the database that the schema describes', async () => {
    const [migrated, described] = [await server.createDatabase(), await server.createDatabase()];
    expect(await migratePostgres({ url: migrated })).toEqual(NAMES);
    expect(await migratePostgres({ url: migrated })).toEqual([]);
    const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema));
    await rawConnection(onTestFinished, described).unsafe(statements.join(';\n'));

    const [structure, wanted] = [await structureOf(migrated), await structureOf(described)];

    expect(structure).toEqual(wanted);
    expect(structure.length).toBeGreaterThan(60);
  });

  it('every key begins with the client, so that the tables can be distributed by it', async () => {
    const url = await server.createDatabase();
    await migratePostgres({ url });

    const rows = await rawConnection(onTestFinished, url)`
      select indexdef from pg_indexes where schemaname = 'public' and tablename <> 'countersign_migrations'
        and indexdef like 'CREATE UNIQUE%' and indexname <> 'clients_pk' and indexdef not like '%(client_id%' and tablename <> 'audit_entries'`;

    // Here the hash leads, since nothing else is known of a request. (The audit log is one chain, of no client.)
    expect(rows.map(({ indexdef }) => String(indexdef))).toEqual([expect.stringContaining('(hash, client_id)')]);
  });

  it('of several processes that start at once on an empty database, one migrates and all go on', {
    timeout: 60_000,
  }, async () => {
    const url = await server.createDatabase();
    const program = `
      import { createPostgresStorage } from './src/index.ts';
      const storage = await createPostgresStorage({ url: process.argv[1] });
      await storage.ping();
      await storage.close();
    `;

    const runs = await Promise.all([1, 2, 3, 4, 5].map(() => run(onTestFinished, program, [url]).ended));

    for (const ended of runs) expect(ended).toEqual({ code: 0, output: '', errors: '' });
    const applied = await rawConnection(onTestFinished, url)`select name from countersign_migrations`;
    expect(applied.map(({ name }) => String(name))).toEqual(NAMES);
  });

  it('if the one that migrates is killed, the next one goes on', async () => {
    const url = await server.createDatabase();
    const holder = rawConnection(() => undefined, url);
    await holder`select pg_advisory_lock(${LOCK})`.catch(() => undefined);
    const others = [migratePostgres({ url }), migratePostgres({ url })];
    const raw = rawConnection(onTestFinished, url);
    await until(async () => (await lockWaiters(raw)).length === 2);

    await raw`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted`;

    expect((await Promise.all(others)).toSorted((a, b) => b.length - a.length)).toEqual([NAMES, []]);
  });

  it('nobody waits for ever for another that migrates', async () => {
    const url = await server.createDatabase();
    await rawConnection(onTestFinished, url)`select pg_advisory_lock(${LOCK})`;

    await expect(migratePostgres({ url, lockWaitMs: 50 })).rejects.toMatchObject({ code: 'locked' });
  });

  it('a migration that fails is undone as a whole', async () => {
    const url = await server.createDatabase();
    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe('create table verifications ()');

    const migrating = migratePostgres({ url });

    await expect(migrating).rejects.toMatchObject({ code: 'migration_failed' });
    await expect(migrating).rejects.toThrow(/^The migration 0000_initial-schema failed, .*verifications/);
    const [row] = await raw`select to_regclass('clients') as clients`;
    expect(row).toEqual({ clients: null });
    await raw.unsafe('drop table verifications');
    expect(await migratePostgres({ url })).toEqual(NAMES);
  });

  it('without migrating, an outdated schema is refused and left as it is', async () => {
    const url = await server.createDatabase();

    await expect(createPostgresStorage({ url, migrate: false })).rejects.toMatchObject({ code: 'outdated' });

    expect(await rawConnection(onTestFinished, url)`select 1 from pg_tables where schemaname = 'public'`).toEqual(
      [],
    );
  });

  it('a schema from a later version is refused always, and ping tells when it becomes one', async () => {
    const url = await server.createDatabase();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    await storage.ping();
    const raw = rawConnection(onTestFinished, url);
    await raw`insert into countersign_migrations (created_at, name, hash) values (9999999999999, 'later', '')`;

    await expect(storage.ping()).rejects.toThrow('not the one of this version');
    for (const migrate of [true, false]) {
      await expect(createPostgresStorage({ url, migrate })).rejects.toMatchObject({ code: 'newer_version' });
    }
  });
});

const LOCK = '7165064744911533417';

function lockWaiters(raw: postgres.Sql): Promise<readonly unknown[]> {
  return raw`select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
}

/** Columns, constraints and indexes, as Postgres sees them. */
async function structureOf(url: string): Promise<string[]> {
  const rows = await rawConnection(onTestFinished, url)`
    select concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, datetime_precision) as line
    from information_schema.columns where table_schema = 'public' and table_name <> 'countersign_migrations'
    union all
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace and conrelid <> coalesce(to_regclass('countersign_migrations'), 0::oid)
      and contype <> 'n'
    union all
    select indexdef from pg_indexes where schemaname = 'public' and tablename <> 'countersign_migrations'
    order by 1`;
  return rows.map(({ line }) => String(line));
}
