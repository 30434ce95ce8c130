import { randomUUID } from 'node:crypto';
import { createAccounts, moveUsersToLiveClients } from '@countersign/accounts';
import { createReadPause } from '@countersign/domain/retention';
import type { ManageStaff } from '@countersign/domain/staff';
import type { Storage } from '@countersign/domain/storage';
import { createFileErasureLog } from '@countersign/evidence';
import { createRecentRequests } from '@countersign/http';
import { createSystemClock } from '@countersign/runtime';
import type { DependencyContainer } from 'tsyringe';
import { folderOf } from '../config/evidence-setting.ts';
import type { ServerSettings } from '../config/settings.ts';
import { chooseDatabase } from '../database/choose-database.ts';
import type { ServedStorage } from '../database/database.ts';
import { requireErasureLogApart } from '../database/erasure-log-place.ts';
import { deleteOldCopies } from '../database/old-copies.ts';
import { createLog, type Log } from '../logging/log.ts';
import { createOutput, type Output } from '../logging/output.ts';
import { countEvidenceOutages } from '../metrics/count-evidence-outages.ts';
import { countSignIns } from '../metrics/count-sign-ins.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createMetricsServer } from '../metrics/metrics-server.ts';
import { createFigures, readFiguresJob } from '../metrics/read-figures.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { createServiceStatus } from '../metrics/service-status.ts';
import { bannerText } from '../serve/banner.ts';
import { clearErasedSpaceJob } from '../serve/clear-erased-space.ts';
import { createDemoClient, createDemoStaff } from '../serve/demo.ts';
import { drainServer, stopServer } from '../serve/graceful-stop.ts';
import type { Phase } from '../serve/health.ts';
import { limitHeapGrowth } from '../serve/heap-growth.ts';
import { erasedStatisticsJob, type Job, oldCopiesJob, serverJobs, startJobs } from '../serve/jobs.ts';
import { listen } from '../serve/listen.ts';
import { createNodeServer } from '../serve/node-server.ts';
import { endNow, endOnUncaught, listenForStopSignals } from '../serve/process-stop.ts';
import { isUpload } from '../serve/slow-requests.ts';
import { createStatusNotes, type StatusNotes } from '../serve/status-file.ts';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';
import { serverVersion } from '../version.ts';
import { applyErasures } from './apply-erasures.ts';
import { type Closers, createClosers } from './closers.ts';
import { type Core, createCore } from './core.ts';
import { endReleasesAfterRestore } from './end-releases.ts';
import { createEvidence, requireBucket, type ServerEvidence } from './evidence.ts';
import { createServerMail, type ServerMail } from './mail.ts';
import { openRateLimiting } from './rate-limiting.ts';
import { sealingWith, secretKeysToServe } from './sealing.ts';
import { createServerContainer, type ServerParts, tokens } from './server-container.ts';
import { allowsHttp, createSender, createServerWebhooks, type ServerWebhooks } from './webhooks.ts';

/** Printed by a production server on an empty database. */
const FIRST_STEP = `The database is empty. Create the first operator, who then signs in and creates clients:
  countersign user create --email you@example.com --name "Your name" --role operator
In a checkout, write npm run -s countersign -- for countersign.
`;

/** How often a server renews its status file. The first time is as soon as the other jobs have started. */
const STATUS_INTERVAL = { everyMs: 60_000 };

/** What every part of a running server uses. */
interface Process {
  readonly closers: Closers;
  readonly output: Output;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing;
}

/** An opened service: the core, and the container of what answers requests. */
interface Service {
  readonly core: Core;
  readonly clients: Storage['clients'];
  readonly staff: ManageStaff;
  readonly container: DependencyContainer;
  /** Background jobs beside those of the core and of webhooks. */
  readonly jobs: readonly Job[];
  readonly webhooks: ServerWebhooks;
  readonly mail: ServerMail;
}

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
  try {
    await serveUntilSignal(settings, { closers, output, log, metrics, tracing });
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

/** Opens tracing where `OTEL_EXPORTER_OTLP_ENDPOINT` is set. OpenTelemetry is loaded only then. */
async function openTracing({ tracing }: ServerSettings, log: Log): Promise<Tracing> {
  if (tracing === undefined) return NO_TRACING;
  const { createTracing } = await import('../tracing/recorded-tracing.ts');
  return createTracing({ ...tracing, version: serverVersion() }, log);
}

async function serveUntilSignal(settings: ServerSettings, parts: Process): Promise<void> {
  const { closers, output, log } = parts;
  const signals = listenForStopSignals({
    onSecond: (signal) => endNow({ log, output }, `second ${signal}, stopped at once`),
  });
  closers.push(signals.ignore);

  let phase: Phase = 'starting';
  const { port, dataDir, trustedProxies } = settings;
  const notes = createStatusNotes({ version: serverVersion(), port, dataDir, trustedProxies });
  const {
    core,
    clients,
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
    const demo = await createDemoClient(countersign, clients);
    const demoStaff =
      demo === undefined ? undefined : await createDemoStaff(staff, { clientId: demo.clientId, publicBaseUrl });
    output.write(bannerText({ host, port, publicBaseUrl, demo, demoStaff, uniqueSuffix: ids.next() }));
  } else if ((await clients.list()).length === 0 && (await staff.list()).length === 0) {
    // Not on standard output, where production has its log only.
    process.stderr.write(FIRST_STEP);
  }
  log.event('listening', { host, port, version: serverVersion(), node: process.versions.node });
  limitHeapGrowth();
  // Once `/readyz` answers 200, everything is printed.
  output.flushSync();
  phase = 'serving';
  const jobs = [
    ...serverJobs(countersign, log, parts.metrics),
    ...ownJobs,
    ...webhooks.jobs,
    ...mail.jobs(countersign.mails),
  ];
  notes.jobsStarted(jobs);
  const writeStatus = { name: 'write_status', run: () => notes.write(), interval: STATUS_INTERVAL };
  const all = [...jobs, writeStatus];
  const countRun = parts.metrics?.beginJobs(all.map(({ name }) => name));
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

/** Opens database, evidence, rate limiting and accounts, and composes the service on them. */
async function openService(
  settings: ServerSettings,
  { closers, log, metrics, tracing }: Process,
  { notes, ...serving }: Pick<ServerParts, 'phase' | 'onLookUp'> & { readonly notes: StatusNotes },
): Promise<Service> {
  await requireErasureLogApart(settings);
  for (const line of settings.warnings) log.warning(line);
  const database = await chooseDatabase(settings);
  const storage = tracing.storage(await database.openForServing((fault) => log.fault(fault)), database.kind);
  closers.push(() => storage.close());
  const secretKeys = secretKeysToServe(settings);
  const openEvidence = await createEvidence(settings);
  closers.push(async () => openEvidence.close());
  await requireBucket(openEvidence, log);
  const { store } = openEvidence;
  const counted = metrics === undefined ? store : countEvidenceOutages(store, metrics);
  const evidence = tracing.evidence({ ...openEvidence, store: counted });
  const limiting = await openRateLimiting({ redisUrl: settings.redisUrl, database, log, metrics });
  closers.push(limiting.close);
  const rateLimiter = tracing.rateLimiter(limiting.rateLimiter);
  const { publicBaseUrl, requestRates, expireAfterDays, localReturnAddresses, migrate } = settings;
  const created = await createAccounts({
    database: storage.accounts,
    secretKeys,
    publicBaseUrl,
    rateLimiter,
    clock: createSystemClock(),
    migrate,
    singleSignOn: settings.singleSignOn,
  });
  closers.push(() => created.close());
  if (migrate) await moveUsersToLiveClients(storage.accounts);
  const accounts = metrics === undefined ? created : countSignIns(created, metrics);
  const sender = tracing.sender(createSender(settings.webhooks, tracing));
  const mail = await createServerMail(settings.mail, { clock: createSystemClock(), log, metrics });
  closers.push(mail.close);
  const sealing = sealingWith(secretKeys, metrics?.secretUse);
  const service = metrics && beginMetrics(metrics, { storage, evidence, secretKeys });
  const evidenceDir = folderOf(settings.evidence);
  const folders = { data: settings.dataDir, ...(evidenceDir !== undefined && { evidence: evidenceDir }) };
  const figures = createFigures({ storage, folders }, service?.publish);
  const recentRequests = createRecentRequests();
  const plainCore = createCore({
    storage,
    sealing,
    rateLimiter,
    secretKeys,
    evidence,
    logos: evidence.intake,
    erasureLog: createFileErasureLog({ directory: settings.erasureLogDir }),
    staff: accounts,
    recentRequests,
    serviceStatus: createServiceStatus({ notes, figures, storage }),
    webhookSender: sender,
    mailer: mail.mailer && tracing.mailer(mail.mailer),
    recipients: accounts,
    settings: {
      publicBaseUrl,
      requestRates,
      expireAfterDays,
      retention: settings.retention,
      localReturnAddresses,
      webhooksOverHttp: allowsHttp(settings.webhooks),
    },
    onFault: (fault) => log.fault(fault),
  });
  const core = { ...plainCore, countersign: tracing.core(plainCore.countersign) };
  const { erasureLogDir: directory } = settings;
  await applyErasures(core.countersign.retention.applyErasureLog, { log, directory });
  await endReleasesAfterRestore(core.countersign.exports, { replacement: database.replacement, log });
  const degraded = () => [
    ...(limiting.isDown() ? ['shared_rate_limits'] : []),
    ...(openEvidence.isDown() ? ['evidence'] : []),
  ];
  const parts = { settings, core, storage, accounts, log, recentRequests, degraded };
  const container = createServerContainer({ ...parts, ...serving });
  const webhooks = createServerWebhooks({
    sender,
    webhooks: sealing.sealWebhooks(storage.webhooks),
    clock: core.clock,
    ids: core.ids,
    mails: core.countersign.mails,
    log,
    metrics,
    tracing,
  });
  closers.push(webhooks.close);
  const { replaceErasedStatistics } = storage;
  const copies = { files: database.replacement.files, evidenceDir };
  const jobs = [
    ...(service === undefined ? [] : [readFiguresJob(figures)]),
    oldCopiesJob(
      {
        deleteCopies: (now) => deleteOldCopies(copies, now),
        readPause: createReadPause(storage.retention),
        clock: core.clock,
      },
      log,
    ),
    ...(replaceErasedStatistics === undefined ? [] : [erasedStatisticsJob(replaceErasedStatistics, log)]),
    ...clearingJobs(storage, settings, log),
  ];
  return { core, clients: storage.clients, staff: accounts, container, jobs, webhooks, mail };
}

/** Returns the job that clears copies of erased values, where the database keeps any. */
function clearingJobs(
  { erasedSpace }: ServedStorage,
  { clearErasedSpaceHour: hour, retention }: ServerSettings,
  log: Log,
): Job[] {
  if (erasedSpace === undefined || hour === undefined) return [];
  return [clearErasedSpaceJob(erasedSpace, { hour, timeZone: retention.timeZone }, log)];
}

/** Starts the metrics of the service. */
function beginMetrics(
  metrics: Metrics,
  {
    storage,
    evidence,
    secretKeys,
  }: {
    readonly storage: ServedStorage;
    readonly evidence: ServerEvidence;
    readonly secretKeys: readonly Uint8Array[];
  },
): ServiceMetrics {
  const { poolStats, creationsWaiting } = storage;
  return metrics.beginService({
    version: serverVersion(),
    secrets: secretKeys.length,
    decoder: () => evidence.intake.stats(),
    pool: poolStats && (() => poolStats()),
    creationsWaiting: creationsWaiting && (() => creationsWaiting()),
  });
}

/** Serves metrics until the server has stopped: it is pushed first, so it closes last. */
async function serveMetrics(settings: ServerSettings, { closers, log, metrics }: Process): Promise<void> {
  if (settings.metrics === undefined || metrics === undefined) return;
  const { server, connections } = createMetricsServer(metrics, log.fault);
  await listen(server, settings.metrics, 'METRICS_');
  closers.push(async () => void (await stopServer(server, connections)));
}
