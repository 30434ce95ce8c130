// Postgres analyzes tables: only its planner keeps values of erased rows.
import { readFileSync } from 'node:fs';
import { describeWith, givenPostgres, grantServerRole } from '@countersign/test-support/servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../../test-support/raw.ts';
import { aCreateRequest, CLIENT, keyHash } from '../../test-support/records.ts';
import {
  createPostgresStorage,
  inspectPostgres,
  migratePostgres,
  type PostgresStorage,
} from '../postgres-storage.ts';

const PARTITIONING = readFileSync(new URL('../../scaling/hash-partitions.sql', import.meta.url), 'utf8');

const CANARY = 'canary-of-the-subject';

const NOTHING = { replaced: [], kept: [] };
/** The tables that have rows. */
const REPLACED = { replaced: ['verification_events', 'verifications'], kept: [] };

describeWith(['postgres'], 'replaceErasedStatistics', () => {
  const server = givenPostgres();

  /** A database whose statistics contain a value that was erased since. */
  async function givenErased({ before = '' } = {}) {
    const url = await server.createDatabase();
    if (before !== '') {
      await migratePostgres({ url });
      await rawConnection(onTestFinished, url).unsafe(before);
    }
    const storage = await createPostgresStorage({ url });
    onTestFinished(storage.close);
    const sql = rawConnection(onTestFinished, url);
    const statistics = async () => {
      const rows = await sql`
        select stats::text as line from pg_stats as stats where tablename like 'verifications%' or tablename like 'webhook_attempts%'`;
      return rows.map(({ line }) => String(line)).join('\n');
    };
    await storage.clients.create({ client: CLIENT, subscription: null });
    for (const n of [1, 2, 3]) {
      const { record, ...request } = aCreateRequest(n);
      await storage.verifications.createCharged({
        ...request,
        record: { ...record, subjectReference: `${CANARY} ${n}`, metadata: { note: CANARY } },
      });
    }
    await sql`analyze`;
    expect(await statistics()).toContain(CANARY);
    expect(await storage.replaceErasedStatistics()).toEqual(NOTHING);

    // As an erasure leaves them.
    await sql`update verifications set subject_reference = 'erased:' || id, metadata = '{}'`;
    await storage.retention.recordErasure(aReceipt());
    return { url, storage, sql, statistics };
  }

  async function openedAs(options: { url: string; directUrl?: string }) {
    const storage = await createPostgresStorage({ ...options, migrate: false });
    onTestFinished(storage.close);
    return storage;
  }

  it('removes erased values from the statistics of the planner, also where they may have been read meanwhile', async () => {
    const { storage, sql, statistics } = await givenErased();
    expect(await storage.replaceErasedStatistics()).toEqual(REPLACED);
    expect(await statistics()).not.toContain(CANARY);

    // Values that were read before they were erased can still be in them.
    expect(await storage.replaceErasedStatistics()).toEqual(REPLACED);
    await sql`update erasures set finished_at = finished_at - interval '11 minutes'`;
    expect(await storage.replaceErasedStatistics()).toEqual(NOTHING);
  });

  it('names tables that the user may not analyze, which Postgres only warns of', async () => {
    const { url, statistics } = await givenErased();
    const limited = await grantServerRole(url, { without: 'MAINTAIN', isPart: true });
    const storage = await openedAs({ url: limited });

    expect(await storage.replaceErasedStatistics()).toEqual({ replaced: [], kept: REPLACED.replaced });

    expect(await statistics()).toContain(CANARY);
    const { notAnalyzable } = await inspectPostgres({ url: limited });
    expect(notAnalyzable).toEqual(['index_entries', 'verification_events', 'verifications', 'webhook_attempts']);
  });

  it('names partitions on which the user has no right, although they may analyze the table', async () => {
    const { url, sql } = await givenErased({ before: PARTITIONING });
    const [version] = await sql`select current_setting('server_version_num')::integer >= 170000 as "hasMaintain"`;
    if (version?.['hasMaintain'] !== true) return;
    const limited = await grantServerRole(url, { isPart: true });
    const storage = await openedAs({ url: limited });
    expect((await storage.replaceErasedStatistics()).kept).toContain('verifications');

    const { notAnalyzable } = await inspectPostgres({ url: limited });
    expect(notAnalyzable).toHaveLength(32);
    await sql.unsafe(`grant maintain on ${notAnalyzable.join(', ')} to server_role`);

    expect((await storage.replaceErasedStatistics()).kept).toEqual([]);
    expect((await inspectPostgres({ url: limited })).notAnalyzable).toEqual([]);
  });

  it('needs the documented rights only, or a direct address that owns the tables', async () => {
    const { url, sql, statistics } = await givenErased();
    const limited = await grantServerRole(url, { without: 'MAINTAIN', isPart: true });
    const owner = await openedAs({ url: limited, directUrl: url });
    expect(await owner.replaceErasedStatistics()).toEqual(REPLACED);
    expect(await statistics()).not.toContain(CANARY);
    expect((await inspectPostgres({ url: limited, directUrl: url })).notAnalyzable).toEqual([]);

    const [version] = await sql`select current_setting('server_version_num')::integer >= 170000 as "hasMaintain"`;
    if (version?.['hasMaintain'] !== true) return;
    const storage = await openedAs({ url: await grantServerRole(url, { isPart: true }) });
    expect(await storage.replaceErasedStatistics()).toEqual(REPLACED);
    expect((await inspectPostgres({ url: limited })).notAnalyzable).toEqual([]);
  });

  describe('of a table that has no rows any more, which ANALYZE leaves as they are', () => {
    /** A table whose rows were deleted after the erasure, as webhooks of more than 30 days ago are. */
    async function givenEmptied(options: { before?: string } = {}) {
      const { url, storage, sql, statistics } = await givenErased(options);
      await sql.unsafe('alter table webhook_attempts drop constraint webhook_attempts_delivery');
      await sql`
        insert into webhook_attempts (client_id, endpoint_id, event_id, id, at, duration_ms, request)
        select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), 1, ${CANARY}
        from generate_series(1, 3)`;
      await sql`analyze webhook_attempts`;
      await sql`delete from webhook_attempts`;
      return { url, storage, sql, statistics };
    }

    const ALL = { replaced: ['verification_events', 'verifications', 'webhook_attempts'], kept: [] };
    const KEPT = { replaced: REPLACED.replaced, kept: ['webhook_attempts'] };
    const withoutClearing = (sql: { unsafe(text: string): PromiseLike<unknown> }) =>
      sql.unsafe(`do $$ begin
        revoke execute on function pg_clear_attribute_stats from public;
      exception when undefined_function then null; end $$`);

    it('statistics of an emptied table are cleared by the owner', async () => {
      const { storage, statistics } = await givenEmptied();
      expect(await storage.replaceErasedStatistics()).toEqual(ALL);
      expect(await statistics()).not.toContain(CANARY);
    });

    it('statistics of an emptied table are cleared by the owner also where Postgres has no function for it, as before 18', async () => {
      const { url, sql, statistics } = await givenEmptied();
      await withoutClearing(sql);
      const owner = await grantServerRole(url, { isPart: true });
      for (const table of ALL.replaced) await sql.unsafe(`alter table ${table} owner to server_role`);
      const storage = await openedAs({ url: owner });
      expect(await storage.replaceErasedStatistics()).toEqual(ALL);
      expect(await statistics()).not.toContain(CANARY);
    });

    it('columns keep their collation where Postgres has no function to clear them, as before 18', async () => {
      const { url, sql } = await givenErased();
      await withoutClearing(sql);
      await sql`
        insert into index_entries (client_id, purpose, label, verification_id)
        select client_id, 'file', ${CANARY}, id from verifications`;
      await sql`analyze index_entries`;
      await sql`delete from index_entries`;
      const collations = () => sql`
        select attname, attcollation::regcollation::text as collation from pg_attribute
        where attrelid = 'index_entries'::regclass and attcollation <> 0 order by attname`;
      const before = await collations();
      const owner = await grantServerRole(url, { isPart: true });
      const tables = ['index_entries', ...REPLACED.replaced];
      for (const table of tables) await sql.unsafe(`alter table ${table} owner to server_role`);
      const storage = await openedAs({ url: owner });
      expect(await storage.replaceErasedStatistics()).toEqual({ replaced: tables, kept: [] });
      expect(await sql`select 1 from pg_stats where tablename = 'index_entries' and attname = 'label'`).toEqual(
        [],
      );
      expect(await collations()).toEqual(before);
      expect(before).toContainEqual({ attname: 'label', collation: '"C"' });
    });

    it('statistics of emptied partitions are cleared, too', async () => {
      const { storage, statistics } = await givenEmptied({ before: PARTITIONING });
      expect(await storage.replaceErasedStatistics()).toEqual(ALL);
      expect(await statistics()).not.toContain(CANARY);
    });

    it('statistics of an emptied table are named where they cannot be cleared', async () => {
      const { url, sql, statistics } = await givenEmptied();
      await withoutClearing(sql);
      const [version] =
        await sql`select current_setting('server_version_num')::integer >= 170000 as "hasMaintain"`;
      if (version?.['hasMaintain'] !== true) return;
      const storage = await openedAs({ url: await grantServerRole(url, { isPart: true }) });
      expect(await storage.replaceErasedStatistics()).toEqual(KEPT);
      expect(await statistics()).toContain(CANARY);
    });

    it('statistics of an emptied table are cleared with the documented rights', async () => {
      const { url, sql, statistics } = await givenEmptied();
      const [version] = await sql`select current_setting('server_version_num')::integer >= 180000 as "isNew"`;
      if (version?.['isNew'] !== true) return;
      const storage = await openedAs({ url: await grantServerRole(url, { isPart: true }) });
      expect(await storage.replaceErasedStatistics()).toEqual(ALL);
      expect(await statistics()).not.toContain(CANARY);
    });
  });

  it('collects none where Postgres has none', async () => {
    const storage = await createPostgresStorage({ url: await server.createDatabase() });
    onTestFinished(storage.close);
    await storage.clients.create({ client: CLIENT, subscription: null });
    await storage.retention.recordErasure(aReceipt());
    expect(await storage.replaceErasedStatistics()).toEqual(NOTHING);
  });
});

function aReceipt(): Parameters<PostgresStorage['retention']['recordErasure']>[0] {
  const now = new Date();
  const { clientId, id: verificationId } = aCreateRequest(1).record;
  const counts = { steps: 0, files: 0, events: 1 };
  return {
    number: 1,
    clientId,
    verificationId,
    at: now,
    rule: 'log',
    ...counts,
    hash: keyHash(1),
    finishedAt: now,
  };
}
