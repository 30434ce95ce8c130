import { createAccounts } from '@countersign/accounts';
import type { ManageStaff } from '@countersign/domain';
import { createSystemClock } from '@countersign/runtime';
import type { DependencyContainer } from 'tsyringe';
import type { ServerSettings } from '../config/settings.ts';
import { createLog, type Log } from '../logging/log.ts';
import { createOutput, type Output } from '../logging/output.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createMetricsServer } from '../metrics/metrics-server.ts';
import { bannerText } from '../serve/banner.ts';
import { createDemoClient, createDemoStaff } from '../serve/demo.ts';
import { stopServer } from '../serve/graceful-stop.ts';
import type { Phase } from '../serve/health.ts';
import { startJobs } from '../serve/jobs.ts';
import { listen } from '../serve/listen.ts';
import { createNodeServer } from '../serve/node-server.ts';
import { endNow, endOnUncaught, listenForStopSignals } from '../serve/process-stop.ts';
import { newRequestId } from '../serve/request-id.ts';
import { isUpload } from '../serve/slow-requests.ts';
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
  const { log, metrics } = await createLogAndMetrics(settings, output);
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

/** Creates the log and, where `METRICS_PORT` is set, the metrics. prom-client is loaded only then. */
async function createLogAndMetrics(
  { logLevel, metrics: address }: ServerSettings,
  output: Output,
): Promise<{ log: Log; metrics: Metrics | undefined }> {
  const log = createLog({ level: logLevel, output });
  if (address === undefined) return { log, metrics: undefined };
  const { createCountingLog, createMetrics } = await import('../metrics/metrics.ts');
  const metrics = createMetrics();
  return { log: createCountingLog(log, metrics), metrics };
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
