// Terminates backends of a real Postgres in the midst of batches.
import type { Storage } from '@countersign/domain/storage';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { givenMigrated } from '../../../test-support/migrated.ts';
import { rawConnection } from '../../../test-support/raw.ts';
import { aCreateRequest, CLIENT, verificationId } from '../../../test-support/records.ts';
import { createPostgresStorage, type PostgresStorageOptions } from '../../postgres-storage.ts';

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };
const MONTH = '2026-03';
/** A part of the text of the statement that creates many. */
const MANY = '%json_array_elements_text%';

describeWith(['postgres'], 'a batch of creations', () => {
  // Postgres shows the first 1 kB of a statement by default: less than the columns of one that creates many.
  const settings = { deadlock_timeout: '3s', track_activity_query_size: '16kB' };
  const server = givenPostgres({ own: true, fsync: false, settings });
  const createMigrated = givenMigrated(server);

  /** Opens a storage in which the client has one verification, number 0. */
  async function given(options: Partial<PostgresStorageOptions> = {}) {
    const url = await createMigrated();
    const storage = await createPostgresStorage({ url, ...options });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    await storage.verifications.createCharged(aCreateRequest(0));
    const raw = rawConnection(onTestFinished, url);
    const watcher = rawConnection(onTestFinished, url);
    /** Returns the backends that wait for a lock with the statement of a batch. */
    const waitingBatches = () => watcher`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${MANY}`;
    /** Inserts a copy of verification 0, of the other type: it is counted in another row than the creations. */
    const insertCopy = (n: number, subject: string) => raw`
      insert into verifications select (jsonb_populate_record(given, jsonb_build_object(
        'id', ${verificationId(n)}::text, 'subject_reference', ${subject}::text, 'type', 'kyb'))).*
      from verifications given where id = ${verificationId(0)}`;
    return { url, storage, raw, watcher, waitingBatches, insertCopy };
  }

  const createAtOnce = (storage: Storage, from: number, count: number) =>
    Promise.allSettled(
      Array.from({ length: count }, (_, n) => storage.verifications.createCharged(aCreateRequest(from + n))),
    );

  const stored = async ({ storage, watcher }: Pick<Awaited<ReturnType<typeof given>>, 'storage' | 'watcher'>) => {
    const [counts] = await watcher`
      select (select count(*) from verifications)::int as rows, (select count(*) from verification_events)::int as events`;
    return { ...counts, used: await storage.clients.usedIn(CLIENT.id, MONTH) };
  };

  it('a batch whose backend is terminated: all of it get SERVICE_UNAVAILABLE, nothing is kept, the next ones succeed', async () => {
    const database = await given();
    const { storage, raw, watcher, waitingBatches } = database;
    // The first creation waits for the usage row alone; once it fails, so do the others.
    await raw.unsafe('begin; update usage set used = used');
    const results = createAtOnce(storage, 1, 64);
    const lone = () => watcher`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query not like ${MANY}`;
    await until(async () => (await lone()).length === 1);
    await until(async () => (await waitingBatches()).length === 1);

    await watcher`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${MANY}`;

    for (const result of await results) expect(result).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
    await raw.unsafe('rollback');
    expect(await stored(database)).toEqual({ rows: 1, events: 1, used: 1 });
    const later = await createAtOnce(storage, 1, 64);
    expect(later.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await stored(database)).toEqual({ rows: 65, events: 65, used: 65 });
  });

  it('a batch that waits too long for a lock: all get SERVICE_UNAVAILABLE, the statements are canceled, nothing is kept', async () => {
    const { url, storage, raw, watcher } = await given({ deadlineMs: 1_000 });
    await raw.unsafe('begin; update usage set used = used');

    const results = await createAtOnce(storage, 1, 300);

    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
    // A batch may have been sent just before the deadline of its creations. After the storage is closed, no statement is sent.
    await storage.close();
    const waiting = () => watcher`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await waiting()).length === 0);
    await raw.unsafe('rollback');
    const later = await createPostgresStorage({ url });
    onTestFinished(() => later.close());
    expect(await stored({ storage: later, watcher })).toEqual({ rows: 1, events: 1, used: 1 });
    expect(await later.verifications.createCharged(aCreateRequest(1))).toEqual({ outcome: 'created' });
  });

  it('a batch that a deadlock ends: each creation is tried alone, in order of arrival', {
    timeout: 60_000,
  }, async () => {
    const database = await given();
    const { storage, raw, waitingBatches, insertCopy } = database;
    // This transaction waits longer before it looks for a deadlock, so that the batch is ended.
    await raw.unsafe(`begin; set local deadlock_timeout = '60s'`);
    await insertCopy(1_000, 'subject-5');
    // The batch inserts subject 3 and waits for subject 5. Then this transaction waits for the batch to end its insertion, and
    // later insertions wait for this one.
    const results = createAtOnce(storage, 2, 4);
    await until(async () => (await waitingBatches()).length === 1);
    await raw.unsafe('lock table verifications in share mode');
    await raw.unsafe('commit');

    const created = { status: 'fulfilled', value: { outcome: 'created' } };
    const duplicate = {
      status: 'fulfilled',
      value: { outcome: 'duplicate', verificationId: verificationId(1_000), status: 'pending' },
    };
    expect(await results).toEqual([created, created, created, duplicate]);
    // Four created by the storage; the copy has neither event nor charge.
    expect(await stored(database)).toEqual({ rows: 5, events: 4, used: 4 });
  });

  it('a batch that waits for a subject of another transaction: its rollback lets the subject in', async () => {
    const database = await given();
    const { storage, raw, waitingBatches, insertCopy } = database;
    await raw.unsafe('begin');
    await insertCopy(1_000, 'subject-5');

    const results = createAtOnce(storage, 1, 20);
    await until(async () => (await waitingBatches()).length === 1);
    await raw.unsafe('rollback');

    for (const result of await results) {
      expect(result).toEqual({ status: 'fulfilled', value: { outcome: 'created' } });
    }
    expect(await stored(database)).toEqual({ rows: 21, events: 21, used: 21 });
  });
});
