import { createAccounts } from '@countersign/accounts';
import type { ManageStaff } from '@countersign/domain';
import { createSystemClock } from '@countersign/runtime';
import type { DependencyContainer } from 'tsyringe';
import type { ServerSettings } from '../config/settings.ts';
import { createLog, type Log } from '../logging/log.ts';
import { createOutput, type Output } from '../logging/output.ts';
import { createCountingLog } from '../metrics/counting-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createMetricsServer } from '../metrics/metrics-server.ts';
import { bannerText } from '../serve/banner.ts';
import { createDemoClient } from '../serve/demo-client.ts';
import { createDemoStaff } from '../serve/demo-staff.ts';
import { stopServer } from '../serve/graceful-stop.ts';
import type { Phase } from '../serve/health.ts';
import { isUpload } from '../serve/is-upload.ts';
import { startJobs } from '../serve/jobs.ts';
import { listen } from '../serve/listen.ts';
import { createNodeServer } from '../serve/node-server.ts';
import { newRequestId } from '../serve/request-id.ts';
import { listenForStopSignals } from '../serve/stop-signals.ts';
import { endNow, endOnUncaught } from '../serve/uncaught.ts';
import { serverVersion } from '../version.ts';
import { chooseDatabase } from './choose-database.ts';
import { type Closers, createClosers } from './closers.ts';
import { createEvidence } from './evidence.ts';
import { openRateLimiting } from './rate-limiting.ts';
import { sealing, secretKeysToServe } from './sealing.ts';
import { createServerContainer } from './server-container.ts';
import { tokens } from './tokens.ts';

interface Surroundings {
  readonly closers: Closers;
  readonly output: Output;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
}

/**
 * Serves until a signal asks it to stop, and resolves when everything is closed again.
 * @throws SettingError, SqliteOpenError, PostgresOpenError before anything is served
 */
export async function serve(settings: ServerSettings): Promise<void> {
  const output = createOutput();
  const metrics = await createMetricsFor(settings);
  const log = createServerLog(settings, { output, metrics });
  const closers = createClosers();
  closers.push(endOnUncaught(log, output));
  try {
    await serveUntilAsked(settings, { closers, output, log, metrics });
    await closers.closeAll();
    log.event('stopped');
  } finally {
    await closers.closeAll();
    log.flush();
    await output.close();
  }
}

/** The library is loaded where somebody wants to read what it counts. */
async function createMetricsFor({ metrics }: ServerSettings): Promise<Metrics | undefined> {
  if (metrics === undefined) return undefined;
  const { createMetrics } = await import('../metrics/metrics.ts');
  return createMetrics();
}

function createServerLog(
  { logLevel }: ServerSettings,
  { output, metrics }: Pick<Surroundings, 'output' | 'metrics'>,
): Log {
  const log = createLog({ level: logLevel, output });
  return metrics === undefined ? log : createCountingLog(log, metrics);
}

async function serveUntilAsked(settings: ServerSettings, surroundings: Surroundings): Promise<void> {
  const { closers, output, log } = surroundings;
  const signals = listenForStopSignals({
    onSecond: (signal) => endNow({ log, output }, `second ${signal}, stopped at once`),
  });
  closers.push(signals.ignore);

  let phase: Phase = 'starting';
  const { container, staff } = await compose(settings, surroundings, () => phase);
  const countersign = container.resolve(tokens.countersign);
  const ids = container.resolve(tokens.ids);
  const { server, connections } = createNodeServer({
    listener: container.resolve(tokens.listener),
    newRequestId,
    countRequest: countersign.rateLimits.forAddress,
    onResponse: log.request,
    isUpload,
  });
  await serveMetrics(settings, surroundings);
  await listen(server, settings);
  closers.push(async () => {
    const { finished } = await stopServer(server, connections);
    if (!finished) log.warning('requests that ran too long were cut off');
  });

  const { host, port, publicBaseUrl, production } = settings;
  if (!production) {
    // Only now: a start that fails must not use up the one showing of the demo key and of the link.
    const demo = await createDemoClient(countersign, container.resolve(tokens.storage).clients);
    const demoStaff =
      demo === undefined ? undefined : await createDemoStaff(staff, { clientId: demo.clientId, publicBaseUrl });
    output.write(bannerText({ host, port, publicBaseUrl, demo, demoStaff, uniqueSuffix: ids.next() }));
  }
  log.event('listening', { host, port, version: serverVersion(), node: process.versions.node });
  // Whoever waits for `/readyz` finds everything printed.
  output.flushSync();
  phase = 'serving';
  closers.push(startJobs(countersign, log));

  const signal = await signals.first;
  phase = 'stopping';
  log.event('stopping', { signal });
}

/** Opens what the server stands on, and builds it. */
async function compose(
  settings: ServerSettings,
  { closers, log, metrics }: Surroundings,
  phase: () => Phase,
): Promise<{ container: DependencyContainer; staff: ManageStaff }> {
  const database = await chooseDatabase(settings);
  const opened = await database.openForServing();
  closers.push(() => opened.close());
  const secretKeys = secretKeysToServe(settings);
  const { storage, keys } = sealing(opened, secretKeys);
  const evidence = createEvidence(settings, { dataKeys: storage.dataKeys, keys });
  const { rateLimiter, close } = await openRateLimiting({ redisUrl: settings.redisUrl, database, log, metrics });
  closers.push(close);
  const { publicBaseUrl, migrate } = settings;
  const accounts = await createAccounts({
    database: database.accounts,
    secretKeys,
    publicBaseUrl,
    rateLimiter,
    clock: createSystemClock(),
    migrate,
  });
  closers.push(() => accounts.close());
  const parts = { settings, storage, rateLimiter, secretKeys, evidence, accounts, log, phase };
  return { container: createServerContainer(parts), staff: accounts };
}

/** Still answers while the requests that run are finished: it is closed after the server that it watches. */
async function serveMetrics(settings: ServerSettings, { closers, log, metrics }: Surroundings): Promise<void> {
  if (settings.metrics === undefined || metrics === undefined) return;
  const { server, connections } = createMetricsServer(metrics, log.fault);
  await listen(server, settings.metrics, 'METRICS_');
  closers.push(async () => void (await stopServer(server, connections)));
}
