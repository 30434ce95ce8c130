import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { inspectRateLimitTable } from './inspect-postgres.ts';
import { createPostgresRateLimiter } from './postgres-rate-limiter.ts';

describeWith(['postgres'], 'inspectRateLimitTable', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  test('says before the first server that the table will be created, and counts its windows afterwards', async () => {
    const url = await server.createDatabase();
    const table = 'rate_limit_windows';
    expect(await inspectRateLimitTable({ url })).toEqual({ table, exists: false, isUsable: true, windows: null });

    const limiter = createPostgresRateLimiter({ url });
    onTestFinished(() => limiter.close());
    for (const bucket of ['a', 'b', 'b']) await limiter.consume(bucket, { requests: 10, windowSeconds: 60 });

    expect(await inspectRateLimitTable({ url })).toEqual({ table, exists: true, isUsable: true, windows: 2 });
  });

  test('finds a table that the user may not write', async () => {
    const url = await server.createDatabase();
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    onTestFinished(() => sql.end());
    const role = `reader_${new URL(url).pathname.slice(1).replaceAll(/\W/g, '_')}`;
    await sql.unsafe(
      `CREATE TABLE rate_limit_windows (bucket text); CREATE ROLE ${role} LOGIN PASSWORD 'reader'; GRANT SELECT ON rate_limit_windows TO ${role}`,
    );
    const reader = new URL(url);
    reader.username = role;
    reader.password = 'reader';

    expect(await inspectRateLimitTable({ url: reader.href })).toMatchObject({
      exists: true,
      isUsable: false,
      windows: null,
    });
  });
});
