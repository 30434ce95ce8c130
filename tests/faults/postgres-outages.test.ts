import { setTimeout as pause } from 'node:timers/promises';
import {
  type Answer,
  atOnce,
  expectRefusal,
  idOf,
  kindsOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { createSteadily, type Sent, type SteadyLoad } from '@countersign/test-support/api/steady-load';
import { extent } from '@countersign/test-support/installation/extent';
import {
  type GivenCustomer,
  givenCustomerOf,
  type Instances,
  startInstances,
} from '@countersign/test-support/installation/instances';
import { tallyIn, verificationsIn } from '@countersign/test-support/installation/postgres-database';
import { residentMegabytesOf } from '@countersign/test-support/processes/resident-memory';
import { NO_RATE_LIMITS } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

const FROZEN_MS = extent({ full: 20_000, short: 7_000 });
/** What a client waits at most, and after how long everything is well again (issue 3). */
const ANSWER_WITHIN_MS = 6_000;
const BACK_WITHIN_MS = 5_000;
const CROWD = 200;
const GROWS_AT_MOST_MB = 80;

describeWith(['postgres'], 'a Postgres that fails under load', () => {
  let postgres: PostgresServer;
  let url: string;
  let instances: Instances;

  beforeAll(async () => {
    postgres = await startPostgres({ own: true });
    url = await postgres.createDatabase();
    instances = await startInstances(2, {
      ...NO_RATE_LIMITS,
      // Of a client that is counted; the load is another one's, on Enterprise.
      STANDARD_REQUESTS_PER_MINUTE: '100',
      DATABASE_URL: url,
    });
  });
  afterAll(() => postgres.stop());

  it(`frozen for ${FROZEN_MS / 1000} s: 503 in time, and well again by itself`, async () => {
    onTestFinished(() => postgres.thaw());
    await expectSurvived('frozen', {
      async fail() {
        postgres.freeze();
        await pause(FROZEN_MS);
      },
      bringBack: async () => postgres.thaw(),
    });
  });

  it('killed and started again: 503 in time, and well again by itself', async () => {
    await expectSurvived('killed', {
      async fail(load) {
        await postgres.kill();
        await load.until(() => refusedOf(load).length > 1_000);
      },
      bringBack: () => postgres.restart(),
    });
  });

  interface Outage {
    /** Takes the database away, and resolves when it was away for long enough. */
    fail(load: SteadyLoad): Promise<void>;
    bringBack(): Promise<void>;
  }

  async function expectSurvived(what: string, { fail, bringBack }: Outage): Promise<void> {
    const customer = await givenCustomerOf(instances, { plan: 'enterprise', monthlyLimit: 1_000_000 });
    const { at, clientId } = customer;
    const first = idOf(await at(0).post(newSubject('first')));
    // As much at once as during the outage, so that what is compared is not the first burst with none.
    expect(kindsOf(await atOnce(CROWD, (n) => at(n).get()))).toEqual({ '200': CROWD });
    const load = createSteadily(at, { atOnce: CROWD, name: what });
    await load.until(() => load.acknowledged.size > 500);
    const memoryBefore = instances.map(({ pid }) => residentMegabytesOf(pid));

    const failedAt = performance.now();
    const [, others, peaks] = await Promise.all([
      fail(load),
      askDuring(customer, first),
      // When all that can wait has waited for long.
      load
        .until(() => refusedOf(load).length >= CROWD)
        .then(() => instances.map(({ pid }) => residentMegabytesOf(pid))),
    ]);
    const backAt = performance.now();
    await bringBack();
    const startedAt = performance.now();
    const sharesLimits = () => instances.every((one) => countOf(one, LIMITS_BACK) === countOf(one, LIMITS_DOWN));
    // It goes on until everybody was served again, and often enough to show that it stays so.
    const served = () =>
      load.sent.filter(({ begun, answer }) => begun > startedAt && answer.status === 201).length;
    const [countedAfter] = await Promise.all([
      until(sharesLimits).then(() => performance.now() - startedAt),
      load.until(() => served() > 5 * CROWD),
    ]);
    await load.stop();

    // Without Redis requests are counted there as well: together again, soon.
    const counted = await givenCustomerOf(instances);
    expect(kindsOf(await atOnce(150, (n) => counted.at(n).get('/verifications?limit=1')))).toEqual({
      '200': 100,
      '429 RATE_LIMIT_EXCEEDED': 50,
    });
    for (const instance of instances) expect(countOf(instance, LIMITS_DOWN)).toBeGreaterThan(0);
    expect(countedAfter).toBeLessThan(BACK_WITHIN_MS);

    // During it, everybody was refused, as documented and in time.
    const refused = refusedOf(load);
    for (const { answer } of refused) expectUnavailable(answer);
    expect(kindsOf(load.sent.map(({ answer }) => answer))).toEqual({
      '201': load.sent.length - refused.length,
      '503 SERVICE_UNAVAILABLE': refused.length,
    });
    const meanwhile = load.sent.filter(({ begun }) => begun > failedAt + 100 && begun + ANSWER_WITHIN_MS < backAt);
    expect(meanwhile.filter(({ answer }) => answer.status !== 503)).toEqual([]);
    const slowest = Math.max(...load.sent.map(({ took }) => took));
    expect(slowest).toBeLessThan(ANSWER_WITHIN_MS);
    for (const { answer, took } of others) {
      expectUnavailable(answer);
      expect(took).toBeLessThan(ANSWER_WITHIN_MS);
    }

    // Nobody did anything, and it is well again.
    const lastRefused = Math.max(...refused.map(({ begun, took }) => begun + took)) - startedAt;
    expect(lastRefused).toBeLessThan(BACK_WITHIN_MS);
    for (const n of instances.keys()) {
      expect((await fetch(`${instances[n]?.origin}/readyz`)).status).toBe(200);
      expect((await at(n).get(`/verifications/${first}`)).status).toBe(200);
      expect(instances[n]?.output()).not.toMatch(/"level":"fatal"|INTERNAL_ERROR/);
    }

    // Nothing that was acknowledged is lost, and nothing is counted twice.
    expect(await verificationsIn(url, clientId)).toEqual(new Map([['first', first], ...load.acknowledged]));
    const rows = load.acknowledged.size + 1;
    expect(await tallyIn(url, clientId)).toEqual({ rows, used: rows, created: rows, events: rows });

    // Those that waited did not pile up.
    const grown = instances.map(({ pid }, n) => {
      const most = Math.max(peaks[n] ?? Number.NaN, residentMegabytesOf(pid));
      return Math.round(most - (memoryBefore[n] ?? Number.NaN));
    });
    expect(Math.max(...grown)).toBeLessThan(GROWS_AT_MOST_MB);
    console.info(
      `${what}: ${refused.length} refused, the slowest answer ${Math.round(slowest)} ms, the last refusal ${Math.round(lastRefused)} ms and shared limits ${Math.round(countedAfter)} ms after the return, ${load.acknowledged.size} acknowledged, ${load.replayed} of them had been carried out unheard, memory grew by ${grown.join(' and ')} MB`,
    );
  }

  /** Everything else that a server is asked while its database is away. Whether it lives has nothing to do with that. */
  async function askDuring({ at }: GivenCustomer, id: string): Promise<Sent[]> {
    // What was on its way just then has come.
    await pause(200);
    const timed = async (send: () => Promise<Answer>): Promise<Sent> => {
      const begun = performance.now();
      const answer = await send();
      return { begun, took: performance.now() - begun, answer };
    };
    const asked = Promise.all([
      timed(() => at(0).get(`/verifications/${id}`)),
      timed(() => at(1).get()),
      timed(() => at(0).get(`/verifications/${id}/details`)),
      timed(() => at(1).request('/verifications', { headers: { 'X-API-Key': `csk_${'0'.repeat(64)}` } })),
    ]);
    for (const { origin } of instances) {
      expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      expect((await fetch(`${origin}/readyz`)).status).toBe(503);
    }
    return await asked;
  }
});

const LIMITS_DOWN = /shared rate limits are down/g;
const LIMITS_BACK = /shared rate limits are back/g;
const countOf = ({ output }: Instances[number], pattern: RegExp) => output().match(pattern)?.length ?? 0;

const refusedOf = ({ sent }: SteadyLoad) => sent.filter(({ answer }) => answer.status !== 201);

function expectUnavailable(answer: Answer): void {
  expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}
