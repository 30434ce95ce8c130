// Several servers start on one empty database at the same time.
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createApiClient, newSubject } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import { start } from '@countersign/test-support/processes/child-process';
import { countersignHere, runCountersignHere } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { PROGRAM, type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** So many start at once. */
const COUNT = extent({ full: 5, short: 3 });

describeWith(['postgres'], 'instances that start concurrently on an empty database', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
  });
  afterAll(() => postgres.stop());

  it(`${COUNT} instances: migrations are applied once, all are ready, and one prints a key`, async () => {
    const url = await postgres.createDatabase();

    const instances = await withDatabase(url, async (sql) => {
      // Holds the lock until all of them wait for it, which is when two could migrate.
      await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
      const starting = Promise.all(
        Array.from({ length: COUNT }, () => startServer({ env: { DATABASE_URL: url } })),
      );
      await until(async () => (await lockOf(sql)).waiting === COUNT);
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`;
      return await starting;
    });

    await expectOneService(url, instances);
  });

  it(`${COUNT} instances that find no client: one creates the demo client`, async () => {
    const url = await postgres.createDatabase();
    expect((await runCountersignHere(['migrate'], { DATABASE_URL: url })).code).toBe(0);

    const instances = await withDatabase(url, async (sql) => {
      await sql`begin`;
      // Blocks writes but not reads until all of them are about to create the demo client.
      await sql`lock table clients in share mode`;
      const starting = Promise.all(
        Array.from({ length: COUNT }, () => startServer({ env: { DATABASE_URL: url } })),
      );
      await until(async () => {
        const [waiting] = await sql`
          select count(*)::integer as count from pg_locks where not granted and relation = 'clients'::regclass`;
        return waiting?.count === COUNT;
      });
      await sql`rollback`;
      return await starting;
    });

    await expectOneService(url, instances);
  });

  it(`${COUNT} instances, and the migrating one is killed: another applies the migrations`, async () => {
    const url = await postgres.createDatabase();
    const env = { DATABASE_URL: url };

    const instances = await withDatabase(url, async (sql) => {
      // Without this, a backend that waits for a lock does not notice that its client is gone.
      await sql.unsafe(
        `alter database "${new URL(url).pathname.slice(1)}" set client_connection_check_interval = 100`,
      );
      // An uncommitted table of this name blocks the migration.
      await sql`begin`;
      await sql`create table verifications (id integer)`;
      return await withDatabase(url, async (eye) => {
        const port = String(await freePort());
        const first = start(process.execPath, [PROGRAM, 'serve'], {
          env: { ...env, DATA_DIR: temporaryFolder(), PORT: port },
        });
        await until(async () => (await lockOf(eye)).isHeld);
        const starting = Promise.all(Array.from({ length: COUNT - 1 }, () => startServer({ env })));
        await until(async () => (await lockOf(eye)).waiting === COUNT - 1);

        first.signal('SIGKILL');

        // Postgres releases the lock, and another instance takes it.
        await until(async () => (await lockOf(eye)).waiting === COUNT - 2);
        await until(async () => (await lockOf(eye)).isHeld);
        await sql`rollback`;
        return await starting;
      });
    });

    await expectOneService(url, instances);
  });
});

/** The lock of packages/storage-postgres/src/database/migrate.ts. */
const MIGRATION_LOCK = '7165064744911533417';

const SHIPPED = globSync(join(import.meta.dirname, '../../packages/storage-postgres/migrations/*.sql'))
  .map((file) => basename(file, '.sql'))
  .sort();

async function lockOf(sql: Sql): Promise<{ isHeld: boolean; waiting: number }> {
  const [lock] = await sql<[{ isHeld: boolean; waiting: number }]>`
    select coalesce(bool_or(granted), false) as "isHeld", (count(*) filter (where not granted))::integer as waiting
    from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
  return { ...lock };
}

/** Expects one schema, one client, its keys of both modes printed once, and working instances. Stops them. */
async function expectOneService(url: string, instances: readonly ServerProcess[]): Promise<void> {
  const migrations = await withDatabase(url, (sql) => sql`select name from countersign_migrations order by name`);
  expect(migrations.map(({ name }) => String(name))).toEqual(SHIPPED);
  expect(SHIPPED).not.toEqual([]);
  const printed = instances.flatMap((instance) => instance.output().match(/csk_[0-9a-f]{64}(?= +\(shown)/g) ?? []);
  expect(printed).toHaveLength(2);
  expect(await countersignHere<unknown[]>(['client', 'list'], { DATABASE_URL: url })).toHaveLength(1);
  for (const [n, { baseUrl }] of instances.entries()) {
    for (const key of printed) {
      const answer = await createApiClient(baseUrl, key).post(newSubject(`user_${n}`));
      expect(answer.status).toBe(201);
    }
  }
  // In the full form, all instances of this file together would need more connections than the server has.
  await Promise.all(instances.map(async (instance) => expect(await instance.stop()).toMatchObject({ code: 0 })));
}
