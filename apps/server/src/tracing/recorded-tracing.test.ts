import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CountersignError } from '@countersign/domain';
import type { WebhookSender } from '@countersign/domain/webhooks';
import { createMemoryStorage } from '@countersign/memory';
import { createRequest, eventTo, pendingRecord } from '@countersign/test-support/records/verification';
import { SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../logging/log.ts';
import { createSpans } from './open-telemetry.ts';
import type { Spans } from './spans.ts';
import { traceListener, traceLog } from './trace-requests.ts';
import { traceStorage } from './trace-storage.ts';
import { traceAttempts, traceSender } from './trace-webhooks.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const CANARY = 'canary-of-the-subject';

/** A span that has ended. */
interface Ended {
  readonly name: string;
  readonly traceId: string;
  /** The name of the span around it, or the id of one elsewhere. */
  readonly parent: string | undefined;
  readonly isFailed: boolean;
  readonly attributes: object;
}

function given(): { spans: Spans; ended(): readonly Ended[] } {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return {
    spans: createSpans(provider.getTracer('test')),
    ended() {
      const all = exporter.getFinishedSpans();
      const names = new Map(all.map((span) => [span.spanContext().spanId, span.name]));
      return all.map((span) => ({
        name: span.name,
        traceId: span.spanContext().traceId,
        parent: names.get(span.parentSpanContext?.spanId ?? '') ?? span.parentSpanContext?.spanId,
        isFailed: span.status.code === SpanStatusCode.ERROR,
        attributes: span.attributes,
      }));
    },
  };
}

/** Sends a request to a traced listener, and returns what the log has of it. */
async function request(spans: Spans, path: string, headers: Readonly<Record<string, string>> = {}) {
  let text = '';
  const log = traceLog(createLog({ level: 'info', output: { write: (line) => (text += line) } }), spans);
  const ended = Promise.withResolvers<void>();
  const answer = traceListener(async (_, outgoing) => {
    await spans.run({ name: 'work' }, async () => undefined);
    const line = { requestId: 'request-1', method: 'GET', path: '/verifications/{id}', durationMs: 1 };
    log.request({ ...line, status: 404, code: 'VERIFICATION_NOT_FOUND' }, '/api/v1');
    outgoing.end();
  }, spans);
  const server = createServer(
    (incoming, outgoing) => void answer(incoming, outgoing).then(ended.resolve, ended.reject),
  );
  onTestFinished(() => server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers });
  await ended.promise;
  log.flush();
  return JSON.parse(text) as { readonly traceId?: string };
}

it('a request is a span in the trace of its caller, with its route, and the work for it is below', async () => {
  const { spans, ended } = given();
  const line = await request(spans, `/api/v1/verifications/${CANARY}?of=${CANARY}`, { traceparent: TRACEPARENT });

  const route = 'GET /api/v1/verifications/{id}';
  expect(ended()).toEqual([
    { name: 'work', traceId: TRACE, parent: route, isFailed: false, attributes: {} },
    {
      name: route,
      traceId: TRACE,
      parent: TRACEPARENT.split('-')[2],
      isFailed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/verifications/{id}',
        'http.response.status_code': 404,
        'error.type': 'VERIFICATION_NOT_FOUND',
        'countersign.request_id': 'request-1',
      },
    },
  ]);
  expect(line.traceId).toBe(TRACE);
});

it.each([{}, { traceparent: 'invalid' }, { traceparent: TRACEPARENT.replace(TRACE, '0'.repeat(32)) }])(
  'a request with %o begins a trace of its own',
  async (headers) => {
    const { spans, ended } = given();
    const { traceId } = await request(spans, '/', headers);
    expect(traceId).toMatch(/^(?!4bf92f35|0{32})[0-9a-f]{32}$/);
    expect(ended().map((span) => [span.traceId, span.parent])).toEqual([
      [traceId, 'GET /api/v1/verifications/{id}'],
      [traceId, undefined],
    ]);
  },
);

it('a health check is no span', async () => {
  const { spans, ended } = given();
  await request(spans, '/readyz?of=load-balancer');
  expect(ended().map(({ name }) => name)).toEqual(['work']);
});

it.each([
  ['a refusal', new CountersignError('VERIFICATION_NOT_FOUND', CANARY), 'VERIFICATION_NOT_FOUND', false],
  ['an outage', new CountersignError('SERVICE_UNAVAILABLE', CANARY), 'SERVICE_UNAVAILABLE', true],
  ['an error of the system', Object.assign(new Error(CANARY), { code: 'ECONNREFUSED' }), 'ECONNREFUSED', true],
  ['a code that is no code', Object.assign(new Error(CANARY), { code: CANARY }), '_OTHER', true],
  ['another error', new Error(CANARY), '_OTHER', true],
])('the span of work that ends by %s has its code and no message', async (_, error, code, isFailed) => {
  const { spans, ended } = given();
  const fails = () => {
    throw error;
  };
  expect(() => spans.run({ name: 'now' }, fails)).toThrow(error);
  await expect(spans.run({ name: 'later' }, async () => fails())).rejects.toThrow(error);
  const span = { parent: undefined, isFailed, attributes: { 'error.type': code } };
  expect(ended()).toMatchObject([
    { name: 'now', ...span },
    { name: 'later', ...span },
  ]);
});

it('an event that is sent keeps the trace in which it is written, and the attempts to send it continue this trace', async () => {
  const { spans, ended } = given();
  const storage = traceStorage(createMemoryStorage(), 'sqlite', spans);
  const record = pendingRecord({ clientId: 'client-1', id: 'verification-1', subjectReference: CANARY });

  await spans.run({ name: 'request', parent: TRACEPARENT }, () =>
    storage.verifications.createCharged(createRequest(record)),
  );
  await spans.run({ name: 'step', parent: TRACEPARENT }, () =>
    storage.verifications.commit({
      record: { ...record, version: 2 },
      expectedVersion: 1,
      events: [eventTo({ ...record, version: 2 })],
    }),
  );
  const found = await storage.verifications.findWithHistory('client-1', 'verification-1');
  const [created, step] = found?.events ?? [];
  if (created === undefined) throw new Error('The event is missing');
  expect([created.data.traceparent, step?.data.traceparent]).toEqual([
    expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-01$`),
    undefined,
  ]);

  await traceAttempts(spans)(created, async () => undefined);
  expect(ended().at(-1)).toMatchObject({ name: 'webhook verification.created', traceId: TRACE });
  expect(ended().find(({ name }) => name === 'verifications.createCharged')).toMatchObject({
    parent: 'request',
    attributes: { 'db.system.name': 'sqlite', 'db.operation.name': 'verifications.createCharged' },
  });
  expect(JSON.stringify(ended())).not.toContain(CANARY);
});

it.each([
  ['accepted', 204, {}, false],
  ['failed', 500, { 'error.type': '500' }, true],
  ['failed', null, { 'error.type': '_OTHER' }, true],
] as const)(
  'the span of a webhook that is %s with status %s says so, without the address',
  async (verdict, status, more, isFailed) => {
    const { spans, ended } = given();
    const response = { verdict, status, text: CANARY, fault: CANARY, durationMs: 1, retryAfterSeconds: null };
    const sender = traceSender<WebhookSender>({ send: async () => response }, spans);
    const url = `https://${CANARY}.example/`;
    const sent = await sender.send({ id: 'event-1', url, body: CANARY, secrets: [CANARY], at: new Date(0) });
    expect(sent).toBe(response);
    expect(ended()).toMatchObject([
      { name: 'POST', isFailed, attributes: { 'countersign.webhook.verdict': verdict, ...more } },
    ]);
    expect(JSON.stringify(ended())).not.toContain(CANARY);
  },
);

it('docs/privacy.md lists each attribute of spans', () => {
  const sources = globSync('*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts'] });
  const set = sources.flatMap((file) => [
    ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/'((?:[a-z_]+\.)+[a-z_]+)'[:,]/g),
  ]);
  const names = new Set(set.map(([, name]) => name).filter((name) => !name?.startsWith('service.')));
  const privacy = readFileSync(new URL('../../../../docs/privacy.md', import.meta.url), 'utf8');
  const listed = [...privacy.matchAll(/^\| `([a-z_]+\.[a-z_.]+)` +\|/gm)].map(([, name]) => name);
  expect([...names].sort()).toEqual(listed.sort());
});
