import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { aLine } from '../../test-support/audit.ts';
import { makeSecondVersion } from '../../test-support/earlier-versions.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { CLIENT, verificationId } from '../../test-support/records.ts';
import { until } from '../../test-support/until.ts';
import { ADDED, rowsWithout, wholeRowsOf } from '../../test-support/whole-rows.ts';
import { createPostgresStorage, inspectPostgres, migratePostgres } from '../postgres-storage.ts';
import { MIGRATIONS } from './migrations.ts';

const LATER = MIGRATIONS.slice(2).map(({ name }) => name);

describeWith(['postgres'], 'a database of the second version', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  async function givenSecondVersion(): Promise<{ url: string; raw: postgres.Sql }> {
    const url = await server.createDatabase();
    const raw = rawConnection(onTestFinished, url);
    await makeSecondVersion(raw);
    return { url, raw };
  }

  it('keeps every row, none of it in a sandbox, and begins its audit log', async () => {
    const { url, raw } = await givenSecondVersion();
    const before = await rowsWithout(raw, ADDED.slice(1).flat());

    expect(await migratePostgres({ url })).toEqual(LATER);

    expect(await rowsWithout(raw, ADDED.slice(1).flat())).toEqual(before);
    const storage = await createPostgresStorage({ url, migrate: false });
    onTestFinished(() => storage.close());
    expect((await storage.clients.list()).map(({ client }) => client.sandbox)).toEqual([false]);
    expect((await storage.apiKeys.list(CLIENT.id)).map(({ createdBy }) => createdBy)).toEqual([null]);
    const record = await storage.verifications.find(CLIENT.id, verificationId(2));
    expect(record).toMatchObject({ claimedBy: 'reviewer', claimedAt: new Date(8), sandboxOutcome: null });
    expect(await storage.audit.head()).toBeNull();
  });

  it('is used as any other once it is migrated', async () => {
    const { url } = await givenSecondVersion();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());

    expect(await storage.clients.setSandbox(CLIENT.id, true)).toMatchObject({ outcome: 'changed' });
    const found = await storage.verifications.find(CLIENT.id, verificationId(2));
    const { sandboxOutcome: _, ...record } = found ?? expect.fail('not found');
    // What a reviewer has claimed is not driven: it is given back first.
    const unclaimed = { claimedBy: null, claimedAt: null };
    const driven = { ...record, ...unclaimed, version: 3, sandboxOutcome: 'approved' } as const;
    expect(await storage.verifications.commit({ record: driven, expectedVersion: 2, events: [] })).toEqual({
      outcome: 'committed',
    });

    expect(await storage.verifications.dueInSandbox(10)).toEqual([driven]);
    expect(await storage.audit.append(aLine(1))).toEqual({ outcome: 'appended' });
    expect(await storage.audit.read(0, 10)).toEqual([aLine(1)]);
  });

  it('is told to be outdated, and without migrating it is refused and left as it is', async () => {
    const { url, raw } = await givenSecondVersion();
    const before = await wholeRowsOf(raw);

    await expect(createPostgresStorage({ url, migrate: false })).rejects.toMatchObject({ code: 'outdated' });

    expect(await inspectPostgres({ url })).toMatchObject({ pendingMigrations: LATER });
    expect(await wholeRowsOf(raw)).toEqual(before);
  });

  it('refuses an outcome of a sandbox that it does not know', async () => {
    const { url, raw } = await givenSecondVersion();
    await migratePostgres({ url });

    await expect(raw.unsafe("update verifications set sandbox_outcome = 'pending'")).rejects.toMatchObject({
      constraint_name: 'verifications_known_sandbox_outcome',
    });
  });

  it('stays as it is if a statement of the migration fails, and is migrated once the reason is gone', async () => {
    const { url, raw } = await givenSecondVersion();
    await raw.unsafe('create index verifications_sandbox_due on clients (name)');
    const before = await wholeRowsOf(raw);

    await expect(migratePostgres({ url })).rejects.toMatchObject({ code: 'migration_failed' });

    expect(await wholeRowsOf(raw)).toEqual(before);
    expect(await raw`select to_regclass('audit_entries') as log`).toEqual([{ log: null }]);
    await raw.unsafe('drop index verifications_sandbox_due');
    expect(await migratePostgres({ url })).toEqual(LATER);
  });

  it('stays as it is if the one that migrates is killed, and the next one migrates it whole', async () => {
    const { url, raw } = await givenSecondVersion();
    const before = await wholeRowsOf(raw);
    const holder = rawConnection(onTestFinished, url);
    // The new table is made before the first column is added to this one.
    await holder.unsafe('begin; lock table verifications in access exclusive mode');
    const migrating = migratePostgres({ url }).catch((error: unknown) => error);
    const blocked = () => raw`select pid from pg_locks where not granted and relation = 'verifications'::regclass`;
    await until(async () => (await blocked()).length === 1);

    await raw`select pg_terminate_backend(pid) from pg_locks
      where not granted and relation = 'verifications'::regclass`;
    expect(await migrating).toMatchObject({ code: 'unreachable' });
    await holder.unsafe('rollback');

    expect(await wholeRowsOf(raw)).toEqual(before);
    expect(await raw`select to_regclass('audit_entries') as log`).toEqual([{ log: null }]);
    expect(await migratePostgres({ url })).toEqual(LATER);
  });
});
