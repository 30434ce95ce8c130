// Migrates a database for each case, also in processes.
import { until } from '@countersign/test-support/processes/until';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { expect, it, onTestFinished } from 'vitest';
import { MIGRATION_LOCK } from '../../test-support/migrated.ts';
import { run } from '../../test-support/process.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { createPostgresStorage, migratePostgres } from '../postgres-storage.ts';
import { MIGRATIONS } from './migrations.ts';

const NAMES = MIGRATIONS.map(({ name }) => name);

describeWith(['postgres'], 'migrations that others hold, end or have made', () => {
  const server = givenPostgres({ fsync: false, own: true });

  it('several processes that start at once on an empty database: one migrates, and all continue', {
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

  it('a killed holder of the migration lock lets the next process migrate', async () => {
    const url = await server.createDatabase();
    const holder = rawConnection(() => undefined, url);
    await holder`select pg_advisory_lock(${MIGRATION_LOCK})`.catch(() => undefined);
    const others = [migratePostgres({ url }), migratePostgres({ url })];
    const raw = rawConnection(onTestFinished, url);
    await until(async () => (await lockWaiters(raw)).length === 2);

    await raw`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted`;

    expect((await Promise.all(others)).toSorted((a, b) => b.length - a.length)).toEqual([NAMES, []]);
  });

  it('a migration that fails keeps nothing, and succeeds once the cause is removed', async () => {
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

  it('a migration whose connection is killed keeps nothing, and the next process migrates', async () => {
    const url = await server.createDatabase();
    const raw = rawConnection(onTestFinished, url);
    const holder = rawConnection(onTestFinished, url);
    // The migration waits for this transaction when it creates the table, after it created others.
    await holder.unsafe('begin; create table verifications ()');
    const migrating = migratePostgres({ url }).catch((error: unknown) => error);
    const blocked = () => raw`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
    await until(async () => (await blocked()).length === 1);

    await raw`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
    expect(await migrating).toMatchObject({ code: 'unreachable' });
    await holder.unsafe('rollback');

    expect(await raw`select to_regclass('clients') as clients`).toEqual([{ clients: null }]);
    expect(await migratePostgres({ url })).toEqual(NAMES);
  });

  it.each(['created_at = 1795260745645', "hash = 'of another text'"])(
    'a database of a version before 0.2.0 (%s) is refused in one line and not changed',
    async (change) => {
      const url = await server.createDatabase();
      await migratePostgres({ url });
      const raw = rawConnection(onTestFinished, url);
      await raw.unsafe(`update countersign_migrations set ${change} where name = '${NAMES[0]}'`);

      for (const open of [
        () => createPostgresStorage({ url }),
        () => createPostgresStorage({ url, migrate: false }),
        () => migratePostgres({ url }),
      ]) {
        const opening = open();
        await expect(opening).rejects.toMatchObject({ code: 'before_release' });
        await expect(opening).rejects.toThrow(/^[^\n]+cannot be upgraded: use an empty database$/);
      }

      const applied = await raw`select name from countersign_migrations order by name`;
      expect(applied.map(({ name }) => String(name))).toEqual(NAMES);
    },
  );

  it('a schema of a newer version is refused, also by ping', async () => {
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

  it('a newer version that only expanded the schema: this version serves beside it', async () => {
    const url = await server.createDatabase();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    const raw = rawConnection(onTestFinished, url);
    await raw`alter table clients add column note text`;
    await raw`insert into countersign_migrations (created_at, name, hash) values (9999999999999, '0099_expand-notes', '')`;

    await expect(storage.ping()).resolves.toBeUndefined();
    for (const migrate of [true, false]) await (await createPostgresStorage({ url, migrate })).close();
  });
});

function lockWaiters(raw: postgres.Sql): Promise<readonly unknown[]> {
  return raw`select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
}
