// Postgres analyzes tables, also in partitions and for users with fewer rights: only its planner keeps values of erased rows.
import { readFileSync } from 'node:fs';
import { describeWith, givenPostgres, grantServerRole } from '@countersign/test-support/servers';
import { describe, expect, it } from 'vitest';
import { CANARY, givenErased, openedAs, REPLACED } from '../../test-support/erased-statistics.ts';
import { inspectPostgres } from '../postgres-storage.ts';

const PARTITIONING = readFileSync(new URL('../../scaling/hash-partitions.sql', import.meta.url), 'utf8');

describeWith(['postgres'], 'replaceErasedStatistics', () => {
  const server = givenPostgres();

  it('names partitions on which the user has no right, although they may analyze the table', async () => {
    const { url, sql } = await givenErased(server, { before: PARTITIONING });
    const [version] = await sql`select current_setting('server_version_num')::integer >= 170000 as "hasMaintain"`;
    if (version?.hasMaintain !== true) return;
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
    const { url, sql, statistics } = await givenErased(server);
    const limited = await grantServerRole(url, { without: 'MAINTAIN', isPart: true });
    const owner = await openedAs({ url: limited, directUrl: url });
    expect(await owner.replaceErasedStatistics()).toEqual(REPLACED);
    expect(await statistics()).not.toContain(CANARY);
    expect((await inspectPostgres({ url: limited, directUrl: url })).notAnalyzable).toEqual([]);

    const [version] = await sql`select current_setting('server_version_num')::integer >= 170000 as "hasMaintain"`;
    if (version?.hasMaintain !== true) return;
    const storage = await openedAs({ url: await grantServerRole(url, { isPart: true }) });
    expect(await storage.replaceErasedStatistics()).toEqual(REPLACED);
    expect((await inspectPostgres({ url: limited })).notAnalyzable).toEqual([]);
  });

  describe('of a table that has no rows any more, which ANALYZE leaves as they are', () => {
    /** A table whose rows were deleted after the erasure, as webhooks of more than 30 days ago are. */
    async function givenEmptied(options: { before?: string } = {}) {
      const { url, storage, sql, statistics } = await givenErased(server, options);
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
      const { url, sql } = await givenErased(server);
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
      if (version?.hasMaintain !== true) return;
      const storage = await openedAs({ url: await grantServerRole(url, { isPart: true }) });
      expect(await storage.replaceErasedStatistics()).toEqual(KEPT);
      expect(await statistics()).toContain(CANARY);
    });

    it('statistics of an emptied table are cleared with the documented rights', async () => {
      const { url, sql, statistics } = await givenEmptied();
      const [version] = await sql`select current_setting('server_version_num')::integer >= 180000 as "isNew"`;
      if (version?.isNew !== true) return;
      const storage = await openedAs({ url: await grantServerRole(url, { isPart: true }) });
      expect(await storage.replaceErasedStatistics()).toEqual(ALL);
      expect(await statistics()).not.toContain(CANARY);
    });
  });
});
