// Watches memory and open files of a server under load for half a minute.
import { setTimeout as pause } from 'node:timers/promises';
import { extent } from '@countersign/test-support/installation/extent';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { nothingAcknowledged } from '@countersign/test-support/load/acknowledged';
import { createMixedLoad } from '@countersign/test-support/load/mixed-load';
import { growthOf, type HealthSample, readHealth, seriesOf } from '@countersign/test-support/load/server-health';
import { card } from '@countersign/test-support/pages/pictures';
import { newMember } from '@countersign/test-support/pages/staff-forms';
import { freePort } from '@countersign/test-support/processes/free-port';
import { startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describe, expect, it } from 'vitest';

const MINUTES = extent({ full: 30, short: 0.03 });
const TIMEOUT_MS = extent({ full: 2_400_000, short: 240_000 });
const SAMPLES = extent({ full: 180, short: 3 });
const BETWEEN_KEYS_MS = extent({ full: 10_000, short: 300 });
/** Connections, timers and files of a server at rest vary by this much: jobs run, and statements are prepared. */
const AT_REST = { resources: 4, openFiles: 4 };
/** Generous bounds between the middle and the last third of the full length, in which data also grows. */
const GROWS_AT_MOST = { residentMb: 40, heapMb: 25 };
/** The server's delay is compared with the test's own, because both grow when the machine is busy with other work. */
const DELAY_GROWS_AT_MOST = 2;

describe('a server under mixed load', () => {
  it(`a server under mixed load for ${MINUTES} minutes: memory and event-loop delay stay flat, and no connection or file stays open`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const metricsPort = await freePort();
    const server = await startServer({ env: { METRICS_PORT: String(metricsPort) } });
    const origin = `http://localhost:${server.port}`;
    const { clientId, key } = await givenClientOf(server, { plan: 'enterprise', monthlyLimit: 10_000_000 });
    const reviewer = await newMember(server, { role: 'reviewer', name: 'Rita' });
    const owner = await newMember(server, { role: 'client', clientId, teamRole: 'owner', name: 'Olga' });
    const picture = await card('Specimen');
    const acknowledged = nothingAcknowledged();
    const mixedLoad = createMixedLoad({
      origin,
      key,
      reviewer,
      owner,
      picture,
      acknowledged,
      betweenKeysMs: BETWEEN_KEYS_MS,
    });
    const startedAt = performance.now();
    const read = () => readHealth(metricsPort, startedAt);

    // The first run opens what stays open: statements, the file's pages, the decoder.
    const warmUp = mixedLoad.start();
    await warmUp.until(() => acknowledged.submitted.size > 0);
    await warmUp.stop();
    const atRest = await restOf(read);

    const load = mixedLoad.start();
    const samples: HealthSample[] = [];
    for (let n = 0; n < SAMPLES; n++) {
      await pause((MINUTES * 60_000) / SAMPLES);
      samples.push(await read());
    }
    await load.until(() => acknowledged.approved.size > 0);
    await load.stop();

    for (const name of ['resources', 'openFiles'] as const) {
      await until(async () => (await read())[name] <= atRest[name] + AT_REST[name]);
    }
    const { created, submitted, approved } = acknowledged;
    console.info(
      `endurance: ${MINUTES} minutes, ${created.size} created, ${submitted.size} submitted, ${approved.size} approved, at rest again with ${atRest.resources} resources and ${atRest.openFiles} files\n${seriesOf(samples)}`,
    );
    expect(server.output()).not.toMatch(/"level":"?(error|fatal|50|60)\b/);
    if (MINUTES < 1) return;
    for (const [name, most] of Object.entries(GROWS_AT_MOST) as [keyof typeof GROWS_AT_MOST, number][]) {
      const { from, to } = growthOf(samples, (sample) => sample[name]);
      expect(to - from, `${name} grew from ${from} to ${to}`).toBeLessThan(most);
    }
    const { from, to } = growthOf(samples, ({ delayMs, ownDelayMs }) => delayMs / ownDelayMs);
    expect(to / from, `the delay grew from ${from} to ${to} times the test's own`).toBeLessThan(
      DELAY_GROWS_AT_MOST,
    );
  });
});

/** Waits until connections without requests are closed, and measures. */
async function restOf(read: () => Promise<HealthSample>): Promise<HealthSample> {
  let last = await read();
  await until(async () => {
    const before = last;
    await pause(1_000);
    last = await read();
    return last.resources === before.resources && last.openFiles === before.openFiles;
  });
  return last;
}
