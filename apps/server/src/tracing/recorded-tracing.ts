import type { Log } from '../logging/log.ts';
import { type CollectorOptions, openCollector } from './collector.ts';
import { createSpans } from './open-telemetry.ts';
import { traceCore } from './trace-core.ts';
import { traceEvidence, traceMailer, traceRateLimiter } from './trace-ports.ts';
import { traceListener, traceLog } from './trace-requests.ts';
import { traceStorage } from './trace-storage.ts';
import { traceAttempts, traceSender } from './trace-webhooks.ts';
import type { Tracing } from './tracing.ts';

/** Opens tracing to the collector that the variables `OTEL_…` name. Connects to nothing before the first spans have ended. */
export function createTracing(options: CollectorOptions, log: Pick<Log, 'event' | 'warning'>): Tracing {
  const collector = openCollector(options, log);
  const spans = createSpans(collector.tracer);
  return {
    log: (inner) => traceLog(inner, spans),
    listener: (answer) => traceListener(answer, spans),
    core: (core) => traceCore(core, spans),
    storage: (storage, kind) => traceStorage(storage, kind, spans),
    rateLimiter: (rateLimiter) => traceRateLimiter(rateLimiter, spans),
    evidence: (evidence) => traceEvidence(evidence, spans),
    mailer: (mailer) => traceMailer(mailer, spans),
    sender: (sender) => traceSender(sender, spans),
    webhookHeaders() {
      const traceparent = spans.traceparent();
      return traceparent === undefined ? {} : { traceparent };
    },
    aroundAttempt: traceAttempts(spans),
    close: collector.close,
  };
}
