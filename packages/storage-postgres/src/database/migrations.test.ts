import { readdirSync, readFileSync } from 'node:fs';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { MIGRATION_LOCK } from '../../test-support/migrated.ts';
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
      return rows.map((row) => row.is_resubmitted as boolean);
    };
    expect(await marked()).toEqual([false, false]);
    await raw`insert into verification_events (client_id, verification_id, id, version, type, status, at, actor_kind, data)
      select client_id, id, gen_random_uuid(), 2, 'verification.action_requested', 'action_needed', now(), 'reviewer', '{}' from verifications`;

    expect(await marked()).toEqual([false, true]);
  });

  it('waiting for the migration lock ends after lockWaitMs', async () => {
    const url = await server.createDatabase();
    await rawConnection(onTestFinished, url)`select pg_advisory_lock(${MIGRATION_LOCK})`;

    await expect(migratePostgres({ url, lockWaitMs: 50 })).rejects.toMatchObject({ code: 'locked' });
  });

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
});

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
