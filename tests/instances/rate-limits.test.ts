// Four servers share a limit, on Postgres and on Redis.
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Answer,
  type ApiClient,
  atOnce,
  expectRefusal,
  kindsOf,
} from '@countersign/test-support/api/api-client';
import { expectReset, limitsOf } from '@countersign/test-support/api/rate-limit-headers';
import {
  givenCustomerOf,
  type Instances,
  spreadOver,
  startInstances,
  whileCountedTogether,
} from '@countersign/test-support/installation/instances';
import {
  describeWith,
  type PostgresServer,
  type RedisServer,
  startPostgres,
  startRedis,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWith(['postgres'], 'four instances that count in Postgres', () => {
  let postgres: PostgresServer;
  let instances: Instances;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
    instances = await startInstances(
      4,
      { DATABASE_URL: await postgres.createDatabase() },
      { rateLimits: 'of the program' },
    );
  });
  afterAll(() => postgres.stop());

  admitTogether(() => instances);
});

describeWith(['postgres', 'redis'], 'four instances that count in Redis', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let instances: Instances;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres({ fsync: false }), startRedis()]);
    instances = await startInstances(
      4,
      { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url },
      { rateLimits: 'of the program' },
    );
  });
  afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

  admitTogether(() => instances);
});

const WINDOW_MS = 60_000;

function admitTogether(instances: () => Instances): void {
  it.each([
    ['standard', 100, 240],
    ['enterprise', 500, 700],
  ] as const)('plan %s: exactly %i of %i concurrent requests succeed', async (plan, limit, count) => {
    await whileCountedTogether(instances(), async () => {
      const { at } = await givenCustomerOf(instances(), { plan });

      await expectAdmitted(at, limit, count);

      // Each instance refuses the next one, also if the others admitted all.
      for (const n of instances().keys()) {
        expectRefusal(await at(n).get(), 429, 'RATE_LIMIT_EXCEEDED');
      }
    });
  });

  it('exactly the first 100 of 120 sequential requests succeed', async () => {
    await whileCountedTogether(instances(), async () => {
      const { at } = await givenCustomerOf(instances());

      const statuses: number[] = [];
      const remaining: number[] = [];
      for (let n = 0; n < 120; n++) {
        const answer = await at(n).get();
        statuses.push(answer.status);
        remaining.push(limitsOf(answer).remaining);
      }

      expect(statuses).toEqual([...Array<number>(100).fill(200), ...Array<number>(20).fill(429)]);
      expect(remaining.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n));
    });
  });

  it('share the limit of requests without a key', async () => {
    const withoutKey = spreadOver(instances());
    await whileCountedTogether(instances(), async (attempt) => {
      // They count against this machine's one address, so a retry waits for the next window.
      if (attempt > 1) await pause(WINDOW_MS);

      const answers = await atOnce(150, (n) => withoutKey(n).get());

      expect(kindsOf(answers)).toEqual({ '401 API_KEY_REQUIRED': 100, '429 RATE_LIMIT_EXCEEDED': 50 });
    });
  });
}

async function expectAdmitted(
  at: (n: number) => ApiClient,
  limit: number,
  count: number,
): Promise<{ answers: readonly Answer[] }> {
  const before = Date.now();
  const answers = await atOnce(count, (n) => at(n).get());
  const after = Date.now();

  expect(kindsOf(answers)).toEqual({ '200': limit, '429 RATE_LIMIT_EXCEEDED': count - limit });
  // The headers of all instances describe the same window and count.
  const [{ reset } = { reset: 0 }] = answers.map(limitsOf);
  expectReset(reset, before, after);
  for (const answer of answers) expect(limitsOf(answer)).toMatchObject({ limit, reset });
  const remaining = answers.filter(({ status }) => status === 200).map((answer) => limitsOf(answer).remaining);
  expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: limit }, (_, n) => limit - 1 - n));
  for (const answer of answers.filter(({ status }) => status === 429)) {
    expect(limitsOf(answer).remaining).toBe(0);
    expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  }
  return { answers };
}
