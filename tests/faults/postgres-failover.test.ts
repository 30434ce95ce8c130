// Kills a primary under load and promotes its standby.
import { type Answer, kindsOf } from '@countersign/test-support/api/api-client';
import { requestSteadily, type SentRequests } from '@countersign/test-support/api/steady-requests';
import { extent } from '@countersign/test-support/installation/extent';
import { givenCustomerOf, startInstances } from '@countersign/test-support/installation/instances';
import { tallyIn, verificationsIn } from '@countersign/test-support/installation/postgres-database';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, startPostgresPair } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';

/** Of both instances together. */
const REQUESTS_PER_SECOND = extent({ full: 200, short: 80 });
/** How many requests each instance answers before the failover, and with success after it. */
const ENOUGH = extent({ full: 1_000, short: 100 });

const ALLOWED: ReadonlySet<string> = new Set(['200', '201', '503 SERVICE_UNAVAILABLE']);

describeWith(['postgres'], 'a primary with a synchronous standby', () => {
  it(`dies under ${REQUESTS_PER_SECOND} requests a second: the standby takes over, and no acknowledged verification is lost`, async () => {
    const pair = await startPostgresPair();
    const instances = await startInstances(2, { DATABASE_URL: pair.url });
    const { clientId, key } = await givenCustomerOf(instances, { plan: 'enterprise', monthlyLimit: 1_000_000 });
    const loads = instances.map(({ origin }, n) =>
      requestSteadily(origin, key, REQUESTS_PER_SECOND / instances.length, `at_${n}`),
    );
    await until(() => loads.every((load) => load.answered() >= ENOUGH));

    await pair.failOver();

    const successes = () => loads.map((load) => load.succeeded());
    const before = successes();
    await until(() => successes().every((count, n) => count >= (before[n] ?? 0) + ENOUGH));
    const sent = await Promise.all(loads.map((load) => load.stop()));
    for (const { answers, faults } of sent) {
      expect(faults).toEqual([]);
      expect(Object.keys(kindsOf(answers)).filter((kind) => !ALLOWED.has(kind))).toEqual([]);
    }
    // The instances count requests together again a few seconds later than they serve.
    for (const { origin } of instances)
      await until(async () => (await readyOf(origin)) === '200 {"status":"ready"}');
    const stored = await verificationsIn(pair.url, clientId);
    const acknowledged = sent.flatMap(({ created }) => [...created]);
    expect(acknowledged.filter(([reference, id]) => stored.get(reference) !== id)).toEqual([]);
    const rows = stored.size;
    expect(await tallyIn(pair.url, clientId)).toMatchObject({ rows, used: rows, counted: rows, created: rows });
    console.info(summaryOf(sent, acknowledged.length, rows));
    await pair.stop();
  });
});

async function readyOf(origin: string): Promise<string> {
  const response = await fetch(`${origin}/readyz`);
  return `${response.status} ${await response.text()}`;
}

function summaryOf(sent: readonly SentRequests[], acknowledged: number, rows: number): string {
  const refusals = sent.flatMap(({ refused }) => refused);
  const lasted = Math.max(...refusals.map(({ at }) => at)) - Math.min(...refusals.map(({ at }) => at));
  const answers: readonly Answer[] = sent.flatMap((each) => each.answers);
  const seconds = Math.max(...sent.map((each) => each.seconds));
  return `failover: ${answers.length} requests, ${Math.round(answers.length / seconds)} a second, ${refusals.length} answered with 503 in ${(lasted / 1_000).toFixed(1)} s, ${acknowledged} creations acknowledged, 0 lost, ${rows - acknowledged} stored without an answer`;
}
