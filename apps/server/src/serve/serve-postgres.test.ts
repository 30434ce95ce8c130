// Starts five servers on an empty database for several cases.
import { freePort } from '@countersign/test-support/processes/free-port';
import {
  describeWith,
  type PostgresServer,
  type RedisServer,
  startPostgres,
  startRedis,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { type ServerProcess, workplaceOfEachTest } from '../../test-support/workplace.ts';

/** How long to wait for background work. */
const SOON = { timeout: 50_000, interval: 50 };

describeWith(['postgres', 'redis'], 'servers on Postgres', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let url: string;
  const workplace = workplaceOfEachTest();
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false, own: true });
    redis = await startRedis({ own: true });
  });
  afterAll(async () => {
    await postgres.stop();
    await redis.stop();
  });
  beforeEach(async () => {
    url = await postgres.createDatabase();
  });

  const list = (server: ServerProcess, key: string) =>
    fetch(`${server.origin}/api/v1/verifications`, { headers: { 'X-API-Key': key } });
  const remaining = async (server: ServerProcess, key: string) =>
    Number((await list(server, key)).headers.get('x-ratelimit-remaining'));

  test('create one demo client and print its key once when five start on an empty database', async () => {
    const servers = await Promise.all(Array.from({ length: 5 }, () => workplace.serve({ DATABASE_URL: url })));

    const [key = '', ...others] = servers.map((server) => server.key()).filter((printed) => printed !== '');
    expect(others).toEqual([]);
    expect(await Promise.all(servers.map(async (server) => (await list(server, key)).status))).toEqual(
      servers.map(() => 200),
    );
    const { out } = await runCommand(['client', 'list', '--json'], { DATABASE_URL: url });
    expect(JSON.parse(out)).toHaveLength(1);
  });

  test('share rate limits in the database, and stop cleanly', async () => {
    const first = await workplace.serve({ DATABASE_URL: url });
    const second = await workplace.serve({ DATABASE_URL: url, MIGRATE: 'off', DATABASE_NAMED_STATEMENTS: 'off' });
    const key = first.key();

    expect(await remaining(first, key)).toBe(99);
    expect(await remaining(second, key)).toBe(98);

    for (const server of [first, second]) server.child.kill('SIGTERM');
    expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
    expect([first.err(), second.err()]).toEqual(['', '']);
  });

  test('count locally while Redis is down, log each switch once, and show it in the metrics', async () => {
    const metricsPort = await freePort();
    const environment = { DATABASE_URL: url, REDIS_URL: redis.url };
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await redis.stop();
    const server = await workplace.serve({ ...environment, METRICS_PORT: String(metricsPort) });
    const key = server.key();

    expect(await remaining(server, key)).toBe(99);
    expect(await remaining(server, key)).toBe(98);
    expect(await metrics()).toContain('countersign_shared_rate_limits_up 0\n');
    expect(await (await fetch(`${server.origin}/readyz`)).json()).toEqual({
      status: 'ready',
      degraded: ['shared_rate_limits'],
    });
    await vi.waitFor(async () => {
      expect(await metrics()).toMatch(/^countersign_verifications\{status="pending"\} 0$/m);
    }, SOON);
    expect(await metrics()).toMatch(/^countersign_database_bytes \d{7,}$/m);
    expect(await metrics()).toMatch(/^countersign_database_connections [1-9]/m);

    await redis.start();
    await vi.waitFor(async () => expect(await metrics()).toContain('countersign_shared_rate_limits_up 1\n'), SOON);
    expect(await (await fetch(`${server.origin}/readyz`)).json()).toEqual({ status: 'ready' });
    const other = await workplace.serve(environment);
    expect(await remaining(server, key)).toBe(99);
    expect(await remaining(other, key)).toBe(98);

    expect(await metrics()).toContain('countersign_shared_rate_limit_switches_total{to="local"} 1\n');
    expect(await metrics()).toContain('countersign_shared_rate_limit_switches_total{to="shared"} 1\n');
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    const switches = server.log().filter(({ msg }) => String(msg).startsWith('shared rate limits'));
    expect(switches).toEqual([
      expect.objectContaining({ level: 'warn', store: 'redis', reason: expect.stringContaining('ECONNREFUSED') }),
      expect.objectContaining({ level: 'info', store: 'redis', msg: 'shared rate limits are back' }),
    ]);
  });

  test('answer 503 within the timeout and count locally while the database is frozen, then recover', async () => {
    const server = await workplace.serve({ DATABASE_URL: url });
    const key = server.key();
    expect((await list(server, key)).status).toBe(200);

    postgres.freeze();
    // All responses must arrive before the database continues.
    try {
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
      const [answer, page] = await Promise.all([list(server, key), fetch(`${server.origin}/verify/x.y`)]);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^9\d$/);
      // A malformed link needs no database.
      expect(page.status).toBe(404);
    } finally {
      postgres.thaw();
    }

    await vi.waitFor(async () => expect((await fetch(`${server.origin}/readyz`)).status).toBe(200), SOON);
    expect((await list(server, key)).status).toBe(200);
  });

  test('show a page with Retry-After for a link while the database is down', async () => {
    const server = await workplace.serve({ DATABASE_URL: url, PUBLIC_BASE_URL: 'https://verify.example' });
    const created = await fetch(`${server.origin}/api/v1/verifications`, {
      method: 'POST',
      headers: { 'X-API-Key': server.key(), 'Content-Type': 'application/json' },
      body: '{"subjectType":"kyc","subjectReference":"user_1"}',
    });
    const { data } = (await created.json()) as { data: { verificationUrl: string } };
    const link = server.origin + new URL(data.verificationUrl).pathname;
    const open = () => fetch(link, { redirect: 'manual' });
    expect((await open()).status).toBe(303);

    await postgres.kill();
    try {
      const page = await open();
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await page.text()).toContain('What you saved before is kept');
    } finally {
      await postgres.restart();
    }
    await vi.waitFor(async () => expect((await open()).status).toBe(303), SOON);
  });
});
