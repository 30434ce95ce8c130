// Applies all migrations to several databases, also from the middle.
import { readdirSync, readFileSync } from 'node:fs';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import type postgres from 'postgres';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { run } from '../../test-support/process.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { aCreateRequest, CLIENT } from '../../test-support/records.ts';
import { createPostgresStorage, migratePostgres } from '../postgres-storage.ts';
import * as schema from '../schema.ts';
import { MIGRATIONS } from './migrations.ts';

const NAMES = MIGRATIONS.map(({ name }) => name);

it('the only snapshot is the last one and describes the schema, so no migration is missing', async () => {
  const last = `${MIGRATIONS.at(-1)?.name.slice(0, 4)}_snapshot.json`;
  const meta = new URL('../../migrations/meta/', import.meta.url);
  expect(readdirSync(meta).sort()).toEqual([last, '_journal.json']);
  const snapshot = JSON.parse(readFileSync(new URL(last, meta), 'utf8'));

  const missing = await generateMigration(snapshot, generateDrizzleJson(schema, snapshot.id));

  expect(missing).toEqual([]);
});

describeWith(['postgres'], 'migrations', () => {
  const server = givenPostgres({ fsync: false, own: true });

  let template: string;
  beforeAll(async () => {
    template = await server.createDatabase();
    const storage = await createPostgresStorage({ url: template });
    await storage.clients.create({ client: CLIENT, subscription: null });
    for (const n of [1, 2]) await storage.verifications.createCharged(aCreateRequest(n));
    const { record } = aCreateRequest(2);
    const submitted = { ...record, version: 2, status: 'submitted', submittedAt: record.requestedAt } as const;
    await storage.verifications.commit({ record: submitted, expectedVersion: 1, events: [] });
    await storage.close();
  });

  /** A migrated database with a pending and a submitted verification. */
  const withVerifications = (): Promise<string> => server.createDatabase(template);

  it('create exactly the tables that the schema describes', async () => {
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
        and indexdef like 'CREATE UNIQUE%' and tablename <> 'clients' and indexdef not like '%(client_id%'
        and tablename not in ('audit_entries', 'erasures', 'erasure_logs', 'retention_runs', 'mails', 'mail_budgets')`;

    // The hash leads here, because a request contains nothing else. (Clients are few: each node has all of them. The audit log is one chain for all clients, erasures are one
    // sequence, the runs of the retention job are one row, mails are a queue in which some have no client, and budgets of mails belong to recipients.)
    expect(rows.map(({ indexdef }) => String(indexdef))).toEqual([expect.stringContaining('(hash, client_id)')]);
  });

  it('an erasure by a server of 0.3.0 removes the warnings, readings and codes that only later versions know', async () => {
    const url = await withVerifications();
    const raw = rawConnection(onTestFinished, url);
    const [{ id } = { id: '' }] = await raw<{ id: string }[]>`
      update verifications set status = 'rejected', resolved_at = now(), erased_at = now(), warnings = '{}', severity = 'warning'
      where status = 'submitted' returning id`;
    await raw`insert into readings (client_id, verification_id, file_id, reader_version, read_at, data)
      select client_id, id, id, '1', now(), '{}' from verifications`;
    await raw`insert into hand_over_codes
        (client_id, verification_id, link_version, code_hash, issued_at, expires_at, counted_from, issued)
      select client_id, id, 1, id, now(), now() + interval '1 minute', now(), 1 from verifications`;
    // What it sets, of the columns that it knows.
    await raw`update verifications set subject_reference = 'erased:' || id, metadata = '{}', answers = '{}',
      review_data = '{}', idempotency_key = null, idempotency_fingerprint = null, data_key = null, return_url = null,
      locale = null, notify = null, erasure_number = 1, version = version + 1 where id = ${id}`;
    expect(await raw`select warnings, severity from verifications where id = ${id}`).toEqual([
      { warnings: null, severity: null },
    ]);
    for (const table of ['readings', 'hand_over_codes'])
      expect(await raw`select 1 from ${raw(table)} where verification_id = ${id}`, table).toEqual([]);
    expect(await raw`select 1 from readings`).toHaveLength(1);
  });

  it('the migration that fills it marks what waits after a request for action as resubmitted, and nothing else', async () => {
    const url = await withVerifications();
    const raw = rawConnection(onTestFinished, url);
    const fill = MIGRATIONS.find(({ name }) => name.endsWith('expand-resubmitted-filled'))?.sql ?? '';
    const marked = async () => {
      await raw.unsafe(/UPDATE[^;]+/.exec(fill)?.[0] ?? '');
      const rows = await raw`select is_resubmitted from verifications order by id`;
      return rows.map((row) => row['is_resubmitted'] as boolean);
    };
    expect(await marked()).toEqual([false, false]);
    await raw`insert into verification_events (client_id, verification_id, id, version, type, status, at, actor_kind, data)
      select client_id, id, gen_random_uuid(), 2, 'verification.action_requested', 'action_needed', now(), 'reviewer', '{}' from verifications`;

    expect(await marked()).toEqual([false, true]);
  });

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
    await holder`select pg_advisory_lock(${LOCK})`.catch(() => undefined);
    const others = [migratePostgres({ url }), migratePostgres({ url })];
    const raw = rawConnection(onTestFinished, url);
    await until(async () => (await lockWaiters(raw)).length === 2);

    await raw`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted`;

    expect((await Promise.all(others)).toSorted((a, b) => b.length - a.length)).toEqual([NAMES, []]);
  });

  it('waiting for the migration lock ends after lockWaitMs', async () => {
    const url = await server.createDatabase();
    await rawConnection(onTestFinished, url)`select pg_advisory_lock(${LOCK})`;

    await expect(migratePostgres({ url, lockWaitMs: 50 })).rejects.toMatchObject({ code: 'locked' });
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

  it.each([
    ['a reviewer without a claim date', "claimed_by = 'r' where status = 'submitted'", 'claim_whole'],
    ['a claim date without a reviewer', "claimed_at = now() where status = 'submitted'", 'claim_whole'],
    [
      'a claim of a pending verification',
      "claimed_by = 'r', claimed_at = now() where status = 'pending'",
      'claimed_when_submitted',
    ],
    [
      'a submission date of a pending verification',
      "submitted_at = now() where status = 'pending'",
      'pending_unsubmitted',
    ],
    ['a data key without its ring key', "data_key = 'k'", 'data_key_whole'],
    ['a ring key without a data key', "data_key_wrapped_by = 'k'", 'data_key_whole'],
    ['an unknown sandbox outcome', "sandbox_outcome = 'pending'", 'known_sandbox_outcome'],
  ])('a CHECK constraint refuses %s', async (_, assignment, constraint) => {
    const raw = rawConnection(onTestFinished, await withVerifications());

    await expect(raw.unsafe(`update verifications set ${assignment}`)).rejects.toMatchObject({
      constraint_name: `verifications_${constraint}`,
    });
  });

  it('migrate: false refuses an outdated schema and changes nothing', async () => {
    const url = await server.createDatabase();

    await expect(createPostgresStorage({ url, migrate: false })).rejects.toMatchObject({ code: 'outdated' });

    expect(await rawConnection(onTestFinished, url)`select 1 from pg_tables where schemaname = 'public'`).toEqual(
      [],
    );
  });

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
