// Migrates a database of version 0.2.0 while rows change, and compares the counts on one table and on partitions.
import { readFileSync } from 'node:fs';
import { DELETE_ALL } from '@countersign/test-support/installation/delete-all';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../test-support/raw.ts';
import { aClient, aCreateRequest, CLIENT } from '../test-support/records.ts';
import { CREATE_MIGRATIONS_TABLE, MIGRATIONS } from './database/migrations.ts';
import { createPostgresStorage, migratePostgres } from './postgres-storage.ts';

const PARTITIONING = readFileSync(new URL('../scaling/hash-partitions.sql', import.meta.url), 'utf8');

const COUNTED = `
  select client_id, floor(extract(epoch from requested_at) / 86400)::integer as day, type,
    count(*) filter (where status = 'pending')::integer as pending,
    count(*) filter (where status = 'submitted')::integer as submitted,
    count(*) filter (where status = 'action_needed')::integer as action_needed,
    count(*) filter (where status = 'approved')::integer as approved,
    count(*) filter (where status = 'rejected')::integer as rejected
  from verifications group by 1, 2, 3 order by 1, 2, 3`;
const KEPT = `
  select * from verification_counts where (pending, submitted, action_needed, approved, rejected) <> (0, 0, 0, 0, 0)
  order by client_id, day, type`;

const insertedByHand = (client: string, n: number): string => `
  insert into verifications (client_id, id, type, subject_reference, status, requested_at, current_step, version,
    link_version, link_expires_at, metadata, answers, review_data, flow_version, event_count)
  values ('${client}', gen_random_uuid(), 'kyc', gen_random_uuid()::text, 'pending', now() - interval '${n % 3} days', 0, 1,
    1, now(), '{}', '{}', '{}', 1, 1)`;

/** Locks verifications and events, as a creation of version 0.2.0 does: no migration may wait for one and lock the other. */
const createdWithEvent = (client: string, n: number): string => `
  with created as (${insertedByHand(client, n)} returning client_id, id, requested_at)
  insert into verification_events (client_id, id, verification_id, version, type, status, at, actor_kind, data, available_at,
    attempts)
  select client_id, gen_random_uuid(), id, 1, 'verification.created', 'pending', requested_at, 'system', '{}', requested_at, 0
  from created`;

describeWith(['postgres'], 'counts stay true', () => {
  const server = givenPostgres();

  it('counts stay true from the migration on, while a server of version 0.2.0 creates and changes verifications', async () => {
    const url = await server.createDatabase();
    const [initial] = MIGRATIONS;
    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe(`${CREATE_MIGRATIONS_TABLE}; ${initial?.sql}`);
    const client = aClient(1).id;
    await raw`insert into clients (id, name, created_at) values (${client}, '', now())`;
    let [written, isMigrated] = [0, false];
    const write = async (sql: postgres.Sql) => {
      while (!isMigrated || written < 50) {
        written += 1;
        await sql.unsafe(createdWithEvent(client, written), [], { prepare: true });
        await sql`update verifications set status = 'submitted' where id = (select id from verifications limit 1 offset ${written % 7})`;
      }
    };
    const writing = Promise.all([1, 2, 3].map(() => write(rawConnection(onTestFinished, url))));
    await until(async () => written > 20);

    await migratePostgres({ url });
    isMigrated = true;
    await writing;

    expect(await raw.unsafe(KEPT)).not.toHaveLength(0);
    expect([...(await raw.unsafe(KEPT))]).toEqual([...(await raw.unsafe(COUNTED))]);
  });

  describe.each(['one table', 'partitions'])('after a statement that an operator writes, in %s', (layout) => {
    const ends: (() => unknown)[] = [];
    let raw: postgres.Sql;
    let storage: Awaited<ReturnType<typeof createPostgresStorage>>;
    beforeAll(async () => {
      const url = await server.createDatabase();
      await migratePostgres({ url });
      raw = rawConnection((end) => void ends.push(end), url);
      if (layout === 'partitions') await raw.unsafe(PARTITIONING);
      storage = await createPostgresStorage({ url });
      ends.push(() => storage.close());
    });
    afterAll(() => Promise.all(ends.map((end) => end())));

    it.each([
      ['a new status', "update verifications set status = 'submitted' where current_step > 3"],
      ['a decision', "update verifications set status = 'approved', resolved_at = now() where current_step > 3"],
      ['another type', "update verifications set type = 'kyb' where current_step > 3"],
      [
        'another type and status',
        "update verifications set type = 'kyb', status = 'submitted' where current_step > 3",
      ],
      ['other days', "update verifications set requested_at = requested_at + current_step * interval '24 h'"],
      [
        'days before 1970',
        "update verifications set requested_at = '1970-01-01Z'::timestamptz - current_step * interval '12 h'",
      ],
      ['many at once', 'insert into verifications select * from more'],
      ['deletion', 'delete from verification_events; delete from verifications where current_step > 3'],
      ['deletion of all', 'delete from verification_events; delete from verifications'],
      ['truncation', 'truncate verifications cascade'],
    ])('%s', async (_, statement) => {
      await raw.unsafe(DELETE_ALL);
      await storage.clients.create({ client: CLIENT, subscription: null });
      await storage.clients.create({ client: aClient(2), subscription: null });
      for (let n = 1; n <= 7; n += 1) {
        const request = aCreateRequest(n);
        await storage.verifications.createCharged({ ...request, record: { ...request.record, currentStep: n } });
      }
      await raw.unsafe(`
        create temporary table if not exists more (like verifications);
        truncate more;
        insert into more select * from verifications;
        update more set id = gen_random_uuid(), subject_reference = subject_reference || '-' || more.id,
          requested_at = requested_at - current_step % 3 * interval '24 h',
          client_id = case when current_step % 2 = 0 then client_id else '${aClient(2).id}' end`);
      expect(await raw.unsafe(KEPT)).toMatchObject([{ client_id: CLIENT.id, pending: 7, submitted: 0 }]);

      await raw.unsafe(statement);

      expect([...(await raw.unsafe(KEPT))]).toEqual([...(await raw.unsafe(COUNTED))]);
    });
  });
});
