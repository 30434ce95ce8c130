import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { CountersignError } from '@countersign/domain';
import { UnreadableVerificationError } from '@countersign/domain/storage';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../logging/log.ts';
import { createCountingLog } from './counting-log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createMetricsServer } from './metrics-server.ts';

const line = { requestId: 'r', method: 'GET', path: '/verifications/{id}', status: 200, durationMs: 3 };

async function serveMetrics(metrics: Pick<Metrics, 'text' | 'contentType'>) {
  const onFault = vi.fn<(fault: unknown) => void>();
  const { server } = createMetricsServer(metrics, onFault);
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, onFault };
}

test('metrics: count logged requests by route, method and status, without clients and keys', async () => {
  const metrics = createMetrics();
  const log = createCountingLog(createLog({ level: 'silent', output: { write: () => undefined } }), metrics);
  const { origin } = await serveMetrics(metrics);

  log.request({ ...line, clientId: 'canary', keyId: 'canary' }, '/api/v1');
  log.request({ ...line, durationMs: 300 }, '/api/v1');
  log.request({ ...line, method: 'PROPFIND', path: '*', status: 404 });
  log.healthCheck({ ...line, path: '/readyz' });
  log.fault(new CountersignError('SERVICE_UNAVAILABLE', 'locked'));
  log.fault(new TypeError('something else'));
  log.fault(new UnreadableVerificationError('canary', new Error('canary')));

  const response = await fetch(`${origin}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const duration = 'countersign_http_request_duration_seconds';
  const labels = 'route="/api/v1/verifications/{id}",method="GET",status="200"';
  expect(text).toContain(`${duration}_count{${labels}} 2\n`);
  expect(text).toContain(`${duration}_bucket{le="0.005",${labels}} 1\n`);
  expect(text).toContain(`${duration}_bucket{le="0.5",${labels}} 2\n`);
  expect(text).toContain(`${duration}_count{route="*",method="other",status="404"} 1\n`);
  expect(text).toContain(`${duration}_count{route="/readyz",method="GET",status="200"} 1\n`);
  expect(text).toContain('countersign_storage_unavailable_total 1\n');
  expect(text).toContain('countersign_unreadable_verifications_total 1\n');
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).not.toMatch(/canary|countersign_shared_rate_limits_up/);
});

test('metrics server: answers only GET /metrics', async () => {
  const { origin } = await serveMetrics(createMetrics());
  for (const path of ['/', '/metrics/', '/healthz', '/api/v1/verifications']) {
    expect([path, (await fetch(origin + path)).status]).toEqual([path, 404]);
  }
  for (const method of ['HEAD', 'POST', 'DELETE']) {
    const response = await fetch(`${origin}/metrics`, { method });
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET']);
  }
  expect((await fetch(`${origin}/metrics?x=1`)).status).toBe(200);
});

test('metrics server: a fault is reported and answered with 500 without details', async () => {
  const fault = new Error('canary');
  const { origin, onFault } = await serveMetrics({ text: () => Promise.reject(fault), contentType: 'text/plain' });
  const response = await fetch(`${origin}/metrics`);
  expect([response.status, await response.text()]).toEqual([500, 'Internal server error\n']);
  expect(onFault.mock.calls).toEqual([[fault]]);
});
