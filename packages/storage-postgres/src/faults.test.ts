// Waits until dead connections are noticed: only a real Postgres loses them.
import { extent } from '@countersign/test-support/installation/extent';
import { until } from '@countersign/test-support/processes/until';
import { auditEntry, entryHash } from '@countersign/test-support/records/audit-entry';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { givenMigrated } from '../test-support/migrated.ts';
import { startProxy } from '../test-support/proxy.ts';
import { rawConnection } from '../test-support/raw.ts';
import { aClient, aCreateRequest, CLIENT, verificationId } from '../test-support/records.ts';
import { createPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts';

/** Connections that are lost under load. */
const LOST = extent({ full: 200, short: 40 });
const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };

/** Whether an attempt succeeds. */
const works = (attempt: () => Promise<unknown>): Promise<boolean> =>
  attempt().then(
    () => true,
    () => false,
  );

describeWith(['postgres'], 'when the database', () => {
  const server = givenPostgres({ own: true, settings: { max_connections: 30 } });
  const createMigrated = givenMigrated(server);

  async function givenStorage(options: Partial<PostgresStorageOptions> = {}) {
    const url = await createMigrated();
    const storage = await createPostgresStorage({ url, ...options });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    return { url, storage, find: () => storage.verifications.find(CLIENT.id, verificationId(1)) };
  }

  it(`loses ${LOST} connections under load, what was acknowledged is there and what is there was charged`, {
    timeout: 60_000,
  }, async () => {
    const { url, storage, find } = await givenStorage();
    const raw = rawConnection(onTestFinished, url);
    // Creations of one client share a connection; those of several use all.
    const clients = Array.from({ length: 8 }, (_, n) => aClient(n + 2));
    for (const client of clients) await storage.clients.create({ client, subscription: null });
    const acknowledged: string[] = [];
    let unknown = 0;
    let n = 0;
    let killed = 0;
    const work = async (): Promise<void> => {
      while (killed < LOST) {
        n += 1;
        const request = aCreateRequest(n, { client: clients[n % clients.length] ?? CLIENT });
        try {
          const { outcome } = await storage.verifications.createCharged(request);
          expect(outcome).toBe('created');
          acknowledged.push(request.record.id);
        } catch (error) {
          expect(error).toMatchObject(UNAVAILABLE);
          unknown += 1;
        }
      }
    };

    const workers = Array.from({ length: 32 }, work);
    while (killed < LOST) {
      const rows = await raw`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'countersign' and datname = current_database() order by random() limit 4`;
      killed += rows.length;
      const before = acknowledged.length;
      await until(async () => acknowledged.length > before);
    }
    await Promise.all(workers);

    const ids = (await raw`select id from verifications`).map(({ id }) => String(id));
    const [sums] = await raw`
      select (select sum(used) from usage)::int as used, (select count(*) from verification_events)::int as events`;
    expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
    expect(sums).toEqual({ used: ids.length, events: ids.length });
    // A connection may die between the commit and the answer: only what ended in an error may be there besides.
    expect(ids.length - acknowledged.length).toBeLessThanOrEqual(unknown);
    expect(acknowledged.length).toBeGreaterThanOrEqual(LOST / 4);
    expect(await works(find)).toBe(true);
  });

  it('loses connections while lines are appended, the audit log is one chain with all that was acknowledged', {
    timeout: 60_000,
  }, async () => {
    const { url, storage } = await givenStorage();
    const raw = rawConnection(onTestFinished, url);
    const acknowledged: string[] = [];
    let attempts = 0;
    let killed = 0;
    const work = async (): Promise<void> => {
      while (killed < 60) {
        attempts += 1;
        const hash = entryHash(attempts);
        try {
          const head = await storage.audit.head();
          const sequence = (head?.sequence ?? 0) + 1;
          const line = auditEntry(sequence, { hash, ...(head !== null && { previousHash: head.hash }) });
          if ((await storage.audit.append(line)).outcome === 'appended') acknowledged.push(hash);
        } catch (error) {
          expect(error).toMatchObject(UNAVAILABLE);
        }
      }
    };

    const workers = Array.from({ length: 8 }, work);
    while (killed < 60) {
      const rows = await raw`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'countersign' and datname = current_database() order by random() limit 2`;
      killed += rows.length;
      const before = acknowledged.length;
      await until(async () => acknowledged.length > before);
    }
    await Promise.all(workers);

    const lines = await storage.audit.read(0, 100_000);
    expect(lines.map(({ sequence }) => sequence)).toEqual(lines.map((_, index) => index + 1));
    expect(lines.slice(1).map(({ previousHash }) => previousHash)).toEqual(
      lines.slice(0, -1).map(({ hash }) => hash),
    );
    const kept = new Set(lines.map(({ hash }) => hash));
    expect(acknowledged.filter((hash) => !kept.has(hash))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(30);
  });

  it('a frozen database: callers get SERVICE_UNAVAILABLE, and the storage recovers by itself', {
    timeout: 60_000,
  }, async () => {
    const { storage, find } = await givenStorage({ deadlineMs: 500 });
    await until(() => works(() => Promise.all(Array.from({ length: 30 }, find))));
    server.freeze();
    onTestFinished(() => server.thaw());

    const start = performance.now();
    const calls = Array.from({ length: 6_000 }, (_, n) =>
      n % 2 === 0 ? find() : storage.verifications.createCharged(aCreateRequest(n)),
    );
    const results = await Promise.allSettled(calls);

    // The deadline, and what a busy machine adds to it.
    expect(performance.now() - start).toBeLessThan(30_000);
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
    const messages = results.map((result) => (result.status === 'rejected' ? String(result.reason) : ''));
    for (const what of ['Too many queries', 'Too many creations']) {
      expect(messages.filter((message) => message.includes(what)).length).toBeGreaterThan(500);
    }
    // Long enough that connections are dropped and new ones fail.
    await until(() => performance.now() - start > 5_000);
    await expect(find()).rejects.toMatchObject(UNAVAILABLE);

    server.thaw();
    await until(() => works(find));
    expect(await storage.verifications.createCharged(aCreateRequest(99_999))).toEqual({ outcome: 'created' });
  });

  it('a database that is killed and started again: callers get SERVICE_UNAVAILABLE, and the storage recovers by itself', {
    timeout: 60_000,
  }, async () => {
    const { storage, find } = await givenStorage();
    await Promise.all(Array.from({ length: 30 }, find));

    await server.kill();
    const start = performance.now();
    await expect(find()).rejects.toMatchObject(UNAVAILABLE);
    await expect(storage.ping()).rejects.toMatchObject(UNAVAILABLE);
    expect(performance.now() - start).toBeLessThan(20_000);

    await server.restart();
    await until(() => works(find));
  });

  it('a network path that goes silent: new connections are made', async () => {
    const { url } = await givenStorage();
    const proxy = await startProxy(onTestFinished, url);
    const storage = await createPostgresStorage({ url: proxy.url, deadlineMs: 2_000 });
    onTestFinished(() => storage.close());
    await Promise.all(Array.from({ length: 20 }, () => storage.clients.list()));

    proxy.cut();
    await expect(storage.clients.list()).rejects.toMatchObject(UNAVAILABLE);

    await until(() => works(() => storage.clients.list()));
  });

  it('waits too long for a lock: the statement is canceled and changes nothing', async () => {
    const { url, storage, find } = await givenStorage({ deadlineMs: 3_000 });
    await storage.verifications.createCharged(aCreateRequest(1));
    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe('begin; update usage set used = used');

    await expect(storage.verifications.createCharged(aCreateRequest(2))).rejects.toMatchObject(UNAVAILABLE);
    expect((await find())?.id).toBe(verificationId(1));

    const others = rawConnection(onTestFinished, url);
    const waiting = () => others`select 1 from pg_stat_activity where wait_event_type = 'Lock'`;
    await until(async () => (await waiting()).length === 0);
    await raw.unsafe('rollback');
    expect(await storage.verifications.find(CLIENT.id, verificationId(2))).toBeNull();
    expect(await storage.verifications.createCharged(aCreateRequest(2))).toEqual({ outcome: 'created' });
    expect(await storage.clients.usedIn(CLIENT.id, '2026-03')).toBe(2);
  });

  it('allows fewer connections than the pool size: those serve every call', async () => {
    const { url } = await givenStorage({ poolSize: 1 });
    const crowd = await createPostgresStorage({ url, poolSize: 100, deadlineMs: 60_000 });
    onTestFinished(() => crowd.close());

    const lists = await Promise.all(Array.from({ length: 500 }, () => crowd.clients.list()));

    expect(lists.every(({ length }) => length === 1)).toBe(true);
  });
});
