// Starts servers with tracing on each kind of database: spans cross processes and modules that are instrumented at the start.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiClient, idOf } from '@countersign/test-support/api/api-client';
import { canariesOf } from '@countersign/test-support/installation/canaries';
import { canaryCourses } from '@countersign/test-support/installation/canary-courses';
import { givenApi } from '@countersign/test-support/installation/customer';
import { createTraceSearch, type Trace } from '@countersign/test-support/installation/traces';
import { startRecordingReceiver } from '@countersign/test-support/load/webhook-receivers';
import { newMemberByLink, newStaff } from '@countersign/test-support/pages/staff-forms';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { LOCALHOST_CERTIFICATE, LOCALHOST_PEM } from '@countersign/test-support/servers/localhost-certificate';
import { startMailServer } from '@countersign/test-support/servers/mail-server';
import { noteLoadedModules } from '@countersign/test-support/tracing/loaded-modules';
import {
  type ReceivedSpan,
  startTraceCollector,
  type TraceCollector,
} from '@countersign/test-support/tracing/trace-collector';
import { beforeAll, describe, expect, it } from 'vitest';

/** The attributes that docs/privacy.md lists. */
const DOCUMENTED = [
  ...readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8').matchAll(
    /^\| `([a-z_]+\.[a-z_.]+)` +\|/gm,
  ),
].map(([, name = '']) => name);

const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

interface Traced {
  readonly collector: TraceCollector;
  readonly server: ServerProcess;
}

/** A server that sends its spans every 50 ms. */
async function tracedServer(env: Readonly<Record<string, string>> = {}): Promise<Traced> {
  const collector = await startTraceCollector();
  const server = await startServer({
    readsDocuments: true,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      ...env,
    },
  });
  return { collector, server };
}

function create(
  { baseUrl }: ServerProcess,
  key: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${baseUrl}/verifications`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ subjectType: 'kyc', ...body }),
  });
}

const addEndpoint = (server: ServerProcess, clientId: string, url: string): Promise<{ readonly id: string }> =>
  countersignHere(
    ['webhook', 'create', '--client', clientId, '--name', 'shop', '--url', url, '--types', 'verification.created'],
    server.env,
  );

const inTrace = ({ spans }: TraceCollector, traceId: string) => spans.filter((span) => span.traceId === traceId);

/** Returns the names of a span's ancestors in the trace, nearest first, and the id of the first one's parent. */
function ancestorsOf(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [span.parentSpanId] : [parent.name, ...ancestorsOf(parent, spans)];
}

describe('a verification that a traced caller creates', () => {
  /** A server for the cases that neither stop it nor count all its spans. Each has its own client. */
  let shared: Traced;
  beforeAll(async () => {
    shared = await tracedServer({ OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme%20one' });
  });

  it('a verification that a traced caller creates is one trace, from the POST to the webhook that is sent later', async () => {
    const { collector, server } = shared;
    const { clientId, key } = await givenApi(server);
    const receiver = await startRecordingReceiver();
    await addEndpoint(server, clientId, receiver.url);

    const response = await create(server, key, { subjectReference: 'user 1' }, { traceparent: TRACEPARENT });
    expect(response.status).toBe(201);
    await until(() => receiver.webhooks.length === 1);
    await until(() => inTrace(collector, CALLER.traceId).some(({ name }) => name.startsWith('webhook ')));

    const spans = inTrace(collector, CALLER.traceId);
    const named = (name: string) => spans.find((span) => span.name === name) as ReceivedSpan;
    const request = named('POST /api/v1/verifications');
    expect(request).toMatchObject({
      parentSpanId: CALLER.spanId,
      kind: 'server',
      isFailed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/verifications',
        'http.response.status_code': 201,
        'countersign.request_id': response.headers.get('X-Request-Id'),
      },
    });
    const above = [request.name, CALLER.spanId];
    expect(ancestorsOf(named('access.authenticate'), spans)).toEqual(above);
    expect(ancestorsOf(named('apiKeys.resolve'), spans)).toEqual(['access.authenticate', ...above]);
    expect(ancestorsOf(named('rateLimiter.consume'), spans)).toEqual(above);
    expect(ancestorsOf(named('verifications.create'), spans)).toEqual(above);
    expect(ancestorsOf(named('verifications.createCharged'), spans)).toEqual(['verifications.create', ...above]);
    expect(named('verifications.createCharged').attributes).toEqual({
      'db.system.name': 'sqlite',
      'db.operation.name': 'verifications.createCharged',
    });
    const webhook = 'webhook verification.created';
    expect(ancestorsOf(named(webhook), spans)).toEqual(['verifications.create', ...above]);
    expect(ancestorsOf(named('webhooks.settle'), spans)).toEqual([webhook, ...ancestorsOf(named(webhook), spans)]);
    const sent = named('POST');
    expect(sent).toMatchObject({ kind: 'client', attributes: { 'http.response.status_code': 204 } });
    expect(ancestorsOf(sent, spans)[0]).toBe(webhook);
    expect(receiver.webhooks[0]?.request.headers.get('traceparent')).toBe(
      `00-${CALLER.traceId}-${sent.spanId}-01`,
    );
    expect(receiver.webhooks[0]?.request.headers.get('tracestate')).toBeNull();
    expect(spans.every(({ durationNs }) => durationNs >= 0n)).toBe(true);
    expect(collector.resource).toMatchObject({ 'service.name': 'countersign' });
    expect(Object.keys(collector.resource).filter((name) => /host|process|os\./.test(name))).toEqual([]);
    expect(collector.headers['x-tenant']).toBe('acme one');
    await server.says(new RegExp(`"traceId":"${CALLER.traceId}","method":"POST","path":"/api/v1/verifications"`));
  });

  it('keeps its trace while servers restart before the webhook is sent', async () => {
    const { collector, server: first } = await tracedServer();
    const { clientId, key } = await givenApi(first);
    const receiver = await startRecordingReceiver();
    receiver.status = 500;
    await addEndpoint(first, clientId, receiver.url);
    await create(first, key, { subjectReference: 'user 1' }, { traceparent: TRACEPARENT });
    await until(() => receiver.webhooks.length === 1);
    await first.stop();
    receiver.status = 204;
    const second = await startServer({ dataDir: first.dataDir, env: first.env });
    await until(() => receiver.webhooks.length === 2);
    const sent = receiver.webhooks.map(({ request }) => request.headers.get('traceparent'));
    expect(sent.map((traceparent) => traceparent?.split('-')[1])).toEqual([CALLER.traceId, CALLER.traceId]);
    await second.stop();
    const attempts = inTrace(collector, CALLER.traceId).filter(({ name }) => name === 'POST');
    expect(
      attempts.map(({ attributes, isFailed }) => [attributes['http.response.status_code'], isFailed]),
    ).toEqual([
      [500, true],
      [204, false],
    ]);
  });

  it('a verification that a traced caller creates is not recorded if the caller does not record its trace, and the webhook says so too', async () => {
    const { collector, server } = await tracedServer();
    const { clientId, key } = await givenApi(server);
    const receiver = await startRecordingReceiver();
    await addEndpoint(server, clientId, receiver.url);
    const traceparent = TRACEPARENT.replace(/01$/, '00');
    await create(server, key, { subjectReference: 'user 1' }, { traceparent });
    await until(() => receiver.webhooks.length === 1);
    expect(receiver.webhooks[0]?.request.headers.get('traceparent')).toMatch(
      new RegExp(`^00-${CALLER.traceId}-[0-9a-f]{16}-00$`),
    );
    await create(server, key, { subjectReference: 'user 2' });
    expect((await server.stop()).code).toBe(0);
    expect(collector.spans.map(({ name }) => name)).toContain('POST /api/v1/verifications');
    expect(inTrace(collector, CALLER.traceId)).toEqual([]);
  });

  it('begins a new trace if its traceparent is invalid', async () => {
    const { collector, server } = shared;
    const { key } = await givenApi(server);
    const ids: unknown[] = [];
    for (const traceparent of ['', '00', `ff-${CALLER.traceId}-${CALLER.spanId}-01`, '0'.repeat(8_000)]) {
      const response = await create(
        server,
        key,
        { subjectReference: traceparent.slice(0, 9) || 'none' },
        { traceparent },
      );
      expect(response.status).toBe(201);
      ids.push(response.headers.get('X-Request-Id'));
    }
    const requests = () =>
      collector.spans.filter(
        ({ kind, attributes }) => kind === 'server' && ids.includes(attributes['countersign.request_id']),
      );
    await until(() => requests().length === 4);
    expect(requests().map(({ parentSpanId }) => parentSpanId)).toEqual(['', '', '', '']);
    expect(new Set(requests().map(({ traceId }) => traceId)).size).toBe(4);
  });

  it('the trace of a request has the codes of errors, and refusals are no failures', async () => {
    const { collector, server } = shared;
    const { key } = await givenApi(server);
    await create(server, key, { subjectReference: 'twice' });
    await create(server, key, { subjectReference: 'twice' });
    const refused = () => collector.spans.filter(({ attributes }) => attributes['error.type'] !== undefined);
    await until(() => refused().length === 2);
    expect(refused().map(({ name, attributes, isFailed }) => [name, attributes['error.type'], isFailed])).toEqual([
      ['verifications.create', 'DUPLICATE_SUBJECT_REFERENCE', false],
      ['POST /api/v1/verifications', 'DUPLICATE_SUBJECT_REFERENCE', false],
    ]);
  });
});

/** Part of paths, queries and headers that callers choose. */
const ODD = 'zyq-chosen-by-the-caller';

/** Requests what no page or operation has, with headers that tracing reads. */
async function requestOddly({ origin }: ServerProcess, headers: Readonly<Record<string, string>>): Promise<void> {
  const places = [
    '',
    'api/v1/',
    'api/v1/verifications/',
    'verify/',
    'export/',
    'faces/',
    'dashboard/',
    'review/',
    'account/',
  ];
  const paths = [...places, 'admin/actions/', 'docs/', 'assets/', 'healthz/'].map(
    (place) => `/${place}${ODD}?of=${ODD}`,
  );
  for (const path of [...paths, `/verify/${ODD}/files/${ODD}`, `/%E0%A4%A${ODD}`]) {
    for (const method of ['GET', 'POST', 'PROPFIND']) {
      const chosen = {
        'X-Request-Id': ODD,
        tracestate: `vendor=${ODD}`,
        baggage: `a=${ODD}`,
        Accept: 'text/html',
      };
      await fetch(origin + path, { method, redirect: 'manual', headers: { ...headers, ...chosen } });
    }
  }
}

it('traces of everything that subjects, reviewers and clients do have no personal data, and only documented attributes', async () => {
  const [mailServer, metricsPort] = [await startMailServer(), await freePort()];
  const { collector, server } = await tracedServer({
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'no-reply@service.example',
    METRICS_PORT: String(metricsPort),
  });
  const { clientId, key, api } = await givenApi(server);
  const receiver = await startRecordingReceiver();
  await addEndpoint(server, clientId, receiver.url);
  const reviewer = await newStaff(server, 'reviewer');
  const courses = canaryCourses(server, api, reviewer);
  const subject = await canariesOf('kyc', 7);
  const reference = 'reference-of-the-client-0007';
  const notified = 'zyq.notified@person.example';
  const id = idOf(
    await api.post({
      subjectType: 'kyc',
      subjectReference: reference,
      metadata: { note: 'metadata of the client' },
      notify: { email: notified },
    }),
  );
  await courses.approved(id, subject);
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  await until(async () => /^countersign_readings_total\{outcome="read"\} [1-9]/m.test(await metrics()));
  await api.get(`/verifications?subjectReference=${reference}`);
  await api.get(`/verifications/${id}/details`);
  await api.get(`/verifications/${id}x?of=${reference}`);
  await requestOddly(server, { 'X-API-Key': key, Cookie: reviewer.cookies() });
  await until(() => mailServer.received.length > 0 && receiver.webhooks.length > 0);
  const { stdout } = await server.stop();
  expect(stdout).not.toContain('takes no spans');

  const { spans } = collector;
  const names = new Set(spans.map(({ name }) => name));
  const expected = [
    'POST /verify/{id}/{slug}',
    'subject.submit',
    'decoder.receive',
    'evidence.put',
    'verifications.commit',
    'actions.review.approve',
    'mail verification.link',
    'webhook verification.created',
  ];
  expect(expected.filter((name) => !names.has(name))).toEqual([]);
  const used = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
  expect([...used].filter((name) => !DOCUMENTED.includes(name))).toEqual([]);
  expect(DOCUMENTED.filter((name) => !used.has(name))).toEqual([]);

  const others = {
    reference,
    notified,
    key,
    clientId,
    'verification id': id,
    metadata: 'metadata of the client',
    'address of the reviewer': reviewer.email,
    receiver: new URL(receiver.url).host,
    'network address': '127.0.0.1',
    'mail server': `:${mailServer.port}/`.padEnd(8, '/'),
    session: reviewer.cookies(),
    'odd request': ODD,
  };
  const traces: Trace[] = [
    ...subject.traces(),
    ...Object.entries(others).map(([name, content]) => ({ name, content })),
  ];
  expect(createTraceSearch(traces)(collector.bytes())).toEqual([]);
  expect(createTraceSearch([{ name: 'a span', content: 'decoder.receive' }])(collector.bytes())).toHaveLength(1);
});

describe('a collector that', () => {
  it.each(['refuse', 'hang'] as const)(
    'answers with %s neither fails nor delays requests, and a stop ends',
    async (behaviour) => {
      const { collector, server } = await tracedServer();
      collector.behaviour = behaviour;
      const { key } = await givenApi(server);
      const api = createApiClient(server.baseUrl, key);
      for (let n = 0; n < 20; n++) {
        expect((await api.post({ subjectType: 'kyc', subjectReference: `user ${n}` })).status).toBe(201);
      }
      await until(() => collector.requests() > 0);
      if (behaviour === 'refuse') {
        await server.says(/"reason":"HTTP 400","msg":"the trace collector takes no spans/);
        collector.behaviour = 'take';
        await api.get('/verifications');
        await server.says(/the trace collector takes spans again/);
      }
      const { code } = await server.stop();
      expect(code).toBe(0);
      expect(server.output().match(/takes no spans/g) ?? []).toHaveLength(behaviour === 'refuse' ? 1 : 0);
    },
  );

  it('a collector that has a certificate of a private authority gets spans if OTEL_EXPORTER_OTLP_CERTIFICATE names it', async () => {
    const collector = await startTraceCollector({ pem: LOCALHOST_PEM });
    const certificate = join(temporaryFolder(), 'authority.pem');
    writeFileSync(certificate, LOCALHOST_CERTIFICATE);
    const server = await startServer({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_EXPORTER_OTLP_CERTIFICATE: certificate,
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
    });
    await fetch(`${server.origin}/docs`);
    await until(() => collector.spans.length > 0);
    expect(server.output()).not.toContain('takes no spans');
  });

  it('a collector that is down when the server starts costs one warning', async () => {
    const server = await startServer({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        OTEL_BSP_SCHEDULE_DELAY: '20',
        OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      },
    });
    const { key } = await givenApi(server);
    expect((await create(server, key, { subjectReference: 'user 1' })).status).toBe(201);
    await server.says(/the trace collector takes no spans/);
    expect((await server.stop()).code).toBe(0);
  });
});

/** Runs a server, uses the API, metrics and pages as a visitor and as a user, and returns the code that it has loaded. */
async function loadedCode(env: Readonly<Record<string, string>>): Promise<string> {
  const modules = noteLoadedModules();
  const METRICS_PORT = String(await freePort());
  const server = await startServer({ env: { ...env, ...modules.env, METRICS_PORT } });
  const { api, clientId } = await givenApi(server);
  const created = await api.post({ subjectType: 'kyc', subjectReference: 'user 1' });
  expect(created.status).toBe(201);
  expect((await fetch(`${server.origin}/docs`)).status).toBe(200);
  const owner = await newMemberByLink(server, { role: 'client', clientId, teamRole: 'owner' });
  expect((await owner.get('/dashboard')).status).toBe(200);
  expect(await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()).toContain(
    'process_cpu_seconds_total',
  );
  await server.stop();
  const files = modules.files();
  expect(files.length).toBeGreaterThan(10);
  return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}

describe('a server', () => {
  // The bundle names the file of each module in a comment.
  const OPEN_TELEMETRY = /\/node_modules\/@opentelemetry\//;

  it('loads no module of OpenTelemetry without OTEL_EXPORTER_OTLP_ENDPOINT, or with OTEL_SDK_DISABLED', async () => {
    expect(await loadedCode({})).not.toMatch(OPEN_TELEMETRY);
    const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' };
    expect(await loadedCode(disabled)).not.toMatch(OPEN_TELEMETRY);
  });

  it('loads them with it', async () => {
    const { endpoint } = await startTraceCollector();
    expect(await loadedCode({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toMatch(OPEN_TELEMETRY);
  });
});
