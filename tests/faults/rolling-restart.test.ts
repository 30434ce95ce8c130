// Restarts two servers behind a load balancer under load.
import { setTimeout as pause } from 'node:timers/promises';
import { kindsOf } from '@countersign/test-support/api/api-client';
import { requestSteadily } from '@countersign/test-support/api/steady-requests';
import { extent } from '@countersign/test-support/installation/extent';
import { startInstances } from '@countersign/test-support/installation/instances';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { tallyIn, verificationsIn } from '@countersign/test-support/installation/postgres-database';
import { startReadyBalancer } from '@countersign/test-support/installation/ready-balancer';
import { startServer } from '@countersign/test-support/processes/server-process';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';

const RESTARTS = extent({ full: 20, short: 1 });
const REQUESTS_PER_SECOND = extent({ full: 200, short: 80 });
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
    const instances = [...(await startInstances(2, { DATABASE_URL: url, STOP_DELAY_SECONDS }))];
    for (const instance of instances) balancer.add(instance);
    const { clientId, key } = await givenClientOf(instances[0] as (typeof instances)[0], {
      monthlyLimit: 1_000_000,
    });
    const load = requestSteadily(balancer.origin, key, REQUESTS_PER_SECOND);

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
