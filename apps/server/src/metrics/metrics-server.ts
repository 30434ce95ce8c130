import { createServer, type Server, type ServerResponse } from 'node:http';
import { pathOfTarget } from '@countersign/http';
import { type Connections, trackConnections } from '../serve/connections.ts';
import type { Metrics } from './metrics.ts';

/** In milliseconds. Short, because a scraper is near and sends small requests. */
const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
const SILENCE_MS = 30_000;

/** Creates a server for `GET /metrics` only. It has its own address, so that clients do not reach the metrics. */
export function createMetricsServer(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  onFault: (fault: unknown) => void,
): { server: Server; connections: Connections } {
  const server = createServer(LIMITS);
  server.timeout = SILENCE_MS;
  const connections = trackConnections(server);

  async function answerMetrics(response: ServerResponse): Promise<void> {
    try {
      const body = await metrics.text();
      response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(body);
    } catch (fault) {
      onFault(fault);
      answerText(response, 500, 'Internal server error');
    }
  }

  server.on('request', ({ method, url = '' }, response) => {
    if (pathOfTarget(url) !== '/metrics') return answerText(response, 404, 'Not found. Metrics are at /metrics.');
    if (method !== 'GET') return answerText(response, 405, 'Method not allowed. Use GET.', { Allow: 'GET' });
    void answerMetrics(response);
  });
  return { server, connections };
}

function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`);
}
