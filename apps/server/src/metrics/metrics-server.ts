import { createServer, type Server, type ServerResponse } from 'node:http';
import { pathOfTarget } from '@countersign/http';
import { type Connections, trackConnections } from '../serve/connections.ts';
import type { Metrics } from './metrics.ts';

/** In milliseconds. Whoever scrapes is near, and asks for little. */
const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
const SILENCE_MS = 30_000;

/** Answers `GET /metrics` and nothing else, on an address of its own: numbers of a service are not its clients' business. */
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
      answerInWords(response, 500, 'Internal server error');
    }
  }

  server.on('request', ({ method, url = '' }, response) => {
    if (pathOfTarget(url) !== '/metrics') return answerInWords(response, 404, 'Not found: there is only /metrics');
    if (method !== 'GET') return answerInWords(response, 405, 'This method is not allowed here', { Allow: 'GET' });
    void answerMetrics(response);
  });
  return { server, connections };
}

function answerInWords(
  response: ServerResponse,
  status: number,
  words: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(`${words}\n`);
}
