import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RateLimitDecision } from '@countersign/domain';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRequestListener } from './request-listener.ts';
import { createSite } from './site.ts';

const fault = new TypeError('unexpected');
const decision = { allowed: true, limit: 100, remaining: 7, resetAt: new Date('2027-01-31T00:00:00Z') };

interface FaultOptions {
  /** Where the fault is thrown: a route of the site, the site itself or the API. */
  readonly place: 'route' | 'site' | 'API';
  countRequest?(address: string): Promise<RateLimitDecision>;
}

async function answerTo({ place, countRequest = async () => decision }: FaultOptions) {
  const onFault = vi.fn<(fault: unknown) => void>();
  const options = {
    peerAddress: () => '192.0.2.1',
    newRequestId: () => 'request-1',
    countRequest: vi.fn<(address: string) => Promise<RateLimitDecision>>(countRequest),
    onResponse: () => undefined,
    onHealthCheck: () => undefined,
    onFault,
  };
  const failing = new Hono().get('/healthz', () => {
    throw fault;
  });
  const noPages = () => new Response(null, { status: 404 });
  const site = createSite({ ...options, health: failing, pages: noPages });
  if (place === 'site') vi.spyOn(site, 'fetch').mockRejectedValue(fault);
  const answer = createRequestListener({
    ...options,
    site,
    api: () => Promise.reject(fault),
    apiPath: '/api/v1',
  });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/${place === 'API' ? 'api/v1' : 'healthz'}`);
  return { response, onFault, countRequest: options.countRequest };
}

test.each(['route', 'site', 'API'] as const)(
  'a fault in the %s is answered with 500, counted and reported',
  async (place) => {
    const { response, onFault, countRequest } = await answerTo({ place });

    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ success: false, code: 'INTERNAL_ERROR' });
    expect(response.headers.get('x-ratelimit-remaining')).toBe('7');
    expect(response.headers.get('x-request-id')).toBe('request-1');
    expect(onFault.mock.calls).toEqual([[fault, { requestId: 'request-1', method: 'GET' }]]);
    expect(countRequest.mock.calls).toEqual([['192.0.2.1']]);
  },
);

test('a fault is answered with 500 even when counting fails', async () => {
  const second = new Error('no counting');
  const { response, onFault } = await answerTo({ place: 'route', countRequest: () => Promise.reject(second) });

  expect(response.status).toBe(500);
  expect(response.headers.has('x-ratelimit-remaining')).toBe(false);
  expect(onFault.mock.calls.map(([reported]) => reported)).toEqual([fault, second]);
});
