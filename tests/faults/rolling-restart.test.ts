import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, createApiClient, idOf, kindsOf, newSubject } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { startInstances } from '@countersign/test-support/installation/instances';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { tallyIn, verificationsIn } from '@countersign/test-support/installation/postgres-database';
import { startReadyBalancer } from '@countersign/test-support/installation/ready-balancer';
import { NO_RATE_LIMITS, startServer } from '@countersign/test-support/processes/server-process';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';

const RESTARTS = extent({ full: 20, short: 2 });
const REQUESTS_PER_SECOND = extent({ full: 200, short: 80 });
/** On a machine that is too busy for this rate, no more requests than these wait for a response. */
const AT_MOST_OPEN = 100;
/** Longer than the balancer needs to ask for `/readyz` on a busy machine. */
const STOP_DELAY_SECONDS = '3';
const TIMEOUT_MS = extent({ full: 1_200_000, short: 240_000 });
/** Time in which both instances serve, between two restarts. */
const BETWEEN_MS = 500;

describeWith(['postgres'], 'two instances behind a load balancer', () => {
  it(`restart one after the other under ${REQUESTS_PER_SECOND} requests a second, ${RESTARTS} times: no request fails`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const postgres = await startPostgres({ fsync: false });
    const balancer = await startReadyBalancer();
    const url = await postgres.createDatabase();
    const instances = [...(await startInstances(2, { ...NO_RATE_LIMITS, DATABASE_URL: url, STOP_DELAY_SECONDS }))];
    for (const instance of instances) balancer.add(instance);
    const { clientId, key } = await givenClientOf(instances[0] as (typeof instances)[0], {
      monthlyLimit: 1_000_000,
    });
    const load = requestSteadily(balancer.origin, key);

    for (let n = 0; n < RESTARTS; n++) {
      const place = n % instances.length;
      const old = instances[place] as (typeof instances)[0];
      expect((await old.stop()).code).toBe(0);
      balancer.remove(old);
      const restarted = await startServer({ dataDir: old.dataDir, env: old.env });
      instances[place] = restarted;
      balancer.add(restarted);
      await pause(BETWEEN_MS);
    }
    const { answers, faults, created, slowest, seconds } = await load.stop();

    expect(faults).toEqual([]);
    const kinds = kindsOf(answers);
    expect(kinds).toEqual({ '200': expect.any(Number) as number, '201': created.size });
    expect(await verificationsIn(url, clientId)).toEqual(created);
    const rows = created.size;
    expect(await tallyIn(url, clientId)).toEqual({ rows, used: rows, counted: rows, created: rows, events: rows });
    const retried = [...balancer.retried].map(([code, count]) => `${count} after ${code}`).join(', ');
    console.info(
      `rolling restart: ${RESTARTS} restarts, ${answers.length} requests, ${Math.round(answers.length / seconds)} a second, 0 failed, sent again: ${retried || 'none'}, the slowest ${Math.round(slowest)} ms`,
    );
    await postgres.stop();
  });
});

/** Sends requests at a fixed rate, also while earlier ones wait for a response. */
function requestSteadily(origin: string, key: string) {
  const api = createApiClient(`${origin}/api/v1`, key);
  const answers: Answer[] = [];
  const faults: string[] = [];
  const created = new Map<string, string>();
  const unanswered = new Set<Promise<void>>();
  const begun = performance.now();
  let sent = 0;
  let slowest = 0;
  let latest = '';

  async function create(reference: string, headers?: Record<string, string>): Promise<Answer> {
    const answer = await api.post(newSubject(reference), headers);
    latest = idOf(answer);
    created.set(reference, latest);
    return answer;
  }

  async function send(n: number): Promise<void> {
    const start = performance.now();
    const kind = n % 4;
    const reference = `user_${n}`;
    try {
      if (kind === 0) answers.push(await create(reference, { 'Idempotency-Key': reference }));
      else if (kind === 1) answers.push(await create(reference));
      else if (kind === 2 && latest !== '') answers.push(await api.get(`/verifications/${latest}`));
      else answers.push(await api.get('/verifications?limit=10'));
    } catch (fault) {
      faults.push(`${['creation with a key', 'creation', 'read', 'list'][kind]}: ${String(fault)}`);
    }
    slowest = Math.max(slowest, performance.now() - start);
  }

  const timer = setInterval(() => {
    const due = ((performance.now() - begun) / 1000) * REQUESTS_PER_SECOND;
    while (sent < due && unanswered.size < AT_MOST_OPEN) {
      const request = send(sent++).finally(() => unanswered.delete(request));
      unanswered.add(request);
    }
  }, 5);

  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(unanswered);
      return { answers, faults, created, slowest, seconds: (performance.now() - begun) / 1000 };
    },
  };
}
