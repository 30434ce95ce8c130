import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEndOfFile } from '../processes/end-of-file.ts';
import { bytesIn, type Fields, messagesIn, numberIn, readFields } from './protobuf.ts';

/** A span as the collector received it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly isFailed: boolean;
  readonly durationNs: bigint;
}

export interface TraceCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** Attributes of the program that sent the last spans. */
  readonly resource: ReceivedSpan['attributes'];
  /** The headers of the last request. */
  readonly headers: NodeJS.Dict<string | string[]>;
  /** Returns everything that was received, as it was sent. */
  bytes(): Uint8Array;
  /** How many requests it has received. */
  requests(): number;
  /** What it does with requests from now on; `hang` never answers. Default `take`. */
  behaviour: 'take' | 'refuse' | 'hang';
}

/**
 * Starts an OTLP/HTTP receiver of traces (https://opentelemetry.io/docs/specs/otlp/). It stops with the test.
 * @param pem key and certificate of `localhost`: the receiver takes HTTPS only
 */
export async function startTraceCollector({ pem }: { readonly pem?: string } = {}): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const bodies: Uint8Array[] = [];
  let requests = 0;
  const collector = {
    endpoint: '',
    spans,
    resource: {} as ReceivedSpan['attributes'],
    headers: {} as NodeJS.Dict<string | string[]>,
    bytes: () => Buffer.concat(bodies),
    requests: () => requests,
    behaviour: 'take' as TraceCollector['behaviour'],
  };

  function answer(url: string | undefined, body: Uint8Array, response: ServerResponse): void {
    if (collector.behaviour === 'hang') return;
    const isTraces = url === '/v1/traces' && collector.headers['content-type'] === 'application/x-protobuf';
    if (collector.behaviour === 'refuse' || !isTraces) return void response.writeHead(400).end();
    bodies.push(body);
    for (const resourceSpans of messagesIn(readFields(body), 1)) {
      const [resource] = messagesIn(resourceSpans, 1);
      if (resource !== undefined) collector.resource = attributesIn(resource, 1);
      for (const scopeSpans of messagesIn(resourceSpans, 2)) spans.push(...messagesIn(scopeSpans, 2).map(spanOf));
    }
    response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
  }

  const listener: RequestListener = (request, response) => {
    requests += 1;
    collector.headers = request.headers;
    buffer(request).then(
      (body) => answer(request.url, body, response),
      () => response.destroy(),
    );
  };
  const server = pem === undefined ? createServer(listener) : createTlsServer({ key: pem, cert: pem }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfFile(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  collector.endpoint = pem === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  return collector;
}

const KINDS: Readonly<Record<string, ReceivedSpan['kind']>> = { 1: 'internal', 2: 'server', 3: 'client' };

/** Field numbers: opentelemetry/proto/trace/v1/trace.proto. */
function spanOf(span: Fields): ReceivedSpan {
  const [status] = messagesIn(span, 15);
  return {
    traceId: bytesIn(span, 1).toString('hex'),
    spanId: bytesIn(span, 2).toString('hex'),
    parentSpanId: bytesIn(span, 4).toString('hex'),
    name: bytesIn(span, 5).toString(),
    kind: KINDS[numberIn(span, 6).toString()] ?? 'internal',
    attributes: attributesIn(span, 9),
    isFailed: status !== undefined && numberIn(status, 3) === 2n,
    durationNs: numberIn(span, 8) - numberIn(span, 7),
  };
}

/** Field numbers: opentelemetry/proto/common/v1/common.proto. */
function attributesIn(message: Fields, number: number): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    messagesIn(message, number).map((pair) => {
      const [value = new Map()] = messagesIn(pair, 2) as [Fields?];
      return [bytesIn(pair, 1).toString(), attributeValue(value)];
    }),
  );
}

function attributeValue(value: Fields): string | number | boolean {
  if (value.has(1)) return bytesIn(value, 1).toString();
  if (value.has(2)) return numberIn(value, 2) === 1n;
  if (value.has(3)) return Number(numberIn(value, 3));
  return JSON.stringify([...value.keys()]);
}
