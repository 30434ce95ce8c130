import { isCountersignError, UnreadableVerificationError } from '@countersign/domain';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Log, RequestLine } from '../logging/log.ts';

/** What a server counts for whoever watches over it. Labels name no client, no key and no address. */
export interface Metrics {
  /** One answered request. `mountPath` is what the path stands below, if not the root. */
  request(line: RequestLine, mountPath?: string): void;
  /** Counts faults that mean that storage did not answer, or that a listed verification is unreadable. */
  fault(fault: unknown): void;
  readonly sharedRateLimits: {
    /** There is a shared store, and it is believed to count. */
    begin(): void;
    down(): void;
    up(): void;
  };
  /** Everything, in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** In seconds: from what a read takes to what a client waits for at most. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Those that a route may have; whoever sends others cannot make new time series with them. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** With the process's own: memory, CPU, garbage collection and the lag of the event loop. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'countersign_http_request_duration_seconds',
    help: 'Answered requests by route, method and status, and how long they took',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const unavailable = new Counter({
    name: 'countersign_storage_unavailable_total',
    help: 'Requests and readiness checks that the database did not serve in time',
    registers,
  });
  const unreadable = new Counter({
    name: 'countersign_unreadable_verifications_total',
    help: 'Verifications in a list whose stored documents could not be read',
    registers,
  });
  // Made when there is a shared store: zero would mean that one is down.
  let shared: ReturnType<typeof sharedRateLimitMetrics> | undefined;

  return {
    request({ path, method, status, durationMs }, mountPath = '') {
      const labels = { route: mountPath + path, method: METHODS.has(method) ? method : 'other', status };
      requests.observe(labels, durationMs / 1_000);
    },
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

function sharedRateLimitMetrics(registers: Registry[]): { isUp: Gauge; switches: Counter<'to'> } {
  const isUp = new Gauge({
    name: 'countersign_shared_rate_limits_up',
    help: '1 while the shared store counts requests, 0 while this process counts for itself',
    registers,
  });
  const switches = new Counter({
    name: 'countersign_shared_rate_limit_switches_total',
    help: 'How often counting went over to this process (local) and back (shared)',
    labelNames: ['to'],
    registers,
  });
  isUp.set(1);
  for (const to of ['local', 'shared']) switches.inc({ to }, 0);
  return { isUp, switches };
}

/** A log whose requests and faults are counted too: whatever is told of, is told here. */
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
