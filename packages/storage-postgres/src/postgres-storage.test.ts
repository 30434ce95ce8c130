// Every case of the kit on a real Postgres.
import { ALL_SUITES, DURABILITY_SUITES } from '@countersign/storage-contract';
import { DELETE_ALL } from '@countersign/test-support/installation/delete-all';
import { type EmptiedStorage, emptiedStorage } from '@countersign/test-support/installation/emptied-storage';
import {
  describeWith,
  grantServerRole,
  type PostgresServer,
  startPostgres,
} from '@countersign/test-support/servers';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MIGRATIONS } from './database/migrations.ts';
import {
  createPostgresStorage,
  inspectPostgres,
  migratePostgres,
  type PostgresStorageOptions,
} from './postgres-storage.ts';

const SUITES = ALL_SUITES;
/** Their cases close the storage. */
const CLOSING = SUITES.filter(({ name }) => ['lifecycle', 'calls after close'].includes(name));

const NAMES = MIGRATIONS.map(({ name }) => name);

describeWith(['postgres'], 'on a real Postgres', () => {
  let server: PostgresServer;
  let url: string;
  let raw: postgres.Sql;
  let named: EmptiedStorage;

  // Without waiting for the disk, because no case depends on it.
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
    url = await server.createDatabase();
    await migratePostgres({ url });
    raw = postgres(url, { max: 1, onnotice: () => undefined });
    // The role that docs/operations.md describes, so that every operation needs its rights only.
    const limited = { url: await grantServerRole(url, { isPart: true }), migrate: false };
    named = emptiedStorage(raw, () => createPostgresStorage(limited));
  });
  afterAll(async () => {
    await named.close();
    await raw.end();
    await server.stop();
  });

  // One database, emptied before each case: making one takes Postgres five times as long as the case itself.
  const create = async (options: Partial<PostgresStorageOptions> = {}) => {
    await raw.unsafe(DELETE_ALL);
    return createPostgresStorage({ url, ...options });
  };

  // The whole contract, as `storageContract` runs it: only the suite that closes storages needs one for each case.
  describe.each(SUITES)('$name', (suite) => {
    it.each(suite.cases)('$name', async ({ run }) => {
      if (!CLOSING.includes(suite)) return run(await named.take());
      const storage = await create();
      onTestFinished(() => storage.close());
      await run(storage);
    });
  });

  describe.each(DURABILITY_SUITES)('$name', ({ cases }) => {
    it.each(cases)('$name', async ({ run }) => {
      const storage = await create();
      onTestFinished(() => storage.close());
      await run({ storage, reopen: () => createPostgresStorage({ url }) });
    });
  });

  it('inspect: reports address, version and settings, without the password', async () => {
    const facts = await inspectPostgres({ url, poolSize: 3 });

    const { hostname, port, pathname, username, password } = new URL(url);
    expect(facts).toEqual({
      host: `${hostname}:${port}`,
      database: pathname.slice(1),
      user: username,
      serverVersion: expect.stringMatching(/^\d+\.\d+$/),
      appliedMigrations: NAMES,
      pendingMigrations: [],
      clockDifferenceMs: expect.any(Number),
      roundTripMs: expect.any(Number),
      poolSize: 3,
      direct: { host: `${hostname}:${port}`, user: username, isReachable: true },
      notAnalyzable: [],
    });
    expect(JSON.stringify(facts)).not.toContain(`:${password}@`);
    // Both share a clock, so the difference is the round trip.
    expect(Math.abs(facts.clockDifferenceMs)).toBeLessThan(1_000);
  });

  it('inspect: reports the migrations that a database needs, and changes nothing', async () => {
    const empty = await server.createDatabase();

    const facts = await inspectPostgres({ url: empty });

    expect(facts).toMatchObject({ appliedMigrations: [], pendingMigrations: NAMES });
    expect((await inspectPostgres({ url: empty })).appliedMigrations).toEqual([]);
  });

  it('opens no more connections than the pool size, under the configured name', async () => {
    const storage = await create({ poolSize: 2, applicationName: 'pool-test' });
    onTestFinished(() => storage.close());
    await Promise.all(Array.from({ length: 100 }, () => storage.clients.list()));

    const [row] = await raw`select count(*)::int from pg_stat_activity where application_name = 'pool-test'`;

    expect(row).toEqual({ count: 2 });
  });

  it('sends look-ups that begin together over one connection, and a list over another', async () => {
    const storage = await create({ applicationName: 'together' });
    onTestFinished(() => storage.close());
    const connections = async () => {
      const [row] = await raw`select count(*)::int from pg_stat_activity where application_name = 'together'`;
      return row?.count;
    };
    const lookUp = () => storage.apiKeys.resolve('0'.repeat(64));
    await lookUp();

    await Promise.all(Array.from({ length: 8 }, lookUp));
    expect(await connections()).toBe(1);
    await Promise.all([lookUp(), storage.clients.list(), lookUp(), lookUp()]);
    expect(await connections()).toBe(2);
  });

  it('finds nothing for texts that Postgres cannot store', async () => {
    const storage = await create();
    onTestFinished(() => storage.close());
    const strange = ['\u0000', 'a\u0000', '\ud800', 'no id', 'C'.repeat(36)];
    for (const text of strange) {
      expect(await storage.clients.find(text)).toBeNull();
      expect(await storage.clients.usedIn(text, text)).toBe(0);
      expect(await storage.clients.changeSubscription(text, {}, null)).toEqual({ outcome: 'client_not_found' });
      expect(await storage.apiKeys.resolve(text)).toBeNull();
      expect(await storage.apiKeys.list(text)).toEqual([]);
      expect(await storage.apiKeys.revoke(text, text, new Date())).toEqual({ outcome: 'not_found' });
      expect(await storage.verifications.findByIdempotencyKey(text, text)).toBeNull();
      expect(await storage.verifications.counts(text)).toEqual([]);
      expect(await storage.counters.differences(text)).toEqual([]);
      expect(await storage.clients.setFileAccess(text, true)).toEqual({ outcome: 'client_not_found' });
    }
  });
});
