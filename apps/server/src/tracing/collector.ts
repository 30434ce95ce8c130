import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import type { Tracer } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../logging/log.ts';
import { errorTypeOf } from './error-type.ts';

/** How long `close` may send remaining spans. */
const CLOSE_MS = 5_000;

const NAME = 'countersign';

export interface CollectorOptions {
  readonly version: string;
  /** `name=value` pairs as in `OTEL_EXPORTER_OTLP_HEADERS`; undefined: none. May hold credentials. */
  readonly headers: string | undefined;
  /** Certificates and key for HTTPS, in PEM. */
  readonly tls: Pick<AgentOptions, 'ca' | 'cert' | 'key'>;
}

/** The connection to the program that receives spans. */
interface Collector {
  readonly tracer: Tracer;
  /** Sends remaining spans, for five seconds at most. Never rejects. */
  close(): Promise<void>;
}

/**
 * Makes a tracer whose spans are sent to a collector in the background. The queue is bounded: spans that do not fit
 * are dropped. The SDK reads the other variables `OTEL_…` itself.
 */
export function openCollector(
  { version, headers, tls }: CollectorOptions,
  log: Pick<Log, 'event' | 'warning'>,
): Collector {
  const sockets = createSockets(tls);
  const exporter = new OTLPTraceExporter({
    httpAgentOptions: sockets.agent,
    ...(headers !== undefined && { headers: parseKeyPairsIntoRecord(headers) }),
  });
  // The detector of the environment reads OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES. No attribute names the machine.
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': NAME, 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(warningExporter(exporter, log))],
  });

  return {
    tracer: provider.getTracer(NAME, version),
    async close() {
      const { promise: elapsed, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_MS);
      await Promise.race([provider.shutdown().catch(() => undefined), elapsed]);
      clearTimeout(timer);
      sockets.close();
    },
  };
}

/** Connections to the collector. The exporter itself cannot end a request that hangs. With agents of ours, it does not read `tls`. */
function createSockets(tls: CollectorOptions['tls']): { agent(protocol: string): HttpAgent; close(): void } {
  const agents = new Set<HttpAgent>();
  let isClosed = false;

  function refuseOnceClosed(agent: HttpAgent): void {
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (...given) => {
      if (isClosed) throw new Error('The server has stopped');
      return connect(...given);
    };
  }

  return {
    agent(protocol) {
      const agent =
        protocol === 'https:' ? new HttpsAgent({ keepAlive: true, ...tls }) : new HttpAgent({ keepAlive: true });
      refuseOnceClosed(agent);
      agents.add(agent);
      return agent;
    },
    close() {
      isClosed = true;
      for (const agent of agents) agent.destroy();
    },
  };
}

/** Returns the status of the collector's response or the code of a fault. Its message can have parts of a response. */
function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'number' ? `HTTP ${code}` : errorTypeOf(error);
}

/** Wraps an exporter so that the log has one line when the collector stops accepting spans, and one when it accepts them again. */
function warningExporter(inner: SpanExporter, { event, warning }: Pick<Log, 'event' | 'warning'>): SpanExporter {
  let isDown = false;

  function note({ code, error }: ExportResult): void {
    const failed = code !== ExportResultCode.SUCCESS;
    if (failed && !isDown) {
      warning('the trace collector takes no spans: they are dropped. Check OTEL_EXPORTER_OTLP_ENDPOINT', {
        reason: reasonOf(error),
      });
    } else if (!failed && isDown) {
      event('the trace collector takes spans again');
    }
    isDown = failed;
  }

  return {
    export: (spans, done) =>
      inner.export(spans, (result) => {
        note(result);
        done(result);
      }),
    shutdown: () => inner.shutdown(),
    forceFlush: async () => inner.forceFlush?.(),
  };
}
