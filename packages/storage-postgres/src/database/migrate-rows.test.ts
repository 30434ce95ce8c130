import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { makeFirstVersion, SUBMITTED_AT } from '../../test-support/earlier-versions.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { CLIENT, verificationId } from '../../test-support/records.ts';
import { until } from '../../test-support/until.ts';
import { ADDED, rowsWithout, wholeRowsOf } from '../../test-support/whole-rows.ts';
import { createPostgresStorage, migratePostgres } from '../postgres-storage.ts';
import { MIGRATIONS } from './migrations.ts';

const LATER = MIGRATIONS.slice(1).map(({ name }) => name);

describeWith(['postgres'], 'a database of the first version', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  async function givenFirstVersion(): Promise<{ url: string; raw: postgres.Sql }> {
    const url = await server.createDatabase();
    const raw = rawConnection(onTestFinished, url);
    await makeFirstVersion(raw);
    return { url, raw };
  }

  it('keeps every row, and tells when each verification was submitted', async () => {
    const { url, raw } = await givenFirstVersion();
    const before = await rowsWithout(raw, ADDED.flat());

    expect(await migratePostgres({ url })).toEqual(LATER);

    expect(await rowsWithout(raw, ADDED.flat())).toEqual(before);
    const rows = await raw`select (extract(epoch from submitted_at) * 1000)::bigint::text as ms,
      num_nonnulls(claimed_by, claimed_at, data_key_wrapped_by, data_key) as others from verifications order by id`;
    expect(rows.map(({ ms }) => (ms === null ? null : Number(ms)))).toEqual(SUBMITTED_AT.slice(1));
    expect(rows.map(({ others }) => Number(others))).toEqual(SUBMITTED_AT.slice(1).map(() => 0));
  });

  it('is used as any other once it is migrated', async () => {
    const { url } = await givenFirstVersion();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    const whole = await storage.verifications.findWithEvents(CLIENT.id, verificationId(2));
    const { record, events } = whole ?? expect.fail('not found');
    const next = { wrappedBy: 'key', wrapped: 'wrapped' };

    const claimed = { ...record, version: 3, claimedBy: 'reviewer', claimedAt: new Date(5) };
    const change = { clientId: CLIENT.id, verificationId: record.id, expected: null, next };
    expect(await storage.verifications.commit({ record: claimed, expectedVersion: 2, events: [] })).toEqual({
      outcome: 'committed',
    });
    expect(await storage.dataKeys.replace(change)).toEqual({ outcome: 'replaced' });

    const found = await storage.verifications.findWithEventsForAnyClient(record.id);
    expect(found).toEqual({ record: { ...claimed, dataKey: next }, events });
    expect(record.submittedAt).toEqual(new Date(SUBMITTED_AT[2] ?? 0));
  });

  it.each([
    ['half a claim', "claimed_by = 'r' where status = 'submitted'", 'claim_whole'],
    ['the other half', "claimed_at = now() where status = 'submitted'", 'claim_whole'],
    [
      'a claim of what is not submitted',
      "claimed_by = 'r', claimed_at = now() where status = 'pending'",
      'claimed_when_submitted',
    ],
    ['a submission of what is pending', "submitted_at = now() where status = 'pending'", 'pending_unsubmitted'],
    ['half a data key', "data_key = 'k'", 'data_key_whole'],
    ['the name of a key alone', "data_key_wrapped_by = 'k'", 'data_key_whole'],
  ])('refuses %s once it is migrated', async (_, assignment, constraint) => {
    const { url, raw } = await givenFirstVersion();
    await migratePostgres({ url });

    await expect(raw.unsafe(`update verifications set ${assignment}`)).rejects.toMatchObject({
      constraint_name: `verifications_${constraint}`,
    });
  });

  it('stays as it is if a statement of the migration fails, and is migrated once the reason is gone', async () => {
    const { url, raw } = await givenFirstVersion();
    await raw.unsafe('create index verifications_queue on clients (name)');
    const before = await wholeRowsOf(raw);

    await expect(migratePostgres({ url })).rejects.toMatchObject({ code: 'migration_failed' });

    expect(await wholeRowsOf(raw)).toEqual(before);
    await raw.unsafe('drop index verifications_queue');
    expect(await migratePostgres({ url })).toEqual(LATER);
  });

  it('stays as it is if the one that migrates is killed, and the next one migrates it whole', async () => {
    const { url, raw } = await givenFirstVersion();
    const before = await wholeRowsOf(raw);
    const holder = rawConnection(onTestFinished, url);
    // The backfill waits for this lock, after columns were added in the same transaction.
    await holder.unsafe('begin; lock table verification_events in access exclusive mode');
    const migrating = migratePostgres({ url }).catch((error: unknown) => error);
    const blocked = () =>
      raw`select pid from pg_locks where not granted and relation = 'verification_events'::regclass`;
    await until(async () => (await blocked()).length === 1);

    await raw`select pg_terminate_backend(pid) from pg_locks
      where not granted and relation = 'verification_events'::regclass`;
    expect(await migrating).toMatchObject({ code: 'unreachable' });
    await holder.unsafe('rollback');

    expect(await wholeRowsOf(raw)).toEqual(before);
    expect(await migratePostgres({ url })).toEqual(LATER);
  });
});
