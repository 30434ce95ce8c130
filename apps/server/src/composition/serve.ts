import { randomUUID } from 'node:crypto';
import type { ServerSettings } from '../config/settings.ts';
import { chooseDatabase } from '../database/choose-database.ts';
import { createLog, type Log } from '../logging/log.ts';
import { createOutput, type Output } from '../logging/output.ts';
import { countErasures, countJobs } from '../metrics/count-jobs.ts';
import { createCountingLog } from '../metrics/counting-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createMetricsServer } from '../metrics/metrics-server.ts';
import { bannerText } from '../serve/banner.ts';
import { createDemoClient, createDemoStaff } from '../serve/demo.ts';
import { drainServer, stopServer } from '../serve/graceful-stop.ts';
import type { Phase } from '../serve/health.ts';
import { limitHeapGrowth } from '../serve/heap-growth.ts';
import { serverJobs, startJobs } from '../serve/jobs.ts';
import { listen } from '../serve/listen.ts';
import { createNodeServer } from '../serve/node-server.ts';
import { endNow, endOnUncaught, listenForStopSignals } from '../serve/process-stop.ts';
import { isUpload } from '../serve/slow-requests.ts';
import { createStatusNotes } from '../serve/status-file.ts';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';
import { serverVersion } from '../version.ts';
import { createClosers } from './closers.ts';
import { openService, type RunningServer } from './open-service.ts';
import { tokens } from './server-container.ts';

/** Printed by a production server on an empty database. */
const FIRST_STEP = `The database is empty. Create the first operator, who then signs in and creates clients:
  countersign user create --email you@example.com --name "Your name" --role operator
In a checkout, write npm run -s countersign -- for countersign.
`;

/** How often a server renews its status file. The first time is as soon as the other jobs have started. */
const STATUS_INTERVAL = { everyMs: 60_000 };

/**
 * Serves until a stop signal. Resolves when everything is closed.
 * @throws SettingError, SqliteOpenError, PostgresOpenError, ErasureError before it listens
 */
export async function serve(settings: ServerSettings): Promise<void> {
  const output = createOutput();
  const observed = await createLogAndMetrics(settings, output);
  const tracing = await openTracing(settings, observed.log);
  const { metrics } = observed;
  const log = tracing.log(observed.log);
  const closers = createClosers();
  closers.push(endOnUncaught(log, output));
  // Closed after everything that makes spans.
  closers.push(tracing.close);
  /** Corruption can end a start in any part, with the message of that part. */
  const explain = async (error: unknown): Promise<never> => {
    throw (await chooseDatabase(settings)).explained(error);
  };
  try {
    await serveUntilSignal(settings, { closers, output, log, metrics, tracing }).catch(explain);
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
  const { createMetrics } = await import('../metrics/metrics.ts');
  const metrics = createMetrics();
  return { log: createCountingLog(log, metrics), metrics };
}

/** Opens tracing where `OTEL_EXPORTER_OTLP_ENDPOINT` is set. OpenTelemetry is loaded only then. */
async function openTracing({ tracing }: ServerSettings, log: Log): Promise<Tracing> {
  if (tracing === undefined) return NO_TRACING;
  const { createTracing } = await import('../tracing/recorded-tracing.ts');
  return createTracing({ ...tracing, version: serverVersion() }, log);
}

async function serveUntilSignal(settings: ServerSettings, parts: RunningServer): Promise<void> {
  const { closers, output, log, metrics } = parts;
  const signals = listenForStopSignals({
    onSecond: (signal) => endNow({ log, output }, `second ${signal}, stopped immediately`),
  });
  closers.push(signals.ignore);

  let phase: Phase = 'starting';
  const { port, dataDir, trustedProxies } = settings;
  const notes = createStatusNotes({ version: serverVersion(), port, dataDir, trustedProxies });
  const {
    core,
    storage,
    staff,
    container,
    jobs: ownJobs,
    webhooks,
    mail,
  } = await openService(settings, parts, {
    phase: () => phase,
    onLookUp: notes.requestFrom,
    notes,
  });
  const { countersign, ids } = core;
  // Closed after the last request has finished, before the database.
  closers.push(countersign.summariseRefusals);
  const { server, connections } = createNodeServer({
    listener: parts.tracing.listener(container.resolve(tokens.listener)),
    newRequestId: randomUUID,
    countRequest: countersign.rateLimits.forAddress,
    onResponse: log.request,
    isUpload,
  });
  await serveMetrics(settings, parts);
  await listen(server, settings);
  closers.push(async () => {
    const { finished } = await stopServer(server, connections);
    if (!finished) log.warning('closed requests that did not finish in time');
  });

  const { host, publicBaseUrl, production } = settings;
  if (!production) {
    // Created after everything that can fail: the demo key and the links are printed only once.
    const demo = await createDemoClient(countersign, storage);
    const demoStaff =
      demo === undefined ? undefined : await createDemoStaff(staff, { clientId: demo.clientId, publicBaseUrl });
    output.write(bannerText({ host, port, publicBaseUrl, demo, demoStaff, uniqueSuffix: ids.next() }));
  } else if ((await storage.clients.list()).length === 0 && (await staff.list()).length === 0) {
    // Not on standard output, where production has its log only.
    process.stderr.write(FIRST_STEP);
  }
  log.event('listening', { host, port, version: serverVersion(), node: process.versions.node });
  limitHeapGrowth();
  // Once `/readyz` answers 200, everything is printed.
  output.flushSync();
  phase = 'serving';
  const jobs = [
    ...serverJobs(countersign, log, metrics && countErasures(metrics)),
    ...ownJobs,
    ...webhooks.jobs,
    ...mail.jobs(countersign.mails),
  ];
  notes.jobsStarted(jobs);
  const writeStatus = { name: 'write_status', run: () => notes.write(), interval: STATUS_INTERVAL };
  const all = [...jobs, writeStatus];
  const countRun = metrics && countJobs(metrics, all);
  closers.push(() => notes.write({ isStopped: true }).catch(log.fault));
  closers.push(
    startJobs(all, log, (run) => {
      notes.jobEnded(run).catch(log.fault);
      countRun?.(run);
    }),
  );

  webhooks.start();

  const signal = await signals.first;
  phase = 'stopping';
  // Before the log line: without a delay, no connection is accepted after it.
  const drained = drainServer(server, connections, settings.stopDelaySeconds * 1000);
  // Closed early, so that another server can take over its endpoints.
  const sent = Promise.all([webhooks.close(), mail.close()]);
  log.event('stopping', { signal });
  await Promise.all([drained, sent]);
}

/** Serves metrics until the server has stopped: it is pushed first, so it closes last. */
async function serveMetrics(settings: ServerSettings, { closers, log, metrics }: RunningServer): Promise<void> {
  if (settings.metrics === undefined || metrics === undefined) return;
  const { server, connections } = createMetricsServer(metrics, log.fault);
  await listen(server, settings.metrics, 'METRICS_');
  closers.push(async () => void (await stopServer(server, connections)));
}
