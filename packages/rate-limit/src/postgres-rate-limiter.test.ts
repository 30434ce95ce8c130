import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPostgresRateLimiter, type PostgresRateLimiterOptions, type SharedRateLimiter } from './index.ts';

const limit = (requests: number, windowSeconds = 60) => ({ requests, windowSeconds });

describeWith(['postgres'], 'rate limits in Postgres', () => {
  let server: PostgresServer;
  const open: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(open.splice(0).map((each) => each.close()));
  });
  afterAll(() => server.stop());

  function limiterAt(url: string, options: Partial<PostgresRateLimiterOptions> = {}): SharedRateLimiter {
    const limiter = createPostgresRateLimiter({ url, deadlineMs: 10_000, ...options });
    open.push(limiter);
    return limiter;
  }

  function look(url: string): postgres.Sql {
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    open.push({ close: () => sql.end() });
    return sql;
  }

  it('creates its unlogged table when several instances start at once', async () => {
    const url = await server.createDatabase();
    const decisions = await Promise.all(
      Array.from({ length: 12 }, () => limiterAt(url, { poolSize: 1 }).consume('client:a', limit(10))),
    );
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10);
    const tables = await look(url)`SELECT relname, relpersistence FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
    expect([...tables]).toEqual([{ relname: 'rate_limit_windows', relpersistence: 'u' }]);
  });

  it('counts without the right to create a table when the table exists', async () => {
    const url = await server.createDatabase();
    await limiterAt(url).ping();
    const sql = look(url);
    const user = `poor_${process.pid}`;
    await sql.unsafe(`CREATE ROLE ${user} LOGIN PASSWORD 'poor'`);
    await sql.unsafe(`GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limit_windows TO ${user}`);
    const poor = new URL(url);
    poor.username = user;
    poor.password = 'poor';
    expect(await limiterAt(poor.href).consume('client:a', limit(5))).toMatchObject({ remaining: 4 });
    await sql.unsafe(`DROP OWNED BY ${user}`);
    await sql.unsafe(`DROP ROLE ${user}`);
  });

  it("uses the database's clock, not the instance's", async () => {
    const url = await server.createDatabase();
    const limiter = limiterAt(url);
    const { resetAt } = await limiter.consume('client:a', limit(5));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect(await limiter.consume('client:a', limit(5))).toEqual({
      allowed: true,
      limit: 5,
      remaining: 3,
      resetAt,
    });
  });

  it('deletes ended windows only', async () => {
    const url = await server.createDatabase();
    const limiter = limiterAt(url, { deleteEveryMs: 20 });
    await limiter.consume('client:long', limit(5));
    await Promise.all(Array.from({ length: 50 }, (_, n) => limiter.consume(`client:${n}`, limit(5, 1))));
    const sql = look(url);
    const buckets = async () =>
      (await sql`SELECT bucket FROM rate_limit_windows`).map((row) => row.bucket as string);
    expect((await buckets()).length).toBeGreaterThan(1);
    await vi.waitFor(async () => expect(await buckets()).toEqual(['client:long']), { timeout: 10_000 });
  });

  it('creates its table again after it was dropped', async () => {
    const url = await server.createDatabase();
    const limiter = limiterAt(url);
    await limiter.ping();
    await look(url)`DROP TABLE rate_limit_windows`;
    await expect(limiter.ping()).rejects.toThrow(/rate_limit_windows.*42P01/);
    await limiter.ping();
  });

  it('an error is one line without the password', async () => {
    const url = new URL(await server.createDatabase());
    url.password = 'very-wrong';
    const fault = await limiterAt(url.href)
      .ping()
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({
      message: expect.stringMatching(
        /^Postgres does not count requests: password authentication failed [^\n]*28P01/,
      ),
    });
    expect(Object.keys(fault as object)).toEqual([]);
  });
});

describe('without a Postgres', () => {
  it('consume rejects soon, on every call', async () => {
    const limiter = createPostgresRateLimiter({ url: 'postgres://somebody@127.0.0.1:1/none' });
    for (let attempt = 0; attempt < 3; attempt++) await expect(limiter.ping()).rejects.toThrow(/ECONNREFUSED/);
    await limiter.close();
  });

  it.each(['', 'localhost:5432', 'http://localhost', 'postgres://', 'postgres://user:hidden@host:port/db'])(
    'refuses the URL %j without repeating it in the error',
    (url) => {
      expect(() => createPostgresRateLimiter({ url })).toThrow(
        new TypeError('the URL of Postgres must begin with postgres://'),
      );
    },
  );
});
