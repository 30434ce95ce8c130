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
import type { ServedStorage, ServingEvents } from '../database/database.ts';
import { requireErasureLogApart } from '../database/erasure-log-place.ts';
import { deleteOldCopies } from '../database/old-copies.ts';
import type { Log } from '../logging/log.ts';
import type { Output } from '../logging/output.ts';
import { countEvidenceOutages } from '../metrics/count-evidence-outages.ts';
import { countSignIns } from '../metrics/count-sign-ins.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createFigures, readFiguresJob } from '../metrics/read-figures.ts';
import { beginServiceMetrics } from '../metrics/service-metrics.ts';
import { createServiceStatus } from '../metrics/service-status.ts';
import { checkDatabaseJob } from '../serve/check-database.ts';
import { clearErasedSpaceJob } from '../serve/clear-erased-space.ts';
import { erasedStatisticsJob, type Job, oldCopiesJob } from '../serve/jobs.ts';
import type { StatusNotes } from '../serve/status-file.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { serverVersion } from '../version.ts';
import { applyErasures } from './apply-erasures.ts';
import type { Closers } from './closers.ts';
import { type Core, createCore } from './core.ts';
import { endReleasesAfterRestore } from './end-releases.ts';
import { createEvidence, requireBucket } from './evidence.ts';
import { createServerMail, type ServerMail } from './mail.ts';
import { openRateLimiting } from './rate-limiting.ts';
import { createServerReader, endReadings } from './reader.ts';
import { sealingWith, secretKeysToServe } from './sealing.ts';
import { createSecretWatch, requireSecretsThatOpen } from './secret-check.ts';
import { createServerContainer, type ServerParts } from './server-container.ts';
import { allowsHttp, createSender, createServerWebhooks, type ServerWebhooks } from './webhooks.ts';

/** What every part of a running server uses. */
export interface RunningServer {
  readonly closers: Closers;
  readonly output: Output;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing;
}

/** An opened service: the core, and the container of what answers requests. */
export interface Service {
  readonly core: Core;
  readonly storage: Pick<Storage, 'clients' | 'appearances'>;
  readonly staff: ManageStaff;
  readonly container: DependencyContainer;
  /** Background jobs beside those of the core and of webhooks. */
  readonly jobs: readonly Job[];
  readonly webhooks: ServerWebhooks;
  readonly mail: ServerMail;
}

/** Opens database, evidence, rate limiting and accounts, and composes the service on them. */
export async function openService(
  settings: ServerSettings,
  { closers, log, metrics, tracing }: RunningServer,
  { notes, ...serving }: Pick<ServerParts, 'phase' | 'onLookUp'> & { readonly notes: StatusNotes },
): Promise<Service> {
  await requireErasureLogApart(settings);
  for (const line of settings.warnings) log.warning(line);
  const database = await chooseDatabase(settings);
  const storage = tracing.storage(await database.openForServing(servingEvents(log)), database.kind);
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
  const sealed = { storage, accounts: storage.accounts, secretKeys };
  await requireSecretsThatOpen(sealed, settings);
  const secretWatch = createSecretWatch(sealed, { lostSecrets: settings.lostSecrets, log });
  const accounts = metrics === undefined ? created : countSignIns(created, metrics);
  const sender = tracing.sender(createSender(settings.webhooks, tracing));
  const mail = await createServerMail(settings.mail, { clock: createSystemClock(), log, metrics });
  closers.push(mail.close);
  const reading = createServerReader(settings, { log, metrics });
  const sealing = sealingWith(secretKeys, metrics && ((secret) => metrics.secretUses.inc({ secret })));
  const service =
    metrics &&
    beginServiceMetrics(metrics, {
      version: serverVersion(),
      secrets: secretKeys.length,
      missingSecrets: () => secretWatch.missing().length,
      decoder: evidence.intake.stats,
      storage,
    });
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
    reader: reading.reader,
    erasureLog: createFileErasureLog({ directory: settings.erasureLogDir }),
    staff: accounts,
    recentRequests,
    serviceStatus: createServiceStatus({ notes, figures, storage }),
    webhookSender: sender,
    mailer: mail.mailer && tracing.mailer(mail.mailer),
    recipients: accounts,
    onBulkReading: metrics && ((read) => metrics.bulkReadings.inc({ read })),
    settings: {
      publicBaseUrl,
      requestRates,
      mailLimits: settings.mailLimits,
      expireAfterDays,
      flowVersion: settings.flowVersion,
      retention: settings.retention,
      localReturnAddresses,
      webhooksOverHttp: allowsHttp(settings.webhooks),
    },
    onFault: (fault) => log.fault(fault),
  });
  const core = { ...plainCore, countersign: tracing.core(plainCore.countersign) };
  closers.push(() => endReadings(reading, core.countersign.warnings, { log }));
  const { erasureLogDir: directory } = settings;
  await applyErasures(core.countersign.retention.applyErasureLog, { log, directory });
  await endReleasesAfterRestore(core.countersign, { replacement: database.replacement, log });
  const degraded = () => [
    ...(limiting.isDown() ? ['shared_rate_limits'] : []),
    ...(openEvidence.isDown() ? ['evidence'] : []),
    ...(secretWatch.missing().length > 0 ? ['secrets'] : []),
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
    secretWatch.job,
    ...(replaceErasedStatistics === undefined ? [] : [erasedStatisticsJob(replaceErasedStatistics, log)]),
    ...clearingJobs(storage, settings, log),
    ...checkingJobs(storage, log),
  ];
  return { core, storage, staff: accounts, container, jobs, webhooks, mail };
}

/** Logs faults and damage that the database reports while the server runs. */
function servingEvents(log: Log): ServingEvents {
  return {
    onFault: (fault) => log.fault(fault),
    onDamage: (reason) => log.warning(DAMAGED, { reason }),
  };
}

const DAMAGED =
  'the database is damaged: nothing is written to it any more. Stop the server and restore it from a backup with `countersign restore`';

/** Returns the job that checks the database, where a file is served. */
function checkingJobs({ checkTables }: ServedStorage, log: Log): Job[] {
  return checkTables === undefined ? [] : [checkDatabaseJob(checkTables, log)];
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
