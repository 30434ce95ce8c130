// Stops and freezes Redis under load, and waits for deadlines.
import { type Answer, atOnce, expectCommonHeaders, kindsOf } from '@countersign/test-support/api/api-client';
import {
  givenCustomerOf,
  type Instances,
  limitOutagesOf,
  startInstances,
  whileCountedTogether,
} from '@countersign/test-support/installation/instances';
import { steadily } from '@countersign/test-support/processes/steadily';
import {
  describeWith,
  type PostgresServer,
  type RedisServer,
  startPostgres,
  startRedis,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

/**
 * A bound for a busy machine. On a quiet machine the limiter waits for at most a second, and counts in Redis again within
 * 5 s. The test prints its measurements.
 */
const WITHIN_MS = 20_000;
const AT_ONCE = 16;

describeWith(['postgres', 'redis'], 'Redis fails under load', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let instances: Instances;

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres({ fsync: false }), startRedis({ own: true })]);
    instances = await startInstances(3, {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      // The clients that test the limit are on the standard plan, the load's client on another.
      STANDARD_REQUESTS_PER_MINUTE: '100',
    });
  });
  afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

  it('stopped and started: all requests succeed, and instances share the limit again', async () => {
    await expectSurvived('stopped', { fail: () => redis.stop(), bringBack: () => redis.start() });
  });

  it('frozen and resumed: all requests succeed, and instances share the limit again', async () => {
    onTestFinished(() => redis.thaw());
    await expectSurvived('frozen', { fail: async () => redis.freeze(), bringBack: async () => redis.thaw() });
  });

  interface Outage {
    fail(): Promise<void>;
    bringBack(): Promise<void>;
  }

  async function expectSurvived(what: string, { fail, bringBack }: Outage): Promise<void> {
    const { at } = await givenCustomerOf(instances, { plan: 'enterprise' });
    const before = instances.map(limitOutagesOf);
    const hasNew = (line: 'down' | 'back') =>
      instances.every((instance, n) => limitOutagesOf(instance)[line].length > (before[n]?.[line].length ?? 0));
    const answers: Timed[] = [];
    let asked = 0;
    const load = steadily(AT_ONCE, async () => {
      const begun = performance.now();
      const answer = await at(asked++).get('/verifications?limit=1');
      answers.push({ answer, took: performance.now() - begun });
    });
    await load.until(() => answers.length > 100);
    const calm = slowestOf(answers);

    const failedAt = performance.now();
    await fail();
    await load.until(() => hasNew('down'));
    const downAfter = performance.now() - failedAt;
    const noticed = answers.length;
    await load.until(() => answers.length > noticed + 300);
    // Meanwhile each instance counts locally.
    expect(await admittedOf(450)).toBe(300);
    expect(instances.map(({ output }) => output()).join('')).not.toContain('INTERNAL_ERROR');

    await bringBack();
    const startedAt = performance.now();
    await load.until(() => hasNew('back'));
    const backAfter = performance.now() - startedAt;
    await whileCountedTogether(instances, async () => expect(await admittedOf(240)).toBe(100));
    await load.stop();

    expect(kindsOf(answers.map(({ answer }) => answer))).toEqual({ '200': answers.length });
    for (const { answer } of answers) expectCommonHeaders(answer.headers);
    const slowest = slowestOf(answers);
    expect(slowest).toBeLessThan(WITHIN_MS);
    expect(backAfter).toBeLessThan(WITHIN_MS);
    // The log has one line per switch, with the reason, not one per request.
    for (const [n, instance] of instances.entries()) {
      const { down, back } = limitOutagesOf(instance);
      expect(down.length).toBe(back.length);
      expect(down.length - (before[n]?.down.length ?? 0)).toBeLessThan(AT_ONCE);
      expect(down.at(-1)).toMatch(/"level":"warn".*"store":"redis".*"reason":"[^"]+"/);
      expect(back.at(-1)).toContain('"store":"redis"');
    }
    console.info(
      `Redis ${what}: ${answers.length} requests passed, the slowest ${Math.round(slowest)} ms (${Math.round(calm)} before), noticed by all after ${Math.round(downAfter)} ms, back after ${Math.round(backAfter)} ms`,
    );
  }

  /** Sends `count` concurrent requests of a new standard client to all instances. @returns the number that succeed */
  async function admittedOf(count: number): Promise<number> {
    const { at } = await givenCustomerOf(instances);
    const kinds = kindsOf(await atOnce(count, (n) => at(n).get('/verifications?limit=1')));
    expect(Object.keys(kinds).sort()).toEqual(['200', '429 RATE_LIMIT_EXCEEDED']);
    return kinds['200'] ?? 0;
  }
});

interface Timed {
  readonly answer: Answer;
  readonly took: number;
}

const slowestOf = (answers: readonly Timed[]) => Math.max(...answers.map(({ took }) => took));
