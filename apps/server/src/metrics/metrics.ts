import { isCountersignError } from '@countersign/domain';
import type { RetentionRunResult } from '@countersign/domain/retention';
import { UnreadableVerificationError } from '@countersign/domain/storage';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Log, RequestLine } from '../logging/log.ts';
import type { JobRun } from '../serve/jobs.ts';
import { createServiceMetrics, type LiveFigures, type ServiceMetrics } from './service-metrics.ts';
import { createWebhookMetrics, type WebhookBacklogSource, type WebhookMetrics } from './webhook-metrics.ts';

/** Metrics of a server. Labels hold no client, key or address. */
export interface Metrics {
  /** Counts an answered request. `mountPath` is put before the path. */
  request(line: RequestLine, mountPath?: string): void;
  /**
   * Starts the metrics of background jobs, at 0: Prometheus sees no increase in a counter that begins with 1.
   * @returns counts a run
   */
  beginJobs(names: readonly string[]): (run: JobRun) => void;
  /** Counts verifications that this server expired. */
  expired(count: number): void;
  /** Counts verifications that this server erased, and keeps what the run found. */
  erased(run: RetentionRunResult): void;
  /** Keeps how many erasures of the database the erasure log lacks. */
  missingInLog(count: number): void;
  /** Counts a refused attempt to sign in or to confirm an identity. */
  signInFailure(reason: SignInFailure): void;
  /** Counts a data key that was opened, by the secret that wraps it. */
  secretUse(secret: 'newest' | 'older'): void;
  /** Counts an operation that the store of files could not do. */
  evidenceUnavailable(operation: EvidenceOperation): void;
  /** Starts the metrics of an opened service. */
  beginService(live: LiveFigures): ServiceMetrics;
  /** Starts the metrics of webhooks. */
  beginWebhooks(source: WebhookBacklogSource): WebhookMetrics;
  /** Starts the metrics of mails. Their module is loaded only by servers that send some. */
  beginMail<M>(create: (registry: Registry) => M): M;
  /** Counts faults of an unavailable storage and of unreadable verifications. */
  fault(fault: unknown): void;
  readonly sharedRateLimits: {
    /** Starts the metrics of a shared store, which is up at first. */
    begin(): void;
    down(): void;
    up(): void;
  };
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** What was wrong, or `throttled`: too many attempts. */
export type SignInFailure = 'password' | 'second_factor' | 'confirmation' | 'throttled';

/** What a store of files does. */
const EVIDENCE_OPERATIONS = ['put', 'get', 'delete', 'list'] as const;

export type EvidenceOperation = (typeof EVIDENCE_OPERATIONS)[number];

/** In seconds: from the time of a read to the longest time a client waits. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const INTERNAL_ERROR = 500;

/** Methods with a time series of their own. Others share one, so that a client cannot create series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Creates the metrics, with those of the process: memory, CPU, garbage collection, event loop lag. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'countersign_http_request_duration_seconds',
    help: 'Duration of answered requests in seconds, by route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const unavailable = new Counter({
    name: 'countersign_storage_unavailable_total',
    help: 'Requests, readiness checks and jobs that the database or the store of files did not serve in time',
    registers,
  });
  const unreadable = new Counter({
    name: 'countersign_unreadable_verifications_total',
    help: 'Unreadable verifications found while listing',
    registers,
  });
  const refusals = new Counter({
    name: 'countersign_refusals_total',
    help: 'Requests of the API that were answered with an error, by its code',
    labelNames: ['code'],
    registers,
  });
  // Without labels, so that Prometheus sees the first increase: a counter with labels begins with 1.
  const internalErrors = new Counter({
    name: 'countersign_internal_errors_total',
    help: 'Requests that were answered with 500',
    registers,
  });
  const signInFailures = new Counter({
    name: 'countersign_sign_in_failures_total',
    help: 'Refused attempts to sign in or to confirm an identity, by what was wrong',
    labelNames: ['reason'],
    registers,
  });
  const secretUses = new Counter({
    name: 'countersign_secret_uses_total',
    help: 'Data keys opened, by the secret that wraps them (newest, older)',
    labelNames: ['secret'],
    registers,
  });
  const evidenceUnavailable = new Counter({
    name: 'countersign_evidence_unavailable_total',
    help: `Operations on files that their folder or bucket could not do (${EVIDENCE_OPERATIONS.join(', ')})`,
    labelNames: ['operation'],
    registers,
  });
  for (const operation of EVIDENCE_OPERATIONS) evidenceUnavailable.inc({ operation }, 0);
  const expired = new Counter({
    name: 'countersign_verifications_expired_total',
    help: 'Verifications that this server expired because they were not completed in time',
    registers,
  });
  // Created only for a shared store: without one, zero would mean that it is down.
  let shared: ReturnType<typeof sharedRateLimitMetrics> | undefined;

  return {
    request({ path, method, status, durationMs, code }, mountPath = '') {
      if (code !== undefined) refusals.inc({ code });
      if (status === INTERNAL_ERROR) internalErrors.inc();
      const labels = { route: mountPath + path, method: METHODS.has(method) ? method : 'other', status };
      requests.observe(labels, durationMs / 1_000);
    },
    beginJobs: (names) => jobMetrics(registers, names),
    expired: (count) => expired.inc(count),
    ...erasureMetrics(registers),
    signInFailure: (reason) => signInFailures.inc({ reason }),
    secretUse: (secret) => secretUses.inc({ secret }),
    evidenceUnavailable: (operation) => evidenceUnavailable.inc({ operation }),
    beginService: (live) => createServiceMetrics(registry, live),
    beginWebhooks: (source) => createWebhookMetrics(registry, source),
    beginMail: (create) => create(registry),
    fault(fault) {
      if (isCountersignError(fault, 'SERVICE_UNAVAILABLE')) unavailable.inc();
      if (fault instanceof UnreadableVerificationError) unreadable.inc();
    },
    sharedRateLimits: {
      begin() {
        shared = sharedRateLimitMetrics(registers);
      },
      down() {
        shared?.isUp.set(0);
        shared?.switches.inc({ to: 'local' });
      },
      up() {
        shared?.isUp.set(1);
        shared?.switches.inc({ to: 'shared' });
      },
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function jobMetrics(registers: Registry[], names: readonly string[]): (run: JobRun) => void {
  const runs = new Counter({
    name: 'countersign_job_runs_total',
    help: 'Runs of background jobs, by outcome (ok, failed)',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const duration = new Gauge({
    name: 'countersign_job_duration_seconds',
    help: 'Duration of the last run of a background job',
    labelNames: ['job'],
    registers,
  });
  const succeeded = new Gauge({
    name: 'countersign_job_last_success_timestamp_seconds',
    help: 'When a background job last succeeded',
    labelNames: ['job'],
    registers,
  });
  for (const job of names) for (const outcome of ['ok', 'failed']) runs.inc({ job, outcome }, 0);
  return ({ job, ok, durationMs }) => {
    runs.inc({ job, outcome: ok ? 'ok' : 'failed' });
    duration.set({ job }, durationMs / 1_000);
    if (ok) succeeded.setToCurrentTime({ job });
  };
}

function erasureMetrics(registers: Registry[]): Pick<Metrics, 'erased' | 'missingInLog'> {
  const total = new Counter({
    name: 'countersign_verifications_erased_total',
    help: 'Verifications whose data this server erased in the background',
    registers,
  });
  const isPaused = new Gauge({
    name: 'countersign_erasures_paused',
    help: '1 while nothing is erased because the clock may have jumped',
    registers,
  });
  const missing = new Gauge({
    name: 'countersign_erasure_log_missing_entries',
    help: 'Erasures of the database that the erasure log lacks',
    registers,
  });
  const unexpected = new Gauge({
    name: 'countersign_erasure_log_unexpected_entries',
    help: 'Entries of the erasure log that were left alone, because the erasure of their verification never began in this database',
    registers,
  });
  return {
    erased({ erased, pausedUntil, unexpectedInLog }) {
      total.inc(erased);
      isPaused.set(pausedUntil === null ? 0 : 1);
      unexpected.set(unexpectedInLog.length);
    },
    missingInLog: (count) => missing.set(count),
  };
}

function sharedRateLimitMetrics(registers: Registry[]): { isUp: Gauge; switches: Counter<'to'> } {
  const isUp = new Gauge({
    name: 'countersign_shared_rate_limits_up',
    help: '1 while the shared store counts requests, 0 while this process counts locally',
    registers,
  });
  const switches = new Counter({
    name: 'countersign_shared_rate_limit_switches_total',
    help: 'Switches of counting to this process (local) and back to the store (shared)',
    labelNames: ['to'],
    registers,
  });
  isUp.set(1);
  for (const to of ['local', 'shared']) switches.inc({ to }, 0);
  return { isUp, switches };
}

/** Wraps a log so that its requests and faults are counted. */
export function createCountingLog(log: Log, metrics: Pick<Metrics, 'request' | 'fault'>): Log {
  return {
    ...log,
    request(line, mountPath) {
      metrics.request(line, mountPath);
      log.request(line, mountPath);
    },
    healthCheck(line) {
      metrics.request(line);
      log.healthCheck(line);
    },
    fault(fault, context) {
      metrics.fault(fault);
      log.fault(fault, context);
    },
  };
}
